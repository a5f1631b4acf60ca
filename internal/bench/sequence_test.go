package bench

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/selfies"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/sequence"
)

// moleculeTokens returns the numbers of SELFIES tokens, stop included, of the 100 initial molecules of the paper's
// GuacaMol tasks. The time of a pass depends on nothing else about them.
func moleculeTokens() []int {
	return []int{
		11, 73, 75, 56, 56, 30, 62, 31, 65, 43, 42, 40, 53, 67, 47, 57, 47, 29, 50, 33, 44, 57, 39, 44, 45,
		35, 61, 30, 37, 64, 36, 26, 62, 25, 58, 60, 41, 41, 54, 54, 33, 49, 36, 29, 42, 42, 37, 38, 62, 30,
		85, 37, 53, 37, 64, 44, 55, 43, 23, 63, 88, 62, 56, 74, 26, 40, 32, 24, 67, 62, 27, 31, 54, 62, 63,
		37, 65, 52, 67, 45, 37, 29, 43, 48, 42, 46, 24, 29, 22, 71, 54, 25, 30, 29, 26, 42, 35, 58, 63, 88,
	}
}

// sequenceKernels returns the kernels of the sequence VAE, of the published one and of one with a compact encoder.
func sequenceKernels() []kernel {
	published := sequence.Config{}
	return []kernel{
		inversion(64),
		{
			name:  "pretraining",
			flops: pretrainingFlops(sequence.Config{EncoderWidth: 256, EncoderHidden: 512, EncoderLayers: 6}),
			run:   pretrainingStep(published),
			peers: []string{"pretraining, padded", "pretraining, sorted"},
		},
		{
			name:  "compact pretraining",
			flops: pretrainingFlops(sequence.Config{EncoderWidth: 128, EncoderHidden: 512, EncoderLayers: 3}),
			run:   pretrainingStep(sequence.Compact()),
			peers: []string{"compact pretraining, padded", "compact pretraining, sorted"},
		},
		decodingKernel(),
	}
}

// inversion is the loss and its gradient in z for the first n molecules.
func inversion(n int) kernel {
	tokens := moleculeTokens()[:n]
	return kernel{
		name:  "inversion",
		flops: inversionFlops(tokens),
		peers: []string{"inversion, as published", "inversion, z only, sorted"},
		run: func(b *testing.B, again func() bool) {
			m := untrained(b, sequence.Config{})
			x, z, grad := randomMolecules(m.Alphabet(), tokens), normalLatents(n, m), normalLatents(n, m)
			for more := true; more; more = again() {
				_, _, err := m.Reconstruct(b.Context(), z, x, vae.CrossEntropy, grad)
				check(b, err)
			}
		},
	}
}

// inversionFlops returns the floating-point operations of the loss and its gradient in z with the published decoder,
// for strings of these numbers of tokens. Backward takes as many as forward, but twice as many in attention, and ends
// at the first layer's cross-attention, where the latent comes in.
func inversionFlops(tokens []int) float64 {
	d := decoderFlops(tokens)
	there := d.products + d.attention
	back := d.products + 2*d.attention
	return there + back - (d.first.products + 2*d.first.attention)
}

// work is a number of floating-point operations: in products with weights, and with other results, which takes twice as many
// backward.
type work struct{ products, attention float64 }

// decoderWork is the work of a decoder forward; first is that of the first layer before the latent comes in.
type decoderWork struct {
	work
	first work
}

// decoderFlops counts the published decoder, for strings of these numbers of tokens.
func decoderFlops(tokens []int) decoderWork {
	const d, heads, hidden, m, layers, alphabet = 128, 8, 256, 2, 6, 97 // width, heads, hidden units, latent vectors
	n, pairs := countTokens(tokens)
	projections, attention := n*8*d*d, pairs*4*d
	scores := n * m * heads * 2 * d // of cross-attention, and as many operations for its result
	memory := float64(len(tokens)) * m * 8 * d * d
	return decoderWork{
		work:  work{layers*(projections+memory+n*4*d*hidden) + n*2*d*alphabet, layers * (attention + 2*scores)},
		first: work{projections, attention + scores/2}, // back to the keys of cross-attention, not to its queries
	}
}

// encoderFlops counts an encoder. The last layer computes the rows of the latent vectors only.
func encoderFlops(c sequence.Config, tokens []int) work {
	d, hidden, layers := float64(c.EncoderWidth), float64(c.EncoderHidden), float64(c.EncoderLayers)
	n, pairs := countTokens(tokens)
	pairs = 2*pairs - n // not causal
	rest := 2*d*d + 4*d*hidden
	return work{layers*n*6*d*d + (layers-1)*n*rest, (layers - 1) * pairs * 4 * d}
}

// countTokens returns the numbers of tokens, and of pairs of a token and one that it may attend to.
func countTokens(tokens []int) (n, pairs float64) {
	for _, length := range tokens {
		n += float64(length)
		pairs += float64(length * (length + 1) / 2)
	}
	return n, pairs
}

// pretrainingFlops returns the operations of pretrainingStep.
func pretrainingFlops(c sequence.Config) float64 {
	tokens := pretrainingTokens()
	e, d := encoderFlops(c, tokens), decoderFlops(tokens).work
	return 3 * (e.products + e.attention + d.products + d.attention)
}

// decodingKernel decodes 100 latents greedily. For each token the weights are read once for the latents of a processor,
// and the keys and values of the tokens before it.
func decodingKernel() kernel {
	const d, hidden, layers, alphabet, together = 128, 256, 6, 97, 32
	n, longest := len(moleculeTokens()), slices.Max(moleculeTokens())
	pairs := float64(n * longest * (longest + 1) / 2)
	weights := float64(layers*(8*d*d+2*d*hidden) + d*alphabet) // with projections of each token in cross-attention, too
	steps := float64(n*longest) / together
	return kernel{
		name:  "greedy decoding",
		flops: float64(n*longest)*2*weights + pairs*layers*4*d,
		bytes: 4 * (steps*weights + pairs*layers*2*d),
		run:   greedyDecoding,
		peers: []string{"greedy decoding, as published"},
	}
}

// pretrainingTokens returns the numbers of tokens of 256 molecules.
func pretrainingTokens() []int { return slices.Repeat(moleculeTokens(), 3)[:256] }

// pretrainingStep is a step on 256 molecules with the published dropout.
func pretrainingStep(c sequence.Config) func(b *testing.B, again func() bool) {
	return func(b *testing.B, again func() bool) {
		a := alphabet(b)
		tokens := pretrainingTokens()
		_, err := sequence.Train(b.Context(), a, c, randomMolecules(a, tokens), sequence.TrainOptions{
			Training: sequence.Training{Passes: 1e5, Batch: len(tokens), Dropout: 0.1},
			Step: func(*sequence.Checkpoint, sequence.Quality) error {
				if again() {
					return nil
				}
				return errTimed
			},
		})
		if !errors.Is(err, errTimed) {
			b.Fatal(err)
		}
	}
}

// greedyDecoding decodes 100 latents, each to the length of the longest molecule, so that we decode as many tokens as
// the peer.
func greedyDecoding(b *testing.B, again func() bool) {
	m := endless(b, untrained(b, sequence.Config{EncoderLayers: 1}), slices.Max(moleculeTokens()))
	z := normalLatents(len(moleculeTokens()), m)
	for more := true; more; more = again() {
		_, err := m.Decode(b.Context(), z)
		check(b, err)
	}
}

// alphabet returns that of SELFIES.
func alphabet(b testing.TB) *sequence.Alphabet {
	a, err := sequence.NewAlphabet(selfies.DefaultAlphabet())
	check(b, err)
	return a
}

// untrained returns a model over the SELFIES alphabet, after one step of training on two symbols.
func untrained(b testing.TB, c sequence.Config) *sequence.Model {
	m, err := sequence.Train(b.Context(), alphabet(b), c, []string{"[C][C]"}, sequence.TrainOptions{Training: sequence.Training{Passes: 1}})
	check(b, err)
	return m
}

// endless returns m with the logits of start and stop set to 0. The largest of the others is above that, so every
// latent decodes to the maximal number of tokens.
func endless(b testing.TB, m *sequence.Model, maxTokens int) *sequence.Model {
	var file bytes.Buffer
	check(b, m.Save(&file))
	f, err := safetensors.Read(&file)
	check(b, err)
	var tensors []safetensors.Tensor
	for _, name := range f.Names() {
		data, shape, err := f.Float32s(name)
		check(b, err)
		if name == "decoder_token_unembedding" {
			for row := range slices.Chunk(data, shape[1]) {
				clear(row[:2])
			}
		}
		tensors = append(tensors, safetensors.Tensor{Name: name, Shape: shape, Data: data})
	}
	check(b, safetensors.Write(&file, nil, tensors))
	m, err = sequence.Import(&file, m.Alphabet(), sequence.Config{MaxTokens: maxTokens})
	check(b, err)
	return m
}

// randomMolecules returns random strings of these numbers of tokens, stop included.
func randomMolecules(a *sequence.Alphabet, tokens []int) []string {
	rng := rand.New(rand.NewPCG(0, 0))
	symbols := a.Symbols()
	x := make([]string, len(tokens))
	for i, n := range tokens {
		var b strings.Builder
		for range n - 1 {
			b.WriteString(symbols[rng.IntN(len(symbols))])
		}
		x[i] = b.String()
	}
	return x
}

// normalLatents returns n draws from N(0, I), the same each time.
func normalLatents(n int, m vae.Model) [][]float64 {
	return vae.Prior(m, n, rand.New(rand.NewPCG(0, 0)))
}

// The first 64 molecules have as many tokens as those that the published code was timed with, so have the first 256 of
// them repeated. The published decoder takes 12.5 GFLOP for their inversion; with cross-attention as here it is less.
func TestMolecules(t *testing.T) {
	tests := []struct{ n, tokens int }{{64, 3062}, {256, 11912}}
	for _, test := range tests {
		tokens := 0
		for _, n := range slices.Repeat(moleculeTokens(), 3)[:test.n] {
			tokens += n
		}
		if tokens != test.tokens {
			t.Errorf("%d molecules have %d tokens, want %d", test.n, tokens, test.tokens)
		}
	}
	if flops := inversionFlops(moleculeTokens()[:64]); flops < 10.6e9 || flops > 10.8e9 {
		t.Errorf("%g operations, want about 10.7e9", flops)
	}
}

// The decoder of greedyDecoding never stops: no latent decodes to a string.
func TestEndless(t *testing.T) {
	const maxTokens = 30
	m := endless(t, untrained(t, sequence.Config{EncoderLayers: 1, DecoderLayers: 1}), maxTokens)
	if m.Config().MaxTokens != maxTokens {
		t.Errorf("at most %d tokens, want %d", m.Config().MaxTokens, maxTokens)
	}
	x, err := m.Decode(t.Context(), normalLatents(50, m))
	check(t, err)
	for i, x := range x {
		if x != "" {
			t.Errorf("latent %d decodes to %q, want nothing", i, x)
		}
	}
}
