package gp_test

import (
	"math"
	"slices"
	"testing"

	"github.com/invbo/invbo/gp"
	"pgregory.net/rapid"
)

func TestTransform(t *testing.T) {
	tests := []struct {
		name      string
		transform gp.Transform
		y, want   []float64
	}{
		{"raw is y", gp.Raw, []float64{3, -1}, []float64{3, -1}},
		{"standardise has mean 0 and deviation 1", gp.Standardise, []float64{1, 2, 3}, []float64{-1, 0, 1}},
		{"standardise gives zeros for equal scores", gp.Standardise, []float64{0.1, 0.1, 0.1}, []float64{0, 0, 0}},
		{"standardise gives zero for one score", gp.Standardise, []float64{7}, []float64{0}},
		{"standardise gives zeros where squares underflow", gp.Standardise, []float64{0, 0, 1e-170}, []float64{0, 0, 0}},
		{"log rank is 1 for the best and 0 for the worst", gp.LogRank, []float64{5, 9, 7, 1}, []float64{1 - math.Log(3)/math.Log(4), 1, 0.5, 0}},
		{"log rank does not care for scale", gp.LogRank, []float64{1e-36, 0, 1e-30, -4}, []float64{0.5, 1 - math.Log(3)/math.Log(4), 1, 0}},
		{"ties share their mean rank", gp.LogRank, []float64{2, 2, 1, 1}, []float64{1 - math.Log(1.5)/math.Log(4), 1 - math.Log(1.5)/math.Log(4), 1 - math.Log(3.5)/math.Log(4), 1 - math.Log(3.5)/math.Log(4)}},
		{"log rank of equal scores is equal", gp.LogRank, []float64{0, 0, 0}, slices.Repeat([]float64{1 - math.Log(2)/math.Log(3)}, 3)},
		{"log rank of one score is 1", gp.LogRank, []float64{-3}, []float64{1}},
		{"nothing stays nothing", gp.LogRank, nil, nil},
		{"nothing standardised too", gp.Standardise, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.transform.Apply(test.y)
			if len(got) != len(test.want) {
				t.Fatalf("%s of %v = %v, want %v", test.transform, test.y, got, test.want)
			}
			for i := range got {
				if !(math.Abs(got[i]-test.want[i]) <= 1e-15) { // so put, NaN fails
					t.Errorf("%s of %v = %v, want %v", test.transform, test.y, got, test.want)
				}
			}
		})
	}
}

func TestTransformKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]float64{1, 1e-150, 1e-170, 1e-300}).Draw(t, "unit")
		y := rapid.SliceOfN(rapid.Float64Range(-10*unit, 10*unit), 1, 40).Draw(t, "y")
		before := slices.Clone(y)
		for _, transform := range []gp.Transform{gp.Raw, gp.Standardise, gp.LogRank} {
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
