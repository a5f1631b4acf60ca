package gp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/gp"
)

// deep is the surrogate of the benchmarks: 100 inducing points and, on 25 dimensions, two layers as wide.
func deep(b *testing.B, n int) (g *gp.SVGP, x [][]float64, y []float64) {
	b.Helper()
	x, y = wave(n, 25, 0.1, rand.New(rand.NewPCG(1, 2)))
	g, err := gp.New(x, gp.Options{Inducing: 100, Features: []int{25, 25}}, rand.New(rand.NewPCG(3, 4)))
	if err != nil {
		b.Fatal(err)
	}
	return g, x, y
}

func BenchmarkLoss(b *testing.B) {
	for _, n := range []int{100, 600, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			g, x, y := deep(b, n)
			for b.Loop() {
				if _, _, err := g.Loss(x, y, nil, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFit/warm adds five points to data that were fitted before.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{100, 600, 1000} {
		b.Run(fmt.Sprintf("cold/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				g, x, y := deep(b, n)
				if _, err := g.Fit(b.Context(), x, y, gp.FitOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("warm/n=%d", n), func(b *testing.B) {
			g, x, y := deep(b, n)
			k := 0
			for b.Loop() {
				m := n - 5*(k%2)
				k++
				if _, err := g.Fit(b.Context(), x[:m], y[:m], gp.FitOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkExactFit reports the time of one evaluation of the likelihood and its gradient.
func BenchmarkExactFit(b *testing.B) {
	for _, n := range []int{100, 600, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, y := wave(n, 40, 0.1, rand.New(rand.NewPCG(1, 2)))
			evaluations := 0
			for b.Loop() {
				used, err := gp.NewExact(40, gp.ExactOptions{}).Fit(b.Context(), x, y, gp.FitOptions{Evaluations: 10})
				if err != nil {
					b.Fatal(err)
				}
				evaluations += used
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(evaluations), "ms/evaluation")
		})
	}
}

func BenchmarkDraw(b *testing.B) {
	candidates, _ := wave(5000, 25, 0, rand.New(rand.NewPCG(5, 6)))
	g, x, y := deep(b, 600)
	e := gp.NewExact(25, gp.ExactOptions{})
	for name, f := range map[string]fitter{"sparse": g, "exact": e} {
		b.Run(name, func(b *testing.B) {
			if _, err := f.Fit(b.Context(), x, y, gp.FitOptions{Evaluations: 5}); err != nil {
				b.Fatal(err)
			}
			p, err := f.Posterior()
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(7, 8))
			for b.Loop() {
				if _, err := p.Sample(5, rng).At(candidates); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkJoint(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			candidates, _ := wave(n, 25, 0, rand.New(rand.NewPCG(5, 6)))
			g, _, _ := deep(b, 600)
			p, err := g.Posterior()
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(7, 8))
			for b.Loop() {
				if _, err := p.Joint(5, p.Noise(), rng).At(candidates); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMixtureAdd adds 1,000 structures in batches of five, and 2,000 at once.
func BenchmarkMixtureAdd(b *testing.B) {
	x, _ := grouped(rand.New(rand.NewPCG(1, 2)), 2000, 2)
	for name, batch := range map[string]int{"five": 5, "all": len(x)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m := gp.NewMixture(bothKernels, []float64{1, 0.5}, 0.1)
				for some := range slices.Chunk(x[:min(len(x), 200*batch)], batch) {
					if err := m.Add(some, nil); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkMixturePredict predicts a generation of 120 children from 1,500 structures.
func BenchmarkMixturePredict(b *testing.B) {
	x, _ := grouped(rand.New(rand.NewPCG(1, 2)), 1620, 2)
	m := gp.NewMixture(bothKernels, []float64{1, 0.5}, 0.1)
	if err := m.Add(x[120:], nil); err != nil {
		b.Fatal(err)
	}
	if err := m.Target(make([]float64, 1500), 0); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m.Predict(x[:120])
	}
}

// BenchmarkMixtureFit fits hyperparameters to 600 structures, with as many terms as molecules have.
func BenchmarkMixtureFit(b *testing.B) {
	x, y := grouped(rand.New(rand.NewPCG(1, 2)), 600, 2)
	var terms []gp.Term
	for range 5 {
		terms = append(terms, bothKernels...)
	}
	for b.Loop() {
		if _, err := gp.FitMixture(b.Context(), terms, x, y, nil); err != nil {
			b.Fatal(err)
		}
	}
}
