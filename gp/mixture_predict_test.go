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

// Draws have the posterior's means and covariances: the variance of a sum of two values is that of both and twice their
// covariance, which conditioning on one of them at its mean shows.
func TestJointDraws(t *testing.T) {
	const draws, widen = 40_000, 1.5
	x, y := grouped(rand.New(rand.NewPCG(51, 52)), 30, 2)
	m := mixture(t, bothKernels, []float64{1, 0.5}, 0.1, x[:20], y[:20], nil, 0.3)
	f, err := m.Joint(x[20:], draws, widen, rand.New(rand.NewPCG(53, 54)))
	if err != nil {
		t.Fatal(err)
	}
	b := m.Block(x[20:])
	mean, before := b.Mean, append([]float64(nil), b.Variance...)
	defer m.Truncate(20)
	b.Condition(0, 0)
	for i := range mean {
		var sum, squares, products float64
		for _, draw := range f {
			d, first := (draw[i]-mean[i])/widen, (draw[0]-mean[0])/widen
			sum, squares, products = sum+d, squares+d*d, products+d*first
		}
		// Conditioning takes the squared covariance over the variance with noise off.
		covariance := math.Sqrt(max(0, before[i]-b.Variance[i]) * (before[0] + m.Noise()))
		const sigmas = 5
		tolerance := sigmas * math.Sqrt(2*before[i]*before[0]/draws)
		if d := math.Abs(sum / draws); d > sigmas*math.Sqrt(before[i]/draws)+1e-9 {
			t.Errorf("structure %d: the mean is off by %g", i, d)
		}
		if d := math.Abs(squares/draws - before[i]); d > sigmas*before[i]*math.Sqrt(2.0/draws)+1e-5 {
			t.Errorf("structure %d: the variance is off by %g of %g", i, d, before[i])
		}
		if d := math.Abs(math.Abs(products/draws) - covariance); d > tolerance+1e-5 {
			t.Errorf("structure %d: the covariance with the first is %g, want ±%g", i, products/draws, covariance)
		}
	}
}
