package sequence

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// goldens are reference values of the published InfoTransformerVAE, computed in PyTorch 1.13 in float64 from float32
// weights; testdata/transformer_vae_tiny.json describes every tensor and its origin. Tolerances of values (forward)
// and gradients (backward) are relative to the largest magnitude in a tensor.
var goldens = []struct {
	name, path        string
	heads             int
	forward, backward float64
}{
	{"tiny", "testdata/transformer_vae_tiny.safetensors", 2, 1e-5, 1e-4},
	{"full", "../../../shared/golden/transformer_vae_full.safetensors", 8, 2e-5, 1e-4},
}

// golden is a file of reference values with its model.
type golden struct {
	*testing.T
	file    *safetensors.File
	model   *Model
	strings [][]int32 // with their stops
}

func openGolden(t *testing.T, path string, heads int) golden {
	t.Helper()
	if testing.Short() && strings.Contains(path, "full") {
		t.Skip("takes minutes under emulation")
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not here", path)
	} else if err != nil {
		t.Fatal(err)
	}
	f, err := safetensors.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	_, shape, err := f.Float32s("decoder_token_embedding.weight")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Import(bytes.NewReader(data), letters(t, shape[0]-2), Config{EncoderHeads: heads, DecoderHeads: heads})
	if err != nil {
		t.Fatal(err)
	}
	g := golden{T: t, file: f, model: m}
	padded, lengths := g.values("in.tokens"), g.values("in.lengths")
	for i, n := range lengths {
		var s []int32
		for _, id := range padded[i*len(padded)/len(lengths):][:int(n)] {
			s = append(s, int32(id))
		}
		g.strings = append(g.strings, s)
	}
	return g
}

// letters returns an alphabet of n symbols.
func letters(t testing.TB, n int) *Alphabet {
	t.Helper()
	var symbols []string
	for i := range n {
		symbols = append(symbols, fmt.Sprintf("[%d]", i))
	}
	a, err := NewAlphabet(symbols)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (g golden) values(name string) []float64 {
	g.Helper()
	v, _, err := g.file.Float64s(name)
	if err != nil {
		g.Fatal(err)
	}
	return v
}

// like returns a tensor of the file as a Var with n rows.
func (g golden) like(t *tensor.Tape, name string, n int) *tensor.Var {
	g.Helper()
	values := g.values(name)
	v := t.New(n, len(values)/n, true)
	for i, x := range values {
		v.Data[i] = float32(x)
	}
	return v
}

// compare compares got with a tensor of the file.
func (g golden) compare(name string, got []float32, tolerance float64) {
	g.Helper()
	g.compareValues(name, got, g.values(name), tolerance)
}

func (g golden) compareValues(name string, got []float32, want []float64, tolerance float64) {
	g.Helper()
	if len(got) != len(want) {
		g.Fatalf("%s: %d values, want %d", name, len(got), len(want))
	}
	largest, off := 0.0, 0.0
	for i := range want {
		largest = max(largest, math.Abs(want[i]))
		off = max(off, math.Abs(float64(got[i])-want[i]))
	}
	if !(off <= tolerance*largest) {
		g.Errorf("%s: off by %.2g of the largest magnitude, want at most %g", name, off/largest, tolerance)
	}
}

// logits compares packed logits with the corresponding rows of padded ones.
func (g golden) logits(name string, got *tensor.Var, tolerance float64) {
	g.Helper()
	padded := g.values(name)
	var want []float64
	for i, s := range g.strings {
		sequence := padded[i*len(padded)/len(g.strings):]
		want = append(want, sequence[:len(s)*got.Cols]...)
	}
	g.compareValues(name, got.Data, want, tolerance)
}

// sigmas returns the standard deviations of log variances.
func sigmas(logvar *tensor.Var) []float32 {
	sigma := make([]float32, len(logvar.Data))
	for i, lv := range logvar.Data {
		sigma[i] = float32(math.Exp(0.5 * float64(lv)))
	}
	return sigma
}

func TestGolden(t *testing.T) {
	for _, tt := range goldens {
		t.Run(tt.name, func(t *testing.T) {
			g := openGolden(t, tt.path, tt.heads)
			n := len(g.strings)
			trained, _ := g.model.Net.params.Len()
			net := g.model.Net.View(g.model.Net.params.Data, make([]float32, trained))
			var tape tensor.Tape

			mu, logvar := net.encode(&tape, newBatch(g.strings, 1), nn.Dropout{})
			g.compare("out.mu", mu.Data, tt.forward)
			g.compare("out.sigma", sigmas(logvar), tt.forward)

			tokens := 0
			for _, s := range g.strings {
				tokens += len(s)
			}
			tape.Reset()
			e := net.elbo(&tape, g.strings, g.like(&tape, "in.noise", n), nn.Dropout{})
			g.compare("out.z", e.z.Data, tt.forward)
			g.compare("out.recon_loss_masked_per_sequence", e.losses.Data, tt.forward)
			var masked float32
			for i, s := range g.strings {
				share := float32(len(s)) / float32(tokens)
				masked += share * e.losses.Data[i]
				tape.Grad(e.losses)[i] = share
			}
			g.compare("out.recon_loss_masked", []float32{masked}, tt.forward)
			g.compare("out.kl", []float32{e.kl.Data[0] / float32(len(e.z.Data))}, tt.forward)
			tape.Grad(e.kl)[0] = 0.1 / float32(len(e.z.Data))
			tape.Backward()
			for _, s := range format.Layout.Tensors(&net.View(net.params.Grad, nil).params) {
				if slices.Contains(g.file.Names(), "grad_masked."+s.Name) { // not in the larger file
					g.compare("grad_masked."+s.Name, s.Data, tt.backward)
				}
			}

			for _, z := range []struct{ in, out string }{{"out.z", "out."}, {"in.z_free", "out.z_free."}} {
				tape.Reset()
				latent, b := g.like(&tape, z.in, n), newBatch(g.strings, 1)
				logits := g.model.Net.decode(&tape, latent, b, nn.Dropout{})
				g.logits(z.out+"logits", logits, tt.forward)
				losses, _ := tape.Reconstruction(logits, b.tokens, nil, b.seq, tensor.CrossEntropy)
				for i, s := range g.strings {
					tape.Grad(losses)[i] = float32(len(s)) / float32(tokens)
				}
				tape.Backward()
				g.compare(z.out+"grad_z.masked", latent.Grad, tt.backward)
			}
		})
	}
}
