package sequence

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/invbo/invbo/vae"
)

// published returns a model with random weights and n random strings of 95 symbols with the lengths of GuacaMol's molecules
// in SELFIES, 48 tokens on average.
func published(b *testing.B, c Config, n int) (*Model, []string) {
	a := letters(b, 95)
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]string, n)
	for i := range x {
		var s strings.Builder
		for range min(max(int(47+15*rng.NormFloat64()), 10), 100) {
			s.WriteString(a.symbols[rng.IntN(95)])
		}
		x[i] = s.String()
	}
	r, err := newTrainer(a, c, x, TrainOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return r.Model, x
}

// BenchmarkReconstruct is one iteration of inversion: loss, certificate and gradient in z.
func BenchmarkReconstruct(b *testing.B) {
	m, x := published(b, Config{}, 64)
	z, _, err := m.Encode(b.Context(), x)
	if err != nil {
		b.Fatal(err)
	}
	grad := make([][]float64, len(z))
	for i := range grad {
		grad[i] = make([]float64, m.Dim())
	}
	for b.Loop() {
		m.Reconstruct(b.Context(), z, x, vae.CrossEntropy, grad)
	}
}

func BenchmarkEncode(b *testing.B) {
	m, x := published(b, Config{}, 64)
	for b.Loop() {
		m.Encode(b.Context(), x)
	}
}

// BenchmarkTrainingStep is one step of pre-training on 256 strings.
func BenchmarkTrainingStep(b *testing.B) {
	for name, c := range map[string]Config{"published": {}, "compact": Compact()} {
		b.Run(name, func(b *testing.B) {
			m, x := published(b, c, 256)
			r, err := newTrainer(m.Alphabet(), c, x, TrainOptions{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				r.step()
			}
		})
	}
}

// BenchmarkTune is one step of fine-tuning on the 23 strings of a minibatch of InvBO.
func BenchmarkTune(b *testing.B) {
	m, x := published(b, Config{}, 23)
	tuner := m.NewTuner(1e-3)
	rng := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		tuner.Step(b.Context(), x, nil, 1, 0.1, nil, rng)
	}
}
