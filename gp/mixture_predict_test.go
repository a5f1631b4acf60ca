package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/gp"
)

// With one group of features a Mixture predicts what MinMax does, for more points and candidates than it takes at a time.
func TestMixturePredictsLikeMinMax(t *testing.T) {
	const points, candidates = 300, 1100
	rng := rand.New(rand.NewPCG(1, 1))
	var x []gp.Counts
	var groups [][]gp.Counts
	for range points + candidates {
		var c gp.Counts
		for id := range uint64(40) {
			if rng.IntN(3) == 0 {
				c.IDs, c.N = append(c.IDs, id), append(c.N, 1+uint32(rng.IntN(3)))
			}
		}
		x, groups = append(x, c), append(groups, []gp.Counts{c})
	}
	y := make([]float64, points)
	for i := range y {
		y[i] = rng.NormFloat64()
	}
	variance := make([]float64, points)
	for i := range variance {
		variance[i] = 0.3 * rng.Float64()
	}
	one, err := gp.FitMinMax(t.Context(), x[:points], y, variance)
	if err != nil {
		t.Fatal(err)
	}
	scale, noise, mean := one.Parameters()
	m := gp.NewMixture(terms(gp.Tanimoto), []float64{scale}, noise)
	if err := m.Add(groups[:points], variance); err != nil {
		t.Fatal(err)
	}
	if err := m.Target(y, mean); err != nil {
		t.Fatal(err)
	}
	wantMu, wantSigma2 := one.Predict(x[points:])
	mu, sigma2 := m.Predict(groups[points:])
	if len(mu) != candidates || len(sigma2) != candidates {
		t.Fatalf("%d means and %d variances, want %d", len(mu), len(sigma2), candidates)
	}
	for i := range mu {
		if !(math.Abs(mu[i]-wantMu[i]) <= 1e-9 && math.Abs(sigma2[i]-wantSigma2[i]) <= 1e-9) {
			t.Fatalf("candidate %d: %g and %g, want %g and %g", i, mu[i], sigma2[i], wantMu[i], wantSigma2[i])
		}
	}
}

// What points were predicted as is the prediction of a Mixture that holds only those before.
func TestBefore(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	x, y := grouped(rng, 40, 2)
	variance := make([]float64, len(x))
	for i := range variance {
		variance[i] = rng.Float64()
	}
	const mean, noise = 0.3, 0.1
	weights := []float64{1, 0.5}
	m := mixture(t, bothKernels, weights, noise, x, y, variance, mean)
	points, known := []int{39, 17, 5, 0}, []int{30, 17, 3, 0}
	mu, sigma2 := m.Before(points, known)
	for i, p := range points {
		wantMean, wantVariance := []float64{mean}, []float64{m.Prior()}
		if k := known[i]; k > 0 {
			wantMean, wantVariance = mixture(t, bothKernels, weights, noise, x[:k], y[:k], variance[:k], mean).Predict(x[p : p+1])
		}
		if d := math.Abs(mu[i] - wantMean[0]); d > 1e-9 {
			t.Errorf("point %d given %d: mean %g, want %g", p, known[i], mu[i], wantMean[0])
		}
		if want := wantVariance[0] + noise + variance[p]; math.Abs(sigma2[i]-want) > 1e-9 {
			t.Errorf("point %d given %d: variance %g, want %g", p, known[i], sigma2[i], want)
		}
	}
	if mu, sigma2 := m.Before(nil, nil); mu != nil || sigma2 != nil {
		t.Errorf("no points: %v and %v", mu, sigma2)
	}
}
