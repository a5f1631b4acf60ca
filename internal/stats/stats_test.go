package stats_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/internal/stats"
)

var nan = math.NaN()

func TestArgMax(t *testing.T) {
	for _, tt := range []struct {
		v    []float64
		want int
	}{{nil, 0}, {[]float64{1}, 0}, {[]float64{1, 3, 3}, 1}, {[]float64{-1, nan, -0.5}, 2}} {
		if got := stats.ArgMax(tt.v); got != tt.want {
			t.Errorf("ArgMax(%v) = %d, want %d", tt.v, got, tt.want)
		}
	}
}

func TestTopK(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    []float64
		k    int
		want []int
	}{
		{"none", nil, 3, []int{}},
		{"fewer than k", []float64{1, 2}, 3, []int{1, 0}},
		{"the first of equals", []float64{1, 2, 1, 2}, 3, []int{1, 3, 0}},
		{"NaN is last", []float64{nan, -5, nan, 7}, 4, []int{3, 1, 0, 2}},
	} {
		if got := stats.TopK(tt.v, tt.k); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestRanks(t *testing.T) {
	if got, want := stats.Ranks([]float64{5, 7, 5, 1}), []float64{1.5, 0, 1.5, 3}; !slices.Equal(got, want) {
		t.Errorf("Ranks = %v, want %v", got, want)
	}
}

func TestSpearman(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"any increasing function", []float64{1, 2, 3, 4}, []float64{1, 8, 27, 64}, 1},
		{"any decreasing function", []float64{1, 2, 3, 4}, []float64{4, 2, 1, -7}, -1},
		{"ties share their rank", []float64{1, 2, 2, 3}, []float64{1, 2, 2, 3}, 1},
		{"no relation", []float64{1, 2, 3, 4}, []float64{1, -1, -1, 1}, 0},
		{"all equal", []float64{1, 2, 3}, []float64{5, 5, 5}, nan},
		{"too few", []float64{1, 2}, []float64{1, 2}, nan},
	} {
		got := stats.Spearman(tt.a, tt.b)
		if math.IsNaN(got) != math.IsNaN(tt.want) || math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", tt.name, got, tt.want)
		}
	}
}

func TestLevenshtein(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want float64
	}{{"", "", 0}, {"a", "", 1}, {"kitten", "sitting", 3. / 7}, {"abc", "xyz", 1}} {
		if got := stats.Levenshtein([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("Levenshtein(%q, %q) = %g, want %g", tt.a, tt.b, got, tt.want)
		}
	}
}

// Unnormalised, the edit distance is a metric.
func TestLevenshteinIsMetric(t *testing.T) {
	edits := func(a, b []rune) float64 {
		return math.Round(stats.Levenshtein(a, b) * float64(max(len(a), len(b))))
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.RuneFrom([]rune("ab")), 0, 8)
		a, b, c := text.Draw(t, "a"), text.Draw(t, "b"), text.Draw(t, "c")
		if (edits(a, b) == 0) != slices.Equal(a, b) {
			t.Errorf("the distance is %g", edits(a, b))
		}
		if edits(a, b) != edits(b, a) {
			t.Errorf("%g one way, %g the other", edits(a, b), edits(b, a))
		}
		if edits(a, c) > edits(a, b)+edits(b, c) {
			t.Errorf("%g > %g + %g", edits(a, c), edits(a, b), edits(b, c))
		}
	})
}

func TestMedian(t *testing.T) {
	v := []float64{3, 1, 2, 4}
	if got := stats.Median(v); got != 3 || v[0] != 3 {
		t.Errorf("Median = %g and v is %v, want 3 and v unchanged", got, v)
	}
}

func TestMeanStdErr(t *testing.T) {
	if mean, stdErr := stats.MeanStdErr([]float64{1, 3}); mean != 2 || math.Abs(stdErr-1) > 1e-12 {
		t.Errorf("%g ± %g, want 2 ± 1", mean, stdErr)
	}
}

func TestEvenly(t *testing.T) {
	v := []int{0, 1, 2, 3, 4, 5, 6}
	for n, want := range map[int][]int{0: {}, 1: {0}, 3: {0, 2, 4}, 7: v, 9: v} {
		if got := stats.Evenly(v, n); !slices.Equal(got, want) {
			t.Errorf("%d of them: %v, want %v", n, got, want)
		}
	}
}
