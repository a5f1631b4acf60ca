package evolve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat"
)

// The expected improvement is ∫ max(0, g) N(g; gain, sd²) dg, also where it is 10⁻²⁰⁰.
func TestLogImprovement(t *testing.T) {
	for _, sd := range []float64{1, 1e-3, 50} {
		for _, z := range []float64{-30, -12, -5.001, -5, -4.999, -2, -0.1, 0, 0.3, 2, 9} {
			// With g = sd·(z + u): sd·∫ (z + u) φ(u) du over u > −z; φ(−z) is taken out.
			scaled := func(v float64) float64 { return v * math.Exp(v*z-v*v/2) } // v = z + u
			integral := quad.Fixed(scaled, 0, 10+2*math.Abs(z), 2000, nil, 0)
			want := math.Log(sd) - z*z/2 - math.Log(2*math.Pi)/2 + math.Log(integral)
			if got := logImprovement(z*sd, sd); !(math.Abs(got-want) < 1e-6) {
				t.Errorf("gain of %g deviations of %g: %g, want %g", z, sd, got, want)
			}
		}
	}
	if got := logImprovement(2, 0); math.Abs(got-math.Log(2)) > 1e-9 {
		t.Errorf("a certain gain of 2: %g, want log 2", got)
	}
	if got := logImprovement(-1, 0); math.IsNaN(got) || got > -1e6 {
		t.Errorf("a certain loss: %g, want far below all others", got)
	}
}

func TestImprovementOfStrings(t *testing.T) {
	a := acquisition{improve: true, best: 1, unit: 1, widen: 1}
	for _, c := range []struct {
		name          string
		better, worse float64
	}{
		{"a greater mean", a.value(0.9, 0.04, 1), a.value(0.5, 0.04, 1)},
		{"a greater deviation, below the best", a.value(0.5, 0.09, 1), a.value(0.5, 0.04, 1)},
		{"a greater chance", a.value(0.9, 0.04, 0.9), a.value(0.9, 0.04, 0.1)},
	} {
		if !(c.better > c.worse) {
			t.Errorf("%s: %g, not above %g", c.name, c.better, c.worse)
		}
	}
}

// Deviations grow with the errors of predictions for proposals, whatever the scores of the initial design are.
func TestSurprise(t *testing.T) {
	points := scoredWords(60, pairs)
	m := newModel()
	fitted := func(shift float64) float64 {
		off := slices.Clone(points)
		for i := range off {
			if i >= 40 {
				off[i].batch = 1 + (i-40)/10
				off[i].y += shift * float64(1-2*(i%2))
			}
		}
		if err := m.fit(t.Context(), off, len(off)); err != nil {
			t.Fatal(err)
		}
		return m.surprise
	}
	as, worse, bad := fitted(0), fitted(1.5), fitted(4)
	if !(as > 0.5 && as < worse && worse < bad) {
		t.Errorf("factors %.2f, %.2f and %.2f of ever worse predictions, want them to grow", as, worse, bad)
	}
}

// Before any proposal is known deviations are wider than predicted, and wider still where a few good strings stand out
// from the others by what the surrogate does not see coming.
func TestExpectedErrors(t *testing.T) {
	points := scoredWords(60, pairs)
	m := newModel()
	fitted := func(points []point) float64 {
		if err := m.fit(t.Context(), points, len(points)); err != nil {
			t.Fatal(err)
		}
		return m.surprise
	}
	even := fitted(points)
	for i := range points {
		if i%30 == 0 {
			points[i].y += 8
		}
	}
	m.forget()
	if few, want := fitted(points), optimism*1.645/2; math.Abs(even-want) > 0.2 || few < even+0.05 {
		t.Errorf("factor %.2f, want about %.2f; where a few strings stand out %.2f, want more", even, want, few)
	}
}

// A sober search explores among strings that may well be better than the best: not what is unlike all others, and
// expected to be average.
func TestSober(t *testing.T) {
	average, likely := [2]float64{6.7, 1.8}, [2]float64{8.9, 1.3} // mean and deviation
	for _, sober := range []bool{false, true} {
		a := acquisition{beta: 10, best: 9, unit: 1, widen: 1, sober: sober, ceiling: math.Inf(1)}
		value := func(of [2]float64) float64 { return a.value(of[0], of[1]*of[1], 1) }
		if exploits := value(likely) > value(average); exploits != sober {
			t.Errorf("sober %t: %g of 8.9 ± 1.3 and %g of 6.7 ± 1.8, where the best is 9", sober, value(likely), value(average))
		}
		if bold := [2]float64{8, 1.8}; value(bold) < value(likely) {
			t.Errorf("sober %t: %g of 8 ± 1.8, and %g of 8.9 ± 1.3", sober, value(bold), value(likely))
		}
	}
}

// Below a ceiling, mean and deviation are those of many draws, and what is known to be good counts more than what is
// hardly known.
func TestCeiling(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, test := range []struct{ mu, sd float64 }{{100, 12}, {109, 61}, {20, 10}, {130, 5}} {
		const draws = 200_000
		var all []float64
		for range draws {
			all = append(all, min(105, test.mu+test.sd*rng.NormFloat64()))
		}
		mean, sd := stat.MeanStdDev(all, nil)
		gotMean, gotSD := below(105, test.mu, test.sd)
		if math.Abs(gotMean-mean) > 5*test.sd/math.Sqrt(draws) || math.Abs(gotSD-sd) > 0.02*test.sd {
			t.Errorf("%g ± %g below 105: %g ± %g, and drawn %g ± %g", test.mu, test.sd, gotMean, gotSD, mean, sd)
		}
	}
	if mean, sd := below(1, 2, 0); mean != 1 || sd != 0 {
		t.Errorf("2 ± 0 below 1: %g ± %g", mean, sd)
	}
	a := acquisition{beta: 10, best: 104, unit: 1, widen: 1, sober: true, ceiling: 105}
	if good, unknown := a.value(100, 12*12, 1), a.value(109, 61*61, 1); good <= unknown {
		t.Errorf("100 ± 12 counts %g, and 109 ± 61 %g, at a ceiling of 105", good, unknown)
	}
	var inhibition, potency []float64
	for i := range 100 {
		x := float64(i) / 99
		inhibition, potency = append(inhibition, 105/(1+math.Exp(4-8*x))), append(potency, 4+6*math.Pow(x, 2))
	}
	if got, crowd := ceilingOf(inhibition); got != slices.Max(inhibition) || crowd != got-inhibition[89] {
		t.Errorf("inhibition has the ceiling %g, and crowds within %g; want %g and %g", got, crowd, slices.Max(inhibition), slices.Max(inhibition)-inhibition[89])
	}
	if most, crowd := ceilingOf(slices.Concat(inhibition, slices.Repeat([]float64{105}, 30))); most != 105 || crowd <= 0 {
		t.Errorf("inhibition of 105 at most crowds within %g of %g", crowd, most)
	}
	for name, scores := range map[string][]float64{"potency": potency, "few": inhibition[90:], "equal": make([]float64, 50)} {
		if got, _ := ceilingOf(scores); !math.IsInf(got, 1) {
			t.Errorf("%s: the ceiling %g, want none", name, got)
		}
	}
}
