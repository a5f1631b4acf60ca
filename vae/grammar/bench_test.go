package grammar

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/internal/neural"
)

// BenchmarkTrainingStep is one step of pre-training at the published sizes.
func BenchmarkTrainingStep(b *testing.B) {
	m, err := newModel(cfg.Expression(), Config{})
	if err != nil {
		b.Fatal(err)
	}
	m.training = Training{Batch: 600}.withDefaults()
	r := &trainer{Trainer: neural.NewTrainer(&m.base, 1, whole, m.training.LR), model: m}
	rng := rand.New(rand.NewPCG(1, 1))
	m.Net.params.Init(rng)
	x, err := cfg.RandomExpressions(rng, 600)
	if err != nil {
		b.Fatal(err)
	}
	rules, err := m.SplitAll(x)
	if err != nil {
		b.Fatal(err)
	}
	step := func() {
		r.gradient(rules, rng)
		r.Update(math.Inf(1))
	}
	step() // allocates the tape's memory
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}

// hundred returns the built-in model with a hundred strings and their latents.
func hundred(b *testing.B) (*Model, []string, [][]float64) {
	m, err := Expression()
	if err != nil {
		b.Fatal(err)
	}
	x, err := cfg.RandomExpressions(rand.New(rand.NewPCG(1, 1)), 100)
	if err != nil {
		b.Fatal(err)
	}
	z, _, err := m.Encode(b.Context(), x)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return m, x, z
}

func BenchmarkEncode(b *testing.B) {
	m, x, _ := hundred(b)
	for b.Loop() {
		m.Encode(b.Context(), x)
	}
}

func BenchmarkDecode(b *testing.B) {
	m, _, z := hundred(b)
	for b.Loop() {
		m.Decode(b.Context(), z)
	}
}

// BenchmarkReconstruct is one iteration of inversion: loss, certificate and gradient in z.
func BenchmarkReconstruct(b *testing.B) {
	m, x, z := hundred(b)
	grad := make([][]float64, len(z))
	for i := range grad {
		grad[i] = make([]float64, m.Dim())
	}
	for b.Loop() {
		m.Reconstruct(b.Context(), z, x, vae.CrossEntropy, grad)
	}
}
