package grammar

import (
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// BenchmarkTrainingStep is one step of pre-training at the published sizes.
func BenchmarkTrainingStep(b *testing.B) {
	m, err := newModel(cfg.Expression(), Config{})
	if err != nil {
		b.Fatal(err)
	}
	r := newTrainer(m, Training{Batch: 600}.withDefaults())
	rng := rand.New(rand.NewPCG(1, 1))
	r.net.params.Init(rng)
	x, err := cfg.RandomExpressions(rng, 600)
	if err != nil {
		b.Fatal(err)
	}
	rules, err := m.derivations.all(x)
	if err != nil {
		b.Fatal(err)
	}
	step := func() {
		r.pass(permute(rules, longestFirst(rules)), 1, rng, nn.BatchNorm.Batch)
		r.tape.Backward()
		r.Adam.Step(&r.net.params)
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
