package gp_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/gp"
)

// similarity is the kernel as its formula has it.
func similarity(a, b gp.Counts) float64 {
	n := map[uint64][2]float64{}
	for i, id := range a.IDs {
		n[id] = [2]float64{float64(a.N[i]), 0}
	}
	for i, id := range b.IDs {
		n[id] = [2]float64{n[id][0], float64(b.N[i])}
	}
	var least, most float64
	for _, pair := range n {
		least += min(pair[0], pair[1])
		most += max(pair[0], pair[1])
	}
	if most == 0 {
		return 1
	}
	return least / most
}

func TestMinMaxKernel(t *testing.T) {
	a := gp.Counts{IDs: []uint64{1, 2}, N: []uint32{2, 1}}
	b := gp.Counts{IDs: []uint64{1, 3}, N: []uint32{1, 4}}
	for _, c := range []struct {
		name string
		a, b gp.Counts
		want float64
	}{
		{"1 shared of 7", a, b, 1. / 7},
		{"the other way round", b, a, 1. / 7},
		{"equal", b, b, 1},
		{"nothing in common", a, gp.Counts{IDs: []uint64{9}, N: []uint32{1}}, 0},
		{"one empty", a, gp.Counts{}, 0},
		{"both empty", gp.Counts{}, gp.Counts{}, 1},
	} {
		if got := gp.Covariances(1, []gp.Counts{c.a}, []gp.Counts{c.b})[0]; math.Abs(got-c.want) > 1e-12 || math.Abs(similarity(c.a, c.b)-c.want) > 1e-12 {
			t.Errorf("%s: similarity %g, want %g", c.name, got, c.want)
		}
	}
}

// structures are random counts, and a score that depends on two of their features.
func structures(rng *rand.Rand, n int) ([]gp.Counts, []float64) {
	x, y := make([]gp.Counts, n), make([]float64, n)
	for i := range x {
		for id := range uint64(12) {
			if c := rng.IntN(4); c > 0 {
				x[i].IDs, x[i].N = append(x[i].IDs, id), append(x[i].N, uint32(c))
				if id < 2 {
					y[i] += float64(c)
				}
			}
		}
	}
	return x, y
}

// The prediction with the fitted parameters is the textbook's (Rasmussen & Williams 2006, Algorithm 2.1).
func TestMinMaxPredictsAsTheFormula(t *testing.T) {
	const n = 20
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := structures(rng, n)
	test, _ := structures(rng, 5)
	g, err := gp.FitMinMax(t.Context(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	mu, sigma2 := g.Predict(test)
	scale, noise, mean := g.Parameters()
	residual := mat.NewVecDense(n, nil)
	for i, v := range y {
		residual.SetVec(i, v-mean)
	}
	k := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			k.Set(i, j, scale*similarity(x[i], x[j]))
		}
		k.Set(i, i, k.At(i, i)+noise)
	}
	for j := range test {
		v := mat.NewVecDense(n, nil)
		for i := range n {
			v.SetVec(i, scale*similarity(x[i], test[j]))
		}
		var w mat.VecDense
		if err := w.SolveVec(k, v); err != nil {
			t.Fatal(err)
		}
		if want := mean + mat.Dot(&w, residual); math.Abs(mu[j]-want) > 1e-10 {
			t.Errorf("mean %d: %g, want %g", j, mu[j], want)
		}
		if want := scale - mat.Dot(&w, v); math.Abs(sigma2[j]-want) > 1e-10 {
			t.Errorf("variance %d: %g, want %g", j, sigma2[j], want)
		}
	}
}

func TestMinMaxLearns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := structures(rng, 150)
	test, truth := structures(rng, 100)
	for _, c := range []struct {
		name       string
		noise      float64 // added to y
		least      float64 // correlation of predictions with the truth
		low, great float64 // ratio of noise to signal
	}{
		{"without noise", 0, 0.9, 0, 0.01},
		{"with noise", 2, 0.5, 0.03, 11},
	} {
		noisy := make([]float64, len(y))
		for i := range y {
			noisy[i] = 5 + y[i] + c.noise*rng.NormFloat64()
		}
		g, err := gp.FitMinMax(t.Context(), x, noisy, nil)
		if err != nil {
			t.Fatal(err)
		}
		mu, _ := g.Predict(test)
		if r := stat.Correlation(mu, truth, nil); r < c.least {
			t.Errorf("%s: correlation %.3f of predictions with the truth, want %g at least", c.name, r, c.least)
		}
		if ratio := g.Noise() / g.Scale(); ratio < c.low || ratio > c.great {
			t.Errorf("%s: noise to signal %g, want from %g to %g", c.name, ratio, c.low, c.great)
		}
	}
}

// The unit of the targets does not matter, however small; equal targets leave a little doubt.
func TestMinMaxUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	x, y := structures(rng, 50)
	test, _ := structures(rng, 10)
	fitted := func(y []float64) (*gp.MinMax, []float64) {
		g, err := gp.FitMinMax(t.Context(), x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		mu, sigma2 := g.Predict(test)
		return g, append(mu, sigma2...)
	}
	const unit = 0x1p-40
	_, want := fitted(y)
	g, got := fitted(scaled(y, unit))
	for j := range test {
		got[j] /= unit
		got[len(test)+j] /= unit * unit
	}
	near(t, "mu, sigma2", got, want, 1e-9)
	if !(g.Scale() < 1e-20) {
		t.Errorf("scale %g of targets of %g", g.Scale(), unit)
	}
	for _, c := range []float64{0, 0.1, -7e50} {
		if g, got := fitted(slices.Repeat([]float64{c}, len(x))); g.Scale() != 1e-12 || math.Abs(got[0]-c) > 1e-12*math.Abs(c) {
			t.Errorf("all targets %g: scale %g and mean %g", c, g.Scale(), got[0])
		}
	}
	known := slices.Repeat([]float64{1e12}, len(x))
	if _, err := gp.FitMinMax(t.Context(), x, slices.Repeat([]float64{2}, len(x)), known); err != nil {
		t.Errorf("equal targets of great known variance: %v", err)
	}
}

// Draws have the mean and the variance of Predict, and equal structures have equal values, in one call and in
// successive ones.
func TestMinMaxJoint(t *testing.T) {
	x, y := structures(rand.New(rand.NewPCG(5, 6)), 30)
	g, err := gp.FitMinMax(t.Context(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	test, _ := structures(rand.New(rand.NewPCG(7, 8)), 4)
	test = append(test, gp.Counts{}, test[0], gp.Counts{})
	mu, sigma2 := g.Predict(test)
	const k = 4000
	products := map[string]float64{} // covariance of the first two, which both ways must have
	for name, calls := range map[string][]int{"joint": {len(test)}, "successive": {1, 3, len(test)}} {
		d := g.Joint(k, rand.New(rand.NewPCG(9, 10)))
		draws := make([][]float64, k)
		lo := 0
		for _, hi := range calls {
			part, err := d.At(test[lo:hi])
			if err != nil {
				t.Fatal(err)
			}
			for i := range draws {
				draws[i] = append(draws[i], part[i]...)
			}
			lo = hi
		}
		for j := range test {
			column := make([]float64, k)
			for i := range draws {
				column[i] = draws[i][j]
				for _, equal := range [][2]int{{0, 5}, {4, 6}} {
					if d := draws[i][equal[0]] - draws[i][equal[1]]; math.Abs(d) > 0.02 || name == "successive" && equal[0] == 0 && d != 0 {
						t.Fatalf("%s: draw %d differs by %g between equal structures", name, i, d)
					}
				}
			}
			// four standard errors of a mean and of a variance
			mean, variance := stat.MeanVariance(column, nil)
			if math.Abs(mean-mu[j]) > 4*math.Sqrt(sigma2[j]/k) {
				t.Errorf("%s: mean of draws at %d: %g, want %g", name, j, mean, mu[j])
			}
			if math.Abs(variance/sigma2[j]-1) > 4*math.Sqrt(2./k) {
				t.Errorf("%s: variance of draws at %d: %g, want %g", name, j, variance, sigma2[j])
			}
		}
		for i := range draws {
			products[name] += (draws[i][0] - mu[0]) * (draws[i][1] - mu[1]) / k
		}
	}
	if bound := 5 * math.Sqrt(4*sigma2[0]*sigma2[1]/k); math.Abs(products["joint"]-products["successive"]) > bound { // five standard errors of the difference, at most
		t.Errorf("covariances %v differ by more than %g", products, bound)
	}
}

func TestMinMaxErrors(t *testing.T) {
	x, y := structures(rand.New(rand.NewPCG(7, 8)), 3)
	if _, err := gp.FitMinMax(t.Context(), nil, nil, nil); !errors.Is(err, gp.ErrData) {
		t.Errorf("no data: %v, want ErrData", err)
	}
	y[1] = math.NaN()
	if _, err := gp.FitMinMax(t.Context(), x, y, nil); !errors.Is(err, gp.ErrData) {
		t.Errorf("NaN: %v, want ErrData", err)
	}
	y[1] = 0
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gp.FitMinMax(ctx, x, y, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, want context.Canceled", err)
	}
}
