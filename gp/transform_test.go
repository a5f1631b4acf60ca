package gp_test

import (
	"math"
	"slices"
	"testing"

	"github.com/invbo/invbo/gp"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// standardised returns values with mean 0 and deviation 1.
func standardised(u ...float64) []float64 {
	mean, deviation := stat.MeanStdDev(u, nil)
	s := make([]float64, len(u))
	for i := range u {
		s[i] = (u[i] - mean) / deviation
	}
	return s
}

func TestTransform(t *testing.T) {
	// 1 − log(rank)/log(n), standardised
	ranks := func(rank ...float64) []float64 {
		u := make([]float64, len(rank))
		for i, r := range rank {
			u[i] = 1 - math.Log(r)/math.Log(float64(len(rank)))
		}
		return standardised(u...)
	}
	tests := []struct {
		name      string
		transform gp.Transform
		y, want   []float64
	}{
		{"raw is y", gp.Raw, []float64{3, -1}, []float64{3, -1}},
		{"standardise has mean 0 and deviation 1", gp.Standardise, []float64{1, 2, 3}, []float64{-1, 0, 1}},
		{"standardise gives zeros for equal scores", gp.Standardise, []float64{0.1, 0.1, 0.1}, []float64{0, 0, 0}},
		{"standardise gives zero for one score", gp.Standardise, []float64{7}, []float64{0}},
		{"standardise where squares underflow", gp.Standardise, []float64{0, 0, 1e-170}, standardised(0, 0, 1)},
		{"standardise where squares of differences underflow", gp.Standardise, []float64{-3e-300, 1e-300, 5e-300}, []float64{-1, 0, 1}},
		{"log where squares underflow", gp.Log, []float64{40e-200, 0, 20e-200, 0}, standardised(math.Log(42), math.Log(2), math.Log(22), math.Log(2))},
		{"log ranks give rank 1 to the largest", gp.LogRanks, []float64{5, 9, 7, 1}, ranks(3, 1, 2, 4)},
		{"log ranks ignore the scale", gp.LogRanks, []float64{1e-36, 0, 1e-30, -4}, ranks(2, 3, 1, 4)},
		{"ties share their mean rank", gp.LogRanks, []float64{2, 2, 1, 1}, ranks(1.5, 1.5, 3.5, 3.5)},
		{"log ranks of equal scores are 0", gp.LogRanks, []float64{3, 3, 3}, []float64{0, 0, 0}},
		{"the log rank of one score is 0", gp.LogRanks, []float64{-3}, []float64{0}},
		{"log is that of the distance from a twentieth of the range below the least", gp.Log, []float64{40, 0, 20, 0}, standardised(
			math.Log(42), math.Log(2), math.Log(22), math.Log(2))},
		{"log of equal scores is 0", gp.Log, []float64{3, 3, 3}, []float64{0, 0, 0}},
		{"the log of one score is 0", gp.Log, []float64{-3}, []float64{0}},
		{"no scores, log", gp.Log, nil, nil},
		{"a root is that of the distance from a hundredth of the range below the least", gp.Sqrt, []float64{100, 0, 50, 0}, standardised(
			math.Sqrt(101), 1, math.Sqrt(51), 1)},
		{"a root of equal scores is 0", gp.Sqrt, []float64{3, 3, 3}, []float64{0, 0, 0}},
		{"no scores, root", gp.Sqrt, nil, nil},
		{"log distances are those of scores below 0", gp.LogDistance, []float64{-1, -8, -2}, standardised(3, 0, 2)},
		{"scores not all below 0 have no log distance", gp.LogDistance, []float64{-1, 0, 1}, []float64{-1, 0, 1}},
		{"log distances that differ by rounding are not taken", gp.LogDistance, []float64{-1 - 2e-15, -1 - 1e-15, -1}, standardised(-1-2e-15, -1-1e-15, -1)},
		{"the log distance of equal scores is 0", gp.LogDistance, []float64{-3, -3}, []float64{0, 0}},
		{"no scores, log distance", gp.LogDistance, nil, nil},
		{"no scores, raw", gp.Raw, nil, nil},
		{"no scores, standardised", gp.Standardise, nil, nil},
		{"no scores, log ranks", gp.LogRanks, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { near(t, test.transform.String(), test.transform.Apply(test.y), test.want, 1e-15) })
	}
}

func TestScaleInverse(t *testing.T) {
	ten := []float64{0, 10, 20} // deviation 10
	tests := []struct {
		name            string
		transform       gp.Transform
		y               []float64
		mu, sd          float64
		mean, deviation float64
	}{
		{"raw is the identity", gp.Raw, ten, 3, 0.5, 3, 0.5},
		{"standardise is affine", gp.Standardise, ten, 1.5, 0.5, 25, 5},
		{"standardise of equal scores", gp.Standardise, []float64{0.1, 0.1, 0.1}, 1, 2, 0.1, 0},
		{"log ranks of equal scores", gp.LogRanks, []float64{4, 4}, 1, 2, 4, 0},
		{"no scores", gp.LogRanks, nil, 1, 2, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			mean, deviation := test.transform.Fit(test.y).Inverse(test.mu, test.sd)
			near(t, "mean, deviation", []float64{mean, deviation}, []float64{test.mean, test.deviation}, 1e-14)
		})
	}

	y := []float64{0, 1, 3, 100}
	s := gp.LogRanks.Fit(y)
	u := s.Apply(y)
	half, last := (u[1]-u[0])/2, u[3]-u[2]
	for _, test := range []struct {
		name            string
		mu, sd          float64
		mean, deviation float64
	}{
		{"half way between scores", (u[0] + u[1]) / 2, half / 2, 0.5, 0.25},
		{"a deviation reaches from score to score", (u[0] + u[1]) / 2, half, 0.5, 0.5},
		{"beyond the best by a tenth of the last segment", u[3] + 0.1*last, 0.1 * last, 109.7, 9.7},
		{"beyond the worst", u[0] - half, 0, -0.5, 0},
		{"far beyond the best", u[3] + 100*last, 0, 200, 0},
		{"far beyond the worst", -1e6, 0, -100, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			mean, deviation := s.Inverse(test.mu, test.sd)
			near(t, "mean, deviation", []float64{mean, deviation}, []float64{test.mean, test.deviation}, 1e-11)
		})
	}
	near(t, "a new score", s.Apply([]float64{0.5}), []float64{(u[0] + u[1]) / 2}, 1e-15)
	near(t, "variances", []float64{
		gp.Raw.Fit(ten).Variance(3), gp.Standardise.Fit(ten).Variance(3), gp.LogRanks.Fit(ten).Variance(3), gp.Standardise.Fit(ten[:1]).Variance(3),
	}, []float64{3, 0.03, 0.03, 0}, 1e-17)
}

// Beyond the best score Log and Sqrt are undone: what is the product of two factors is predicted as that.
func TestInverseBeyondTheBest(t *testing.T) {
	y := []float64{1, 2, 3, 5}
	for transform, of := range map[gp.Transform]func(y float64) float64{
		gp.Log:  func(y float64) float64 { return math.Log((y-1)/4 + 1./20) },
		gp.Sqrt: func(y float64) float64 { return math.Sqrt((y-1)/4 + 1./100) },
	} {
		s := transform.Fit(y)
		u := s.Apply(y)
		at := func(y float64) float64 { return u[3] + (u[3]-u[0])*(of(y)-of(5))/(of(5)-of(1)) }
		for _, want := range []float64{5, 5.1, 8, 13} {
			if mean, _ := s.Inverse(at(want), 0); math.Abs(mean-want) > 1e-9 {
				t.Errorf("%s: %g, want %g", transform, mean, want)
			}
		}
		mean, deviation := s.Inverse(at(8), at(9)-at(8))
		if below, _ := s.Inverse(2*at(8)-at(9), 0); math.Abs(mean-8) > 1e-9 || math.Abs(deviation-(9-below)/2) > 1e-9 {
			t.Errorf("%s: %g ± %g, want 8 ± %g", transform, mean, deviation, (9-below)/2)
		}
	}
}

// Concentrations are predicted above 0, however good, and a factor is a factor everywhere.
func TestInverseOfLogDistance(t *testing.T) {
	y := []float64{-64, -16, -4, -2}
	s := gp.LogDistance.Fit(y)
	u := s.Apply(y)
	factor := (u[3] - u[2]) // of two
	for halvings, want := range []float64{-2, -1, -0.5, -0.25} {
		mean, deviation := s.Inverse(u[3]+float64(halvings)*factor, factor)
		if below := 2 * want; halvings > 0 && math.Abs(deviation-(want/2-below)/2) > 1e-12 || math.Abs(mean-want) > 1e-12 {
			t.Errorf("%d halvings of 2: %g ± %g, want %g", halvings, mean, deviation, want)
		}
	}
	if mean, deviation := s.Inverse(100, 1); !(mean < 0 && deviation > 0) {
		t.Errorf("far beyond the best: %g ± %g", mean, deviation)
	}
	near, _ := s.Inverse(2*u[3]-u[0], 0)
	if far, _ := s.Inverse(2*u[3]-u[0]+factor, 0); !(near < far) {
		t.Errorf("%g and, with a better prediction, %g", near, far)
	}
}

// No prediction is certain, however far from the data it is, and means keep their order.
func TestInverseIsNeverCertain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfNDistinct(rapid.IntRange(-1000, rapid.SampledFrom([]int{1000, -1}).Draw(t, "above")), 2, 20, rapid.ID).Draw(t, "y")
		scores := make([]float64, len(y))
		for i, v := range y {
			scores[i] = float64(v)
		}
		sd := rapid.Float64Range(1e-3, 10).Draw(t, "sd")
		mu := rapid.Float64Range(-100, 100).Draw(t, "mu")
		for _, transform := range []gp.Transform{gp.Standardise, gp.LogRanks, gp.Log, gp.Sqrt, gp.LogDistance} {
			s := transform.Fit(scores)
			mean, deviation := s.Inverse(mu, sd)
			more, _ := s.Inverse(mu+0.1, sd)
			if !(deviation > 0 && deviation < 1e9 && math.Abs(mean) < 1e6 && more >= mean) {
				t.Fatalf("%s: at %g ± %g %g ± %g, and %g above", transform, mu, sd, mean, deviation, more)
			}
			best, extent := slices.Max(scores), slices.Max(scores)-slices.Min(scores)
			if linear := transform == gp.Standardise || transform == gp.LogDistance && best >= 0; !linear && mean <= best+extent && deviation > 1.5*extent*(1+1e-9) {
				t.Fatalf("%s: at %g ± %g %g ± %g, where scores are from %g to %g", transform, mu, sd, mean, deviation, best-extent, best)
			}
		}
	})
}

// At the data Inverse undoes Apply: exactly but for standardisation and logarithms, whose rounding is relative to the
// range of the scores.
func TestInverseOfApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]float64{1, 1e-100, 1e90}).Draw(t, "unit")
		above := rapid.SampledFrom([]float64{10, -1}).Draw(t, "above") // or all are below 0
		y := rapid.SliceOfN(rapid.Float64Range(-10*unit, above*unit), 1, 40).Draw(t, "y")
		y = append(y, rapid.SliceOfN(rapid.SampledFrom(y), 0, 10).Draw(t, "repeats")...)
		for transform, tolerance := range map[gp.Transform]float64{gp.Raw: 0, gp.Standardise: 1e-14 * 10 * unit, gp.LogRanks: 0, gp.Log: 1e-13 * 10 * unit, gp.Sqrt: 1e-13 * 10 * unit, gp.LogDistance: 1e-13 * 10 * unit} {
			s := transform.Fit(y)
			for i, u := range s.Apply(y) {
				if mean, deviation := s.Inverse(u, 0); !(math.Abs(mean-y[i]) <= tolerance) || deviation != 0 {
					t.Fatalf("%s: %g becomes %g ± %g", transform, y[i], mean, deviation)
				}
			}
		}
	})
}

func TestTransformKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]float64{1, 1e-150, 1e-170, 1e-300}).Draw(t, "unit")
		above := rapid.SampledFrom([]float64{10, -1}).Draw(t, "above") // or all are below 0
		y := rapid.SliceOfN(rapid.Float64Range(-10*unit, above*unit), 1, 40).Draw(t, "y")
		before := slices.Clone(y)
		for _, transform := range []gp.Transform{gp.Raw, gp.Standardise, gp.LogRanks, gp.Log, gp.Sqrt, gp.LogDistance} {
			s := transform.Apply(y)
			for i := range y {
				if math.IsNaN(s[i]) || math.IsInf(s[i], 0) {
					t.Fatalf("%s: %g becomes %g", transform, y[i], s[i])
				}
				for j := range y {
					if y[i] > y[j] && s[i] < s[j] || y[i] == y[j] && s[i] != s[j] {
						t.Fatalf("%s: %g, %g become %g, %g", transform, y[i], y[j], s[i], s[j])
					}
				}
			}
			if !slices.Equal(y, before) {
				t.Fatalf("%s changed its argument", transform)
			}
		}
	})
}

// Two best scores that differ only by rounding leave predictions beyond them in reach of the others.
func TestLogOfScoresThatDifferByRounding(t *testing.T) {
	for best := 1.0; best <= 20; best++ {
		for _, least := range []float64{0, -best, best - 1e-3} {
			s := gp.Log.Fit([]float64{least, best, math.Nextafter(best, 100)})
			u := s.Apply([]float64{least, best})
			span := best - least
			if mean, _ := s.Inverse(u[1]+0.01*(u[1]-u[0]), 0); !(mean >= best && mean < best+0.1*span) {
				t.Errorf("from %g, a little beyond the best score is %g, want a little more than %g", least, mean, best)
			}
		}
	}
	s := gp.Log.Fit([]float64{-2, -1, -0.5, -0.036, math.Nextafter(-0.036, 0)})
	if mean, sd := s.Inverse(s.Apply([]float64{-0.036})[0]+0.01, 0.3); !(mean < 0.1 && sd < 1) {
		t.Errorf("a little beyond the best score is %g ± %g, want about -0.036", mean, sd)
	}
}
