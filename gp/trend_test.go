package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The slopes are the posterior means given the fitted hyperparameters: those of the Gaussian process whose covariance has the trend's as a
// part, with a constant mean of which nothing is known.
func TestTrendDefinition(t *testing.T) {
	const n = 30
	rng := rand.New(rand.NewPCG(1, 0))
	x, y, trend := make([][]Counts, n), make([]float64, n), make([][]float64, n)
	for i := range x {
		x[i] = []Counts{{IDs: []uint64{uint64(i % 7), uint64(10 + i%5)}, N: []uint32{1, 2}}}
		trend[i] = []float64{float64(i % 4), 5, rng.NormFloat64()}
		y[i] = 3 - 0.7*trend[i][0] + 0.4*trend[i][2] + math.Sin(float64(i%7)) + 0.1*rng.NormFloat64()
	}
	terms := []Term{{Kernel: Tanimoto, Groups: []int{0}}}
	m, slopes, err := FitTrend(t.Context(), terms, x, y, nil, trend)
	if err != nil {
		t.Fatal(err)
	}
	k := mat.NewDense(n, n, nil)
	_, deviation := meanDeviation(y)
	columns := centred(trend)
	for i := range n {
		for j := range n {
			v := m.Weights()[0] * terms[0].Similarity(x[i], x[j])
			for _, c := range columns {
				v += deviation * deviation * c[i] * c[j]
			}
			if i == j {
				v += m.Noise()
			}
			k.Set(i, j, v)
		}
	}
	var solved, ones mat.VecDense
	one := mat.NewVecDense(n, nil)
	for i := range n {
		one.SetVec(i, 1)
	}
	target := mat.NewVecDense(n, y)
	if solved.SolveVec(k, target) != nil || ones.SolveVec(k, one) != nil {
		t.Fatal("the covariance is singular")
	}
	solved.AddScaledVec(&solved, -mat.Dot(one, &solved)/mat.Dot(one, &ones), &ones)
	for j, c := range columns {
		if want := deviation * deviation * mat.Dot(mat.NewVecDense(n, c), &solved); math.Abs(slopes[j]-want) > 1e-7 {
			t.Errorf("slope %d is %g, want %g", j, slopes[j], want)
		}
	}
	if slopes[1] != 0 {
		t.Errorf("slope %g of numbers that are all the same, want 0", slopes[1])
	}
	if math.Abs(slopes[0]+0.7) > 0.2 || math.Abs(slopes[2]-0.4) > 0.2 {
		t.Errorf("slopes %v, want about -0.7 and 0.4", slopes)
	}
	mu, _ := m.Predict(x[:1])
	if got := mu[0] + slopes[0]*trend[0][0] + slopes[2]*trend[0][2]; math.Abs(got-y[0]) > 0.5 {
		t.Errorf("prediction %g at a point of %g", got, y[0])
	}
}

// Refitted parameters explain the data about as well as those fitted from the beginning, and fewer evaluations find them.
func TestRefitTrend(t *testing.T) {
	const n, some = 120, 60
	rng := rand.New(rand.NewPCG(3, 0))
	x, y, trend := make([][]Counts, n), make([]float64, n), make([][]float64, n)
	effects := make([]float64, 30)
	for i := range effects {
		effects[i] = 20 * rng.NormFloat64()
	}
	for i := range x {
		var c Counts
		trend[i] = []float64{rng.NormFloat64()}
		y[i] = 100 + 5*trend[i][0] + rng.NormFloat64()
		for id, effect := range effects {
			if rng.IntN(3) == 0 {
				c.IDs, c.N = append(c.IDs, uint64(id)), append(c.N, 1)
				y[i] += effect
			}
		}
		x[i] = []Counts{c}
	}
	terms := []Term{{Kernel: Tanimoto}, {Kernel: Overlap}, {Kernel: Sparse}}
	first, _, err := FitTrend(t.Context(), terms, x[:some], y[:some], nil, trend[:some])
	if err != nil {
		t.Fatal(err)
	}
	fresh, _, err := FitTrend(t.Context(), terms, x, y, nil, trend)
	if err != nil {
		t.Fatal(err)
	}
	again, slopes, err := RefitTrend(t.Context(), first, x, y, nil, trend)
	if err != nil {
		t.Fatal(err)
	}
	// Of the errors of predictions that leave their point out, in nats of a normal distribution each.
	density := func(m *Mixture) (sum float64) {
		mu, sigma2 := m.LeaveOneOut()
		for i := range mu {
			d := m.y[i] - mu[i]
			sum -= d*d/sigma2[i]/2 + math.Log(sigma2[i])/2
		}
		return sum / n
	}
	if a, b := density(again), density(fresh); a < b-0.05 {
		t.Errorf("refitted, a point has %.3f nats, fitted from the beginning %.3f", a, b)
	}
	if math.Abs(slopes[0]-5) > 0.5 {
		t.Errorf("slope %g, want 5 or so", slopes[0])
	}
	if first.Len() != some {
		t.Errorf("what was given has %d points now, want %d", first.Len(), some)
	}
}
