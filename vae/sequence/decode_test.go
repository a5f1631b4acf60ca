package sequence

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/tensor"
)

// Greedy decoding gives the first tokens of the reference. None of them is a stop. As in training, the first input is a
// zero vector.
func TestGreedyGolden(t *testing.T) {
	for _, tt := range goldens {
		t.Run(tt.name, func(t *testing.T) {
			g := openGolden(t, tt.path, tt.heads)
			tokens := g.values("out.greedy_tokens.start_zero")
			net, n := g.model.Net, len(g.strings)
			width := len(tokens) / n
			var tape tensor.Tape
			lines := net.open(&tape, g.like(new(tensor.Tape), "in.z_free", n).Data)
			for i := range lines {
				l := &lines[i]
				for at, token := range tokens[i*width+1 : (i+1)*width] { // the first is the start
					tape.Reset()
					got := argMax(net.next(&tape, []*line{l}).Data)
					if got != int32(token) {
						t.Fatalf("latent %d: token %d is %d, want %g", i, at, got, token)
					}
					l.tokens = append(l.tokens, got)
				}
			}
		})
	}
}

// The logits of next, one token at a time for a shrinking batch of lines, equal the reference.
func TestNextLogitsGolden(t *testing.T) {
	for _, tt := range goldens {
		t.Run(tt.name, func(t *testing.T) {
			g := openGolden(t, tt.path, tt.heads)
			net, n := g.model.Net, len(g.strings)
			var tape tensor.Tape
			lines := net.open(&tape, g.like(new(tensor.Tape), "in.z_free", n).Data)
			logits := make([][]float32, n)
			for at := 0; ; at++ {
				var live []int
				var unended []*line
				for i, s := range g.strings {
					if at < len(s) {
						live, unended = append(live, i), append(unended, &lines[i])
					}
				}
				if len(live) == 0 {
					break
				}
				tape.Reset()
				next := net.next(&tape, unended)
				for row, i := range live {
					logits[i] = append(logits[i], next.Row(row)...)
					lines[i].tokens = append(lines[i].tokens, g.strings[i][at])
				}
			}
			got := slices.Concat(logits...)
			g.logits("out.z_free.logits", &tensor.Var{Data: got, Rows: len(got) / net.alphabet.tokens(), Cols: net.alphabet.tokens()}, tt.forward)
		})
	}
}

// decodeModel returns a model with random weights and n latents for it.
func decodeModel(t testing.TB, symbols int, config Config, n int) (*Model, [][]float64) {
	t.Helper()
	m, err := newModel(letters(t, symbols), config)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	_, all := m.Net.params.Len()
	m.Net.params.Bind(make([]float32, all), nil)
	m.Net.params.Init(rng)
	m.Net.params.Freeze()
	z := make([][]float64, n)
	for i := range z {
		z[i] = make([]float64, m.Dim())
		for j := range z[i] {
			z[i][j] = 3 * rng.NormFloat64()
		}
	}
	return m, z
}

// Decoded strings depend neither on the other latents nor on the number of processors.
func TestDecodeOneByOne(t *testing.T) {
	config := Config{Width: 16, EncoderLayers: 1, EncoderHeads: 2, EncoderHidden: 8, DecoderLayers: 2, DecoderHeads: 2, DecoderHidden: 24, MaxTokens: 30}
	m, z := decodeModel(t, 4, config, 3*decodeRows+1)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	want, err := m.Decode(t.Context(), z)
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for i, x := range want {
		alone, err := m.Decode(t.Context(), z[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		if alone[0] != x {
			t.Errorf("latent %d decodes to %q in a batch, to %q alone", i, x, alone[0])
		}
		if x != "" {
			ended++
			if n := strings.Count(x, "["); n >= config.MaxTokens {
				t.Errorf("latent %d decodes to %d symbols, want at most %d", i, n, config.MaxTokens-1)
			}
		}
	}
	if ended < len(z)/10 || ended > len(z)*9/10 {
		t.Errorf("%d of %d latents decode to a string: too few of one kind for this test", ended, len(z))
	}
	for _, procs := range []int{1, 2} {
		runtime.GOMAXPROCS(procs)
		if got, err := m.Decode(t.Context(), z); err != nil || !slices.Equal(got, want) {
			t.Errorf("GOMAXPROCS=%d: strings differ, error %v", procs, err)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	config := Config{Width: 8, EncoderLayers: 1, EncoderHeads: 1, EncoderHidden: 8, DecoderLayers: 1, DecoderHeads: 1, DecoderHidden: 8}
	m, z := decodeModel(t, 4, config, 2)
	if x, err := m.Decode(t.Context(), nil); err != nil || len(x) != 0 {
		t.Errorf("no latents: %q, %v", x, err)
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if _, err := m.Decode(ctx, z); !errors.Is(err, stopped) {
		t.Errorf("cancelled: error %v, want the cause", err)
	}
	tests := []struct {
		name string
		z    []float64
		want string
	}{
		{"too short", []float64{1}, "latent 1: 1 values"},
		{"not finite", append(make([]float64, 15), math.Inf(1)), "latent 1: value 15 is +Inf"},
	}
	for _, test := range tests {
		if _, err := m.Decode(t.Context(), [][]float64{z[0], test.z}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}

// BenchmarkDecode generates 88 tokens, those of the longest of a hundred molecules, with the published sizes.
func BenchmarkDecode(b *testing.B) {
	for _, n := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m, z := decodeModel(b, 95, Config{EncoderLayers: 1, MaxTokens: 88}, n)
			for i := range m.Net.unembedding.Rows {
				clear(m.Net.unembedding.Row(i)[:firstSymbol]) // no line stops early
			}
			m.Net.params.Freeze()
			for b.Loop() {
				if _, err := m.Decode(b.Context(), z); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n*88*b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
