package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The slopes are the posterior means given the fitted hyperparameters: those of the Gaussian process whose covariance
// has the trend's as a part, with a constant mean that has a flat prior. Slopes above 0 become 0 where the trend only
// falls.
func TestTrendDefinition(t *testing.T) {
	const n = 30
	rng := rand.New(rand.NewPCG(1, 0))
	x, y, trend := make([][]Counts, n), make([]float64, n), make([][]float64, n)
	for i := range x {
		x[i] = []Counts{{IDs: []uint64{uint64(i % 7), uint64(10 + i%5)}, N: []uint32{1, 2}}}
		trend[i] = []float64{float64(i % 4), 5, rng.NormFloat64(), rng.NormFloat64()}
		y[i] = 3 - 0.7*trend[i][0] - 0.4*trend[i][2] + 0.3*trend[i][3] + math.Sin(float64(i%7)) + 0.1*rng.NormFloat64()
	}
	terms := []Term{{Kernel: Tanimoto, Groups: []int{0}}}
	s, err := NewStructures(terms, x, trend)
	if err != nil {
		t.Fatal(err)
	}
	_, rising, err := s.Fit(t.Context(), y, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Falling = true
	m, slopes, err := s.Fit(t.Context(), y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if rising[0] != slopes[0] || rising[2] != slopes[2] || math.Abs(rising[3]-0.3) > 0.2 {
		t.Errorf("slopes %v where they may rise, want those that fall, %v, and about 0.3", rising, slopes)
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
		if want := min(0, deviation*deviation*mat.Dot(mat.NewVecDense(n, c), &solved)); math.Abs(slopes[j]-want) > 1e-7 {
			t.Errorf("slope %d is %g, want %g", j, slopes[j], want)
		}
	}
	if slopes[1] != 0 {
		t.Errorf("slope %g of numbers that are all the same, want 0", slopes[1])
	}
	if math.Abs(slopes[0]+0.7) > 0.2 || math.Abs(slopes[2]+0.4) > 0.2 || slopes[3] != 0 {
		t.Errorf("slopes %v, want about -0.7 and -0.4, and 0 of numbers that scores rise with", slopes)
	}
	mu, _ := m.Predict(x[:1])
	if got := mu[0] + slopes[0]*trend[0][0] + slopes[2]*trend[0][2]; math.Abs(got-y[0]) > 0.5 {
		t.Errorf("prediction %g at a point of %g", got, y[0])
	}
}
