package evolve

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// The posterior of a bound's site is that of the bound, by numerical integration.
func TestTiltHasTheMomentsOfTheBound(t *testing.T) {
	for _, test := range []struct {
		name                     string
		mu, sigma2, noise, bound float64
		direction                study.Bound
	}{
		{"at the prediction", 0.3, 1, 0.1, 0.3, study.Above},
		{"below the prediction", 0, 2, 0.5, -1, study.Above},
		{"beyond the prediction", 0, 2, 0.5, 3, study.Above},
		{"far beyond it", 1, 0.5, 0.1, 8, study.Above},
		{"from above", 2, 1, 0.01, 1, study.Below},
		{"from above, and far off", 2, 1, 0.01, 4, study.Below},
	} {
		sd := math.Sqrt(test.sigma2)
		var f, weight []float64
		for k := -12.0; k <= 12; k += 1e-3 {
			v := test.mu + k*sd
			within := math.Erfc(-float64(test.direction)*(v-test.bound)/math.Sqrt(2*test.noise)) / 2
			f, weight = append(f, v), append(weight, math.Exp(-k*k/2)*within)
		}
		wantMean, wantDeviation := stat.PopMeanStdDev(f, weight)
		target, variance, told := tilt(test.mu, test.sigma2, test.noise, test.bound, test.direction, test.sigma2)
		precision := 1/test.sigma2 + 1/(test.noise+variance)
		mean := (test.mu/test.sigma2 + target/(test.noise+variance)) / precision
		deviation := 1 / math.Sqrt(precision)
		if math.Abs(mean-wantMean) > 1e-6 || math.Abs(deviation-wantDeviation) > 1e-6 || math.Abs(told-mean) > 1e-9 {
			t.Errorf("%s: %.8f (told as %.8f) ± %.8f, want %.8f ± %.8f", test.name, mean, told, deviation, wantMean, wantDeviation)
		}
	}
}

func TestHazard(t *testing.T) {
	for _, test := range []struct{ z, r, excess float64 }{
		// by mpmath with 40 digits
		{0, 0.79788456080286535588, 0.79788456080286535588},
		{3, 0.0044378390421256637, 3.0044378390421256637},
		{-4.9, 5.0898286001298836334, 0.18982860012988327809},
		{-5.1, 5.2832876169091570201, 0.18328761690915737534},
		{-1e8, 1e8, 1e-8},
		{40, 0, 40},
	} {
		r, excess := hazard(test.z)
		if math.Abs(r-test.r) > 1e-9*max(1, test.r) || math.Abs(excess-test.excess) > 1e-9*max(1, test.excess) {
			t.Errorf("hazard(%g) = %.15g, %.15g; want %.15g, %.15g", test.z, r, excess, test.r, test.excess)
		}
	}
}

// predicted fits a model to points and returns its predictions of words, in units of the scores.
func predicted(t *testing.T, points []point, xs ...string) []float64 {
	t.Helper()
	m := newModel()
	m.given = new(gp.Standardise)
	if err := m.fit(t.Context(), points, len(points)); err != nil {
		t.Fatal(err)
	}
	mu, _ := m.predict(m.reader.read(xs))
	for i := range mu {
		mu[i], _ = m.scale.Inverse(mu[i], 0)
	}
	return mu
}

func TestBoundsOfAModel(t *testing.T) {
	const word = "abcdabcd"
	of := func(y float64, b study.Bound) []point {
		return append(scoredWords(60, pairs), point{trial: 61, x: word, y: y, bound: b})
	}
	without := predicted(t, scoredWords(60, pairs), word)[0]
	if without < 3 || without > 5 {
		t.Fatalf("%s is predicted to be %g, want about its 4", word, without)
	}
	for _, test := range []struct {
		name      string
		y         float64
		bound     study.Bound
		low, high float64
	}{
		{"a bound far below says nothing", -5, study.Above, without - 0.02, without + 0.02},
		{"a bound far above says nothing", 12, study.Below, without - 0.02, without + 0.02},
		{"one above the prediction raises it", 5, study.Above, without + 0.1, 8},
		{"one below the prediction lowers it", 3, study.Below, 0, without - 0.1},
	} {
		if got := predicted(t, of(test.y, test.bound), word)[0]; !(got >= test.low && got <= test.high) {
			t.Errorf("%s: %g, want %g to %g", test.name, got, test.low, test.high)
		}
	}
}

// Where good scores are beyond the range of an assay, the surrogate predicts them better than if they were left out, or
// exact.
func TestBoundsAreWorthSomething(t *testing.T) {
	const limit = 1.5
	all := scoredWords(300, func(x string) float64 { return pairs(x) + 0.3*float64(strings.Count(x, "a")) })
	var bounded, exact, out []point
	for _, p := range all[:100] {
		if p.y <= limit {
			bounded, exact, out = append(bounded, p), append(exact, p), append(out, p)
			continue
		}
		p.y = limit
		exact = append(exact, p)
		p.bound = study.Above
		bounded = append(bounded, p)
	}
	var xs []string
	var want []float64
	for _, p := range all[100:] {
		xs, want = append(xs, p.x), append(want, p.y)
	}
	correlation := func(points []point) float64 { return stat.Correlation(predicted(t, points, xs...), want, nil) }
	b, e, o := correlation(bounded), correlation(exact), correlation(out)
	t.Logf("%d of %d scores beyond the limit: correlation %.3f with bounds, %.3f as exact scores, %.3f without", len(bounded)-len(out), len(bounded), b, e, o)
	if b < e+0.01 || b < o+0.01 {
		t.Error("bounds bring nothing")
	}
}

// A model that grew by exact points and bounds predicts as one that saw them all at once, and its points keep their order.
func TestModelWithBoundsGrows(t *testing.T) {
	points := scoredWords(60, pairs)
	for i := range points {
		if i%3 == 0 {
			points[i].bound = study.Bound(1 - 2*(i%2))
		}
	}
	m := newModel()
	for _, n := range []int{50, 52, 60} {
		if err := m.fit(t.Context(), points[:n], n); err != nil {
			t.Fatal(err)
		}
	}
	fresh := *m
	fresh.empty()
	fresh.Fitted = 60
	if err := fresh.fit(t.Context(), points, 60); err != nil {
		t.Fatal(err)
	}
	mu, sigma2 := m.atPoints()
	wantMu, wantSigma2 := fresh.atPoints()
	if !slices.Equal(mu, wantMu) || !slices.Equal(sigma2, wantSigma2) {
		t.Errorf("%g ± √%g, want %g ± √%g", mu, sigma2, wantMu, wantSigma2)
	}
	var xs []string
	for _, p := range points {
		xs = append(xs, p.x)
	}
	atWords, _ := m.predict(m.reader.read(xs))
	for i := range mu {
		if math.Abs(mu[i]-atWords[i]) > 1e-6 {
			t.Errorf("point %d: %g at the points, %g predicted", i, mu[i], atWords[i])
		}
	}
}

// Nothing but bounds, of one score or of several, is no error.
func TestOnlyBounds(t *testing.T) {
	for _, n := range []int{1, 2, 30} {
		for _, different := range []bool{false, true} {
			points := scoredWords(n, pairs)
			for i := range points {
				points[i].bound = study.Below
				if !different {
					points[i].y = 5
				}
			}
			m := newModel()
			if err := m.fit(t.Context(), points, n); err != nil {
				t.Fatal(err)
			}
			mu, sigma2 := m.predict(m.reader.read([]string{"abcdabcd"}))
			if math.IsNaN(mu[0]) || math.IsNaN(sigma2[0]) {
				t.Errorf("%d bounds, different %t: predicts %g ± √%g", n, different, mu[0], sigma2[0])
			}
			if m.measurement() != 0 {
				t.Errorf("a measurement has a variance of %g", m.measurement())
			}
		}
	}
}
