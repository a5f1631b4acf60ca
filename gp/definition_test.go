package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestMedianDistance(t *testing.T) {
	line := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i)
		}
		return x
	}
	for _, c := range []struct {
		name string
		x    []float64
		d    int
		want float64
	}{
		{"three distances, 3, 7 and 10", []float64{0, 3, 10}, 1, 7},
		{"in the plane", []float64{0, 0, 3, 4, 6, 8}, 2, 5},
		{"equal points", []float64{2, 2, 2}, 1, 1},
		{"one point", []float64{2}, 1, 1},
		{"all of 99 rows", line(99), 1, 29},
		{"all of a hundred rows", line(100), 1, 30},
		{"every second of two hundred", line(200), 1, 60},
		{"every second of 101", line(101), 1, 30},
		{"every fourth of 301", line(301), 1, 92},
	} {
		if got := medianDistance(c.x, len(c.x)/c.d, c.d); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

func TestNewPrior(t *testing.T) {
	p := newPrior([]float64{0, 3, 10}, []float64{0, 2, 4}, 1)
	variance := math.Log(8. / 3)
	if p != (prior{variance - 4, variance, math.Log(7), 3}) {
		t.Errorf("prior %+v", p)
	}
}

// The loss of the exact GP's prior is that of normal distributions of the logarithms.
func TestExactPrior(t *testing.T) {
	e := NewExact(2, ExactOptions{})
	p := prior{noise: math.Log(0.01), outputscale: math.Log(0.7), lengthscale: math.Log(0.3), n: 5}
	values := []float64{0.5, 0.2, 2, 0.05} // two lengthscales, outputscale, noise
	ranges := []Range{lengthscales, lengthscales, outputscales, e.opts.Noise}
	want := 0.0
	theta := make([]float64, len(values))
	for i, mean := range []float64{p.lengthscale, p.lengthscale, p.outputscale, p.noise} {
		theta[i] = ranges[i].theta(values[i])
		deviation := 1.0
		if i < 2 {
			deviation = lengthscaleDeviation
		}
		d := (math.Log(values[i]) - mean) / deviation
		want += d * d / 2 / p.n
	}
	if got := e.addPrior(p, theta, make([]float64, len(theta))); math.Abs(got-want) > 1e-12 {
		t.Errorf("loss %g, want %g", got, want)
	}
}

// The loss of a mixture is the negated log marginal likelihood by its definition, up to a constant, with the mean that
// is best, and normal priors of the logarithms.
func TestMixtureLoss(t *testing.T) {
	const n = 5
	rng := rand.New(rand.NewPCG(1, 2))
	grams := make([][]float64, 2)
	for g := range grams {
		half := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				half.Set(i, j, rng.NormFloat64())
			}
		}
		var gram mat.Dense
		gram.Mul(half, half.T())
		grams[g] = gram.RawMatrix().Data
	}
	y, variance := []float64{3, 5, 4, 7, 6}, []float64{0, 0.1, 0.2, 0, 0.4}
	const scale = 1.7
	theta := []float64{math.Log(0.4), math.Log(0.9), math.Log(0.03)}

	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			v := 0.0
			for g := range grams {
				v += scale * math.Exp(theta[g]) * grams[g][i*n+j]
			}
			if i == j {
				v += scale*math.Exp(theta[2]) + variance[i]
			}
			k.SetSym(i, j, v)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(k) {
		t.Fatal("the covariance is not positive definite")
	}
	nats := func(mean float64) float64 {
		e, a := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			e.SetVec(i, y[i]-mean)
		}
		if err := chol.SolveVecTo(a, e); err != nil {
			t.Fatal(err)
		}
		return (mat.Dot(e, a) + chol.LogDet()) / 2
	}
	// A parabola in the mean: its vertex by three points.
	left, middle, right := nats(0), nats(5), nats(10)
	want := nats(5+5*(left-right)/2/(left-2*middle+right)) / n
	for i, prior := range [][2]float64{{math.Log(0.3), 3}, {math.Log(0.3), 3}, {math.Log(0.01), 2}} {
		d := (theta[i] - prior[0]) / prior[1]
		want += d * d / 2 / n
	}
	got, err := mixtureLoss(new(workspace), grams, nil, nil, y, variance, scale, nil, theta, make([]float64, 3))
	if err != nil || math.Abs(got-want) > 1e-9 {
		t.Errorf("loss %.12g (%v), want %.12g", got, err, want)
	}
}

func TestInterpolate(t *testing.T) {
	line := []float64{0, 1, 3}
	for _, c := range []struct {
		name     string
		from, to []float64
		at, want float64
	}{
		{"within", line, []float64{0, 10, 40}, 0.5, 5},
		{"at a point", line, []float64{0, 10, 40}, 1, 10},
		{"within the last segment", line, []float64{0, 10, 40}, 2, 25},
		{"beyond the end", line, []float64{0, 10, 40}, 5, 70},
		{"far beyond", line, []float64{0, 10, 40}, 100, 80},
		{"before the beginning", line, []float64{0, 10, 40}, -1, -10},
		{"far before", line, []float64{0, 10, 40}, -100, -40},
		{"a single point", []float64{2}, []float64{7}, 9, 7},
	} {
		if got := interpolate(c.from, c.to, c.at); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// LogSlope is the logarithm of the derivative: of the difference between scores that are close.
func TestLogSlope(t *testing.T) {
	const near = 1e-6
	y := []float64{0, 2, 2 + near, 3, 7, 7 + near, 10}
	for _, transform := range []Transform{Raw, Standardise, Log, Sqrt} {
		s := transform.Fit(y)
		u := s.Apply(y)
		for _, i := range []int{1, 4} {
			if got, want := s.LogSlope(y[i]), math.Log((u[i+1]-u[i])/near); math.Abs(got-want) > 1e-4 {
				t.Errorf("%v at %g: %g, want %g", transform, y[i], got, want)
			}
		}
	}
	y = []float64{-10, -7, -2 - near, -2, -1}
	s := LogDistance.Fit(y)
	u := s.Apply(y)
	if got, want := s.LogSlope(-2), math.Log((u[3]-u[2])/near); math.Abs(got-want) > 1e-4 {
		t.Errorf("log distance: %g, want %g", got, want)
	}
	if got := LogRanks.Fit(y).LogSlope(2); !math.IsNaN(got) {
		t.Errorf("ranks have slope %g", got)
	}
}

// The loss of the variational GP's prior is that of normal distributions of the logarithms and of the network's weights.
func TestSVGPPrior(t *testing.T) {
	g, err := New([][]float64{{1, 2}, {3, 4}}, Options{Features: []int{3, 2}}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	p := prior{noise: -3, outputscale: 0.5, lengthscale: 1, n: 7}
	want := 0.0
	for value, mean := range map[float64]float64{g.Noise(): p.noise, g.Outputscale() + 1e-12: p.outputscale, g.Lengthscale(): p.lengthscale} {
		d := math.Log(value) - mean
		want += d * d / 2 / p.n
	}
	for _, l := range g.params.Layers {
		variance := 1 / (3 * float64(l.In))
		for _, w := range append(append([]float64{}, l.Weight...), l.Bias...) {
			want += w * w / variance / 2 / p.n
		}
	}
	if got := p.add(g, newParams(2, 2, []int{3, 2})); math.Abs(got-want) > 1e-9 {
		t.Errorf("loss %.12g, want %.12g", got, want)
	}
}
