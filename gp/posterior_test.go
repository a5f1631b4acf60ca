package gp_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/invbo/invbo/gp"
	"gonum.org/v1/gonum/mat"
)

// wave returns inputs in [−1, 1]ᵈ and a smooth function of them with noise of the given deviation.
func wave(n, d int, noise float64, rng *rand.Rand) (x [][]float64, y []float64) {
	for range n {
		row := make([]float64, d)
		for j := range row {
			row[j] = 2*rng.Float64() - 1
		}
		x = append(x, row)
		y = append(y, math.Sin(3*row[0])+row[d-1]*row[d-1]+noise*rng.NormFloat64())
	}
	return x, y
}

func newSVGP(t *testing.T, x [][]float64, opts gp.Options) *gp.SVGP {
	t.Helper()
	g, err := gp.New(x, opts, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func posterior(t *testing.T, g interface{ Posterior() (*gp.Posterior, error) }) *gp.Posterior {
	t.Helper()
	p, err := g.Posterior()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func predict(t *testing.T, p *gp.Posterior, x [][]float64) (mu, sigma2 []float64) {
	t.Helper()
	mu, sigma2, err := p.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	return mu, sigma2
}

// near reports where got and want differ by more than tolerance.
func near(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("%s: value %d is %g, want %g ± %g", name, i, got[i], want[i], tolerance)
		}
	}
}

func TestPosteriorOfPriorIsPrior(t *testing.T) {
	x, _ := wave(30, 3, 0, rand.New(rand.NewPCG(3, 4)))
	g := newSVGP(t, x, gp.Options{Inducing: 10})
	clear(g.Params().Mean) // S = I already
	*g.Params().Constant = 0.7
	p := posterior(t, g)
	mu, sigma2 := predict(t, p, x)
	cov, err := p.Covariance(x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x {
		near(t, "mu, sigma2", []float64{mu[i], sigma2[i]}, []float64{0.7, g.Outputscale() + 1e-6}, 1e-12)
		for j := range i {
			want := g.Outputscale() * math.Exp(-squaredDistance(x[i], x[j])/2/(g.Lengthscale()*g.Lengthscale()))
			near(t, "covariance", cov[i*len(x)+j:i*len(x)+j+1], []float64{want}, 1e-12)
		}
	}
}

func squaredDistance(a, b []float64) float64 {
	var s float64
	for i := range a {
		s += (a[i] - b[i]) * (a[i] - b[i])
	}
	return s
}

// With S = 0 the function is known at the inducing points: u = L·mean + constant.
func TestPosteriorPassesThroughInducingValues(t *testing.T) {
	x, _ := wave(8, 3, 0, rand.New(rand.NewPCG(3, 4)))
	g := newSVGP(t, x, gp.Options{Jitter: 1e-9})
	for i := range g.Params().Mean {
		g.Params().Mean[i] = float64(i) - 3
	}
	clear(g.Params().Chol)
	p := posterior(t, g)
	n := len(x)
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			k.SetSym(i, j, g.Outputscale()*math.Exp(-squaredDistance(x[i], x[j])/2/(g.Lengthscale()*g.Lengthscale())))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(k) {
		t.Fatal("the test's own matrix is singular")
	}
	var l mat.TriDense
	chol.LTo(&l)
	var u mat.VecDense
	u.MulVec(&l, mat.NewVecDense(n, g.Params().Mean))
	mu, sigma2 := predict(t, p, x)
	near(t, "mu", mu, u.RawVector().Data, 1e-5)
	near(t, "sigma2", sigma2, make([]float64, n), 1e-7)
	f, err := first(p.Sample(1, rand.New(rand.NewPCG(5, 6))).At(x))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "draw", f, u.RawVector().Data, 1e-3) // √jitter is what a draw is off by
}

// known returns a sparse and an exact posterior that know something, and points to look at.
func known(t *testing.T) (posteriors map[string]*gp.Posterior, x [][]float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	data, y := wave(25, 2, 0.1, rng)
	sparse := newSVGP(t, data, gp.Options{Inducing: 12, Features: []int{2}})
	exact := gp.NewExact(2, gp.ExactOptions{})
	for name, fit := range map[string]fitter{"sparse": sparse, "exact": exact} {
		if _, err := fit.Fit(t.Context(), data, y, gp.FitOptions{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	near, _ := wave(5, 2, 0, rng)
	x = append(near, []float64{2, 2}, []float64{-6, 5}) // the last two where little is known
	return map[string]*gp.Posterior{"sparse": posterior(t, sparse), "exact": posterior(t, exact)}, x
}

// Draws are functions with the mean and the covariance of the posterior, whichever way they are made.
func TestDrawsHaveThePosteriorsMoments(t *testing.T) {
	const draws = 1500
	posteriors, x := known(t)
	n := len(x)
	for name, p := range posteriors {
		mu, _ := predict(t, p, x)
		cov, err := p.Covariance(x)
		if err != nil {
			t.Fatal(err)
		}
		ways := map[string]struct {
			noise float64
			draw  func(rng *rand.Rand) ([]float64, error)
		}{
			"pathwise":              {0, func(rng *rand.Rand) ([]float64, error) { return first(p.Sample(1, rng).At(x)) }},
			"joint":                 {0, func(rng *rand.Rand) ([]float64, error) { return first(p.Joint(1, 0, rng).At(x)) }},
			"successive":            {0, func(rng *rand.Rand) ([]float64, error) { return successive(p.Joint(1, 0, rng), x) }},
			"observed successively": {p.Noise(), func(rng *rand.Rand) ([]float64, error) { return successive(p.Joint(1, p.Noise(), rng), x) }},
			"observed":              {p.Noise(), func(rng *rand.Rand) ([]float64, error) { return first(p.Joint(1, p.Noise(), rng).At(x)) }},
		}
		for way, test := range ways {
			t.Run(name+" "+way, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(9, 10))
				sum, products := make([]float64, n), make([]float64, n*n)
				for range draws {
					f, err := test.draw(rng)
					if err != nil {
						t.Fatal(err)
					}
					for i := range n {
						sum[i] += f[i] - mu[i]
						for j := range n {
							products[i*n+j] += (f[i] - mu[i]) * (f[j] - mu[j])
						}
					}
				}
				for i := range n {
					vi := cov[i*n+i] + test.noise
					// five standard errors of a mean, and of a product of two normal numbers
					if got, bound := sum[i]/draws, 5*math.Sqrt(vi/draws); !(math.Abs(got) <= bound) {
						t.Errorf("mean at point %d is off by %g, want at most %g", i, got, bound)
					}
					for j := range n {
						want := cov[i*n+j]
						if i == j {
							want = vi
						}
						got, bound := products[i*n+j]/draws, 5*math.Sqrt((vi*(cov[j*n+j]+test.noise)+want*want)/draws)
						if !(math.Abs(got-want) <= bound) {
							t.Errorf("covariance of points %d and %d is %g, want %g ± %g", i, j, got, want, bound)
						}
					}
				}
			})
		}
	}
}

// successive evaluates the first of d in three calls: at one point, at three, and at the others.
func successive(d *gp.JointDraws[[]float64], x [][]float64) ([]float64, error) {
	var f []float64
	for _, part := range [][][]float64{x[:1], x[1:4], x[4:]} {
		more, err := first(d.At(part))
		if err != nil {
			return nil, err
		}
		f = append(f, more...)
	}
	return f, nil
}

func first(draws [][]float64, err error) ([]float64, error) {
	if err != nil {
		return nil, err
	}
	return draws[0], nil
}

func TestDrawsAreFunctions(t *testing.T) {
	posteriors, x := known(t)
	for name, p := range posteriors {
		d := p.Sample(3, rand.New(rand.NewPCG(1, 1)))
		all, err := d.At(x)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i, row := range x {
			wg.Go(func() {
				one, err := d.At([][]float64{row})
				if err != nil {
					t.Error(err)
					return
				}
				for k := range all {
					if math.Abs(one[k][0]-all[k][i]) > 1e-10 {
						t.Errorf("%s: draw %d at point %d alone is %g, among others %g", name, k, i, one[k][0], all[k][i])
					}
				}
			})
		}
		wg.Wait()
		if all[0][0] == all[1][0] || all[1][0] == all[2][0] {
			t.Errorf("%s: two draws agree", name)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for k := range all {
			f, err := p.Sample(1, rng).At(x)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(f[0], all[k]) {
				t.Errorf("%s: draw %d is %g alone, %g among others", name, k, f[0], all[k])
			}
		}
	}
}

func TestPosteriorRefusesBadInputs(t *testing.T) {
	posteriors, _ := known(t)
	for name, p := range posteriors {
		d := p.Sample(1, rand.New(rand.NewPCG(1, 1)))
		for what, x := range map[string][][]float64{
			"no rows": nil, "a short row": {{1, 2}, {1}}, "NaN": {{math.NaN(), 0}}, "infinity": {{0, math.Inf(-1)}}, "a number whose square overflows": {{1e200, 0}},
		} {
			_, _, predict := p.Predict(x)
			_, covariance := p.Covariance(x)
			_, joint := p.Joint(1, 0, rand.New(rand.NewPCG(1, 1))).At(x)
			_, at := d.At(x)
			for _, err := range []error{predict, covariance, joint, at} {
				if !errors.Is(err, gp.ErrData) {
					t.Errorf("%s: %s: error %v, want ErrData", name, what, err)
				}
			}
		}
	}
}

// Repeated candidates make a singular covariance, which jitter mends.
func TestJointOfRepeatedPoints(t *testing.T) {
	posteriors, x := known(t)
	for name, p := range posteriors {
		draws, err := p.Joint(2, 0, rand.New(rand.NewPCG(1, 1))).At(append(x, x...))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range draws {
			near(t, name, f[:len(x)], f[len(x):], 0.02)
		}
	}
}

// A draw has one value at a point, whenever it is asked for, and nearly the same next to it. Observations are new each
// time.
func TestJointDrawsKeepTheirValues(t *testing.T) {
	posteriors, x := known(t)
	for name, p := range posteriors {
		d := p.Joint(3, 0, rand.New(rand.NewPCG(1, 1)))
		before, err := d.At(x)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.At([][]float64{{1}}); !errors.Is(err, gp.ErrData) {
			t.Errorf("%s: error %v, want ErrData", name, err)
		}
		close := make([][]float64, len(x))
		for i, row := range x {
			close[i] = []float64{row[0] + 1e-9, row[1]}
		}
		after, err := d.At(append(slices.Clone(close), x...))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for k := range before {
			if !slices.Equal(after[k][len(x):], before[k]) {
				t.Errorf("%s: draw %d is %g at first, %g later", name, k, before[k], after[k][len(x):])
			}
			near(t, name+", close by", after[k][:len(x)], before[k], 0.01) // √jitter is what a draw is off by
		}
		if before[0][0] == before[1][0] {
			t.Errorf("%s: two draws agree", name)
		}
		noisy := p.Joint(1, p.Noise(), rand.New(rand.NewPCG(1, 1)))
		a, errA := first(noisy.At(x))
		b, errB := first(noisy.At(x))
		if errA != nil || errB != nil || a[0] == b[0] {
			t.Errorf("%s: observations %g and %g at one point, errors %v and %v", name, a, b, errA, errB)
		}
	}
}
