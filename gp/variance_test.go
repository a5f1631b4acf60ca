package gp_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
)

// Surrogates with fixed parameters and noise, as functions from data to means and variances at test points.
func fixed(t *testing.T) map[string]func(rows []int, y, variance []float64) []float64 {
	x, _ := wave(30, 2, 0, rand.New(rand.NewPCG(1, 2)))
	c, _ := structures(rand.New(rand.NewPCG(3, 4)), 30)
	const noise = 0.01
	return map[string]func(rows []int, y, variance []float64) []float64{
		"exact": func(rows []int, y, variance []float64) []float64 {
			var data [][]float64
			for _, i := range rows {
				data = append(data, x[i])
			}
			e, err := gp.FixedExact(data, y, variance, 0.5, noise)
			if err != nil {
				t.Fatal(err)
			}
			mu, sigma2 := predict(t, posterior(t, e), x)
			return append(mu, sigma2...)
		},
		"mixture": func(rows []int, y, variance []float64) []float64 {
			m := gp.NewMixture(terms(gp.Tanimoto), []float64{1}, noise)
			if err := errors.Join(m.Add(stats.Pick(singles(c), rows), variance), m.Target(y, 0)); err != nil {
				t.Fatal(err)
			}
			mu, sigma2 := m.Predict(singles(c))
			return append(mu, sigma2...)
		},
	}
}

// singles returns structures of one group each.
func singles(c []gp.Counts) (groups [][]gp.Counts) {
	for i := range c {
		groups = append(groups, c[i:i+1])
	}
	return groups
}

// A target with a huge variance is ignored, and two of variance v at one point are their mean with half the variance.
func TestVarianceOfTargets(t *testing.T) {
	const noise, v, n = 0.01, 0.4, 20
	rows := make([]int, n)
	y := make([]float64, n)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range rows {
		rows[i], y[i] = i, rng.NormFloat64()
	}
	zeros := make([]float64, n)
	last := func(v ...float64) []float64 { return append(slices.Clone(zeros[:n-1]), v...) }
	mean := append(slices.Clone(y[:n-1]), (y[n-1]+3)/2)
	for name, surrogate := range fixed(t) {
		near(t, name+", a huge variance", surrogate(rows, y, last(1e12)), surrogate(rows[:n-1], y[:n-1], nil), 1e-8)
		near(t, name+", variances of 0", surrogate(rows, y, zeros), surrogate(rows, y, nil), 0)
		near(t, name+", replicates", surrogate(append(slices.Clone(rows), n-1), append(slices.Clone(y), 3), last(v, v)),
			surrogate(rows, mean, last((v-noise)/2)), 1e-8) // (v − noise)/2: with the fitted noise of both the variance is halved
	}
}

// Half of the targets have noise of deviation 2, and say so. A fit that knows it predicts the function better, finds
// less noise, and draws agree with its posterior.
func TestFitsBelieveVariances(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x, y := wave(150, 2, 0.1, rng)
	testX, truth := wave(100, 2, 0, rng)
	c, cy := structures(rng, 150)
	testC, cTruth := structures(rng, 100)
	variance := make([]float64, len(x))
	for i := range variance {
		if i%2 == 0 {
			variance[i] = 4
			y[i] += 2 * rng.NormFloat64()
			cy[i] += 2 * rng.NormFloat64()
		}
	}
	off := func(mu, truth []float64) (sum float64) {
		for i := range mu {
			sum += (mu[i] - truth[i]) * (mu[i] - truth[i]) / float64(len(mu))
		}
		return sum
	}
	for _, s := range surrogates {
		var errs, noise [2]float64
		for k, v := range [][]float64{nil, variance} {
			g, err := s.make(x)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.Fit(t.Context(), x, y, gp.FitOptions{Variance: v}); err != nil {
				t.Fatal(err)
			}
			p := posterior(t, g)
			mu, sigma2 := predict(t, p, testX)
			errs[k], noise[k] = off(mu, truth), g.Noise()
			if k == 0 {
				continue
			}
			draws, err := p.Sample(200, rng).At(testX[:5])
			if err != nil {
				t.Fatal(err)
			}
			for i := range 5 {
				var mean float64
				for _, f := range draws {
					mean += f[i] / 200
				}
				if !(math.Abs(mean-mu[i]) <= 5*math.Sqrt(sigma2[i]/200)) { // five standard errors
					t.Errorf("%s: mean of draws %g at point %d, want %g", s.name, mean, i, mu[i])
				}
			}
		}
		if !(errs[1] < 0.7*errs[0] && noise[1] < 0.2*noise[0]) {
			t.Errorf("%s: squared errors %.3g and noise %.3g without and with variances", s.name, errs, noise)
		}
	}
	var errs, noise [2]float64
	for k, v := range [][]float64{nil, variance} {
		g, err := gp.FitMinMax(t.Context(), c, cy, v)
		if err != nil {
			t.Fatal(err)
		}
		mu, _ := g.Predict(testC)
		errs[k], noise[k] = off(mu, cTruth), g.Noise()
	}
	if !(errs[1] < 0.7*errs[0] && noise[1] < 0.2*noise[0]) {
		t.Errorf("min-max: squared errors %.3g and noise %.3g without and with variances", errs, noise)
	}
}

// A fitted MinMax ignores a target of huge variance, is what it is without variances if they are 0, and does not
// care for units.
func TestMinMaxFitsWithVariances(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	x, y := structures(rng, 60)
	test, _ := structures(rng, 10)
	variance := make([]float64, len(x))
	for i := range variance {
		y[i] += 0.5 * rng.NormFloat64()
		variance[i] = rng.Float64()
	}
	fitted := func(n int, y, variance []float64, unit float64) []float64 {
		g, err := gp.FitMinMax(t.Context(), x[:n], scaled(y[:n], unit), scaled(variance, unit*unit))
		if err != nil {
			t.Fatal(err)
		}
		mu, sigma2 := g.Predict(test)
		return append(scaled(mu, 1/unit), scaled(append(sigma2, g.Scale(), g.Noise()), 1/(unit*unit))...)
	}
	near(t, "variances of 0", fitted(60, y, make([]float64, 60), 1), fitted(60, y, nil, 1), 1e-3)
	near(t, "another unit", fitted(60, y, variance, 0x1p-10), fitted(60, y, variance, 1), 1e-9)
	y[59] = 1e3
	huge := append(slices.Clone(variance[:59]), 1e14)
	near(t, "a huge variance", fitted(60, y, huge, 1), fitted(59, y, variance[:59], 1), 1e-2) // the scale is found to within 10⁻³ of itself
	if got := fitted(60, slices.Repeat([]float64{2}, 60), variance, 1); math.Abs(got[0]-2) > 1e-9 {
		t.Errorf("all targets 2: mean %g", got[0])
	}
}

func TestVarianceErrors(t *testing.T) {
	x, y := wave(6, 2, 0.1, rand.New(rand.NewPCG(11, 12)))
	c, _ := structures(rand.New(rand.NewPCG(11, 12)), 6)
	g := newSVGP(t, x, gp.Options{})
	for _, v := range [][]float64{{1}, {}, {0, 0, 0, 0, 0, -1}, {0, 0, math.NaN(), 0, 0, 0}, {0, 0, math.Inf(1), 0, 0, 0}} {
		_, exact := gp.NewExact(2, gp.ExactOptions{}).Fit(t.Context(), x, y, gp.FitOptions{Variance: v})
		_, sparse := g.Fit(t.Context(), x, y, gp.FitOptions{Variance: v})
		train := g.Train(t.Context(), x, y, v, 20, rand.New(rand.NewPCG(1, 2)))
		_, _, loss := g.Loss(x, y, v, nil)
		_, minMax := gp.FitMinMax(t.Context(), c, y, v)
		for i, err := range []error{exact, sparse, train, loss, minMax} {
			if !errors.Is(err, gp.ErrData) {
				t.Errorf("variances %g: error %d is %v, want ErrData", v, i, err)
			}
		}
	}
}
