package baseline_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/internal/pareto"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/study"
)

// points draws points whose coordinates are often equal.
func points(t *rapid.T) [][]float64 {
	d := rapid.IntRange(1, 4).Draw(t, "objectives")
	value := rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) })
	return rapid.SliceOfN(rapid.SliceOfN(value, d, d), 1, 30).Draw(t, "points")
}

// The first front is what no point dominates, the second what no other one dominates without the first, and so on.
func TestFronts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := points(t)
		left := map[int]bool{}
		for i := range all {
			left[i] = true
		}
		for k, front := range baseline.Fronts(all) {
			var want []int
			for i, p := range all {
				dominated := slices.ContainsFunc(all, func(q []float64) bool {
					j := slices.IndexFunc(all, func(r []float64) bool { return &r[0] == &q[0] })
					return left[j] && pareto.Dominates(q, p)
				})
				if left[i] && !dominated {
					want = append(want, i)
				}
			}
			if !slices.Equal(front, want) {
				t.Fatalf("front %d is %v, want %v", k+1, front, want)
			}
			for _, i := range front {
				delete(left, i)
			}
		}
		if len(left) > 0 {
			t.Fatalf("%v are on no front", left)
		}
	})
}

// The crowding distance of a point is the sum of the gaps around it, as shares of the width. Without equal coordinates
// brute force finds the neighbours.
func TestCrowding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 12).Draw(t, "points"), rapid.IntRange(1, 4).Draw(t, "objectives")
		all, front := make([][]float64, n), make([]int, n)
		for i := range all {
			all[i], front[i] = make([]float64, d), i
		}
		for j := range d {
			for i, v := range rapid.Permutation(slices.Collect(upTo(n))).Draw(t, "order") {
				all[i][j] = float64(v * v)
			}
		}
		for i, got := range baseline.Crowding(all, front) {
			want := 0.0
			for j := range d {
				below, above, low, high := math.Inf(-1), math.Inf(1), math.Inf(1), math.Inf(-1)
				for _, q := range all {
					low, high = min(low, q[j]), max(high, q[j])
					if q[j] < all[i][j] {
						below = max(below, q[j])
					}
					if q[j] > all[i][j] {
						above = min(above, q[j])
					}
				}
				want += (above - below) / (high - low)
			}
			if n == 1 {
				want = math.Inf(1)
			}
			if math.Abs(got-want) > 1e-12 && got != want {
				t.Fatalf("distance of %v among %v: %g, want %g", all[i], all, got, want)
			}
		}
	})
}

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// NSGA-II finds words of both kinds of letters, and all between them.
func TestNSGA2Front(t *testing.T) {
	counts := oracle.Func(func(x string) oracle.Result {
		a, b := 0.0, 0.0
		for _, c := range x {
			switch c {
			case 'a':
				a++
			case 'b':
				b++
			}
		}
		return oracle.Result{Score: a, Others: map[string]float64{"a": a, "b": b}}
	})
	objectives := []study.Objective{{Name: "a"}, {Name: "b"}}
	p := study.Problem{Oracle: counts, Init: initial("ccccc", "acccb", "ccacc", "cbccc"), Objectives: objectives}
	space := letters()
	space.Operators = tokens.Edits{Alphabet: []string{"a", "b", "c"}, Split: func(x string) []string { return strings.Split(x, "") }, Fixed: true}.Operators()
	st := run(t, p, baseline.NewNSGA2(space, 1), study.Options{Budget: 150})
	kinds := map[float64]bool{}
	for _, v := range study.FrontOf(st.Trials(), objectives, nil).Values {
		if kinds[v[0]] = true; v[0]+v[1] != 5 {
			t.Errorf("%v is on the front", v)
		}
	}
	if len(kinds) != 6 {
		t.Errorf("%d different points on the front, want 6", len(kinds))
	}
}
