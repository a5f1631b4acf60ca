package selfies

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// perfect reports whether all nodes can be matched, by trying all ways.
func perfect(neighbours [][]int, matched []bool) bool {
	i := slices.Index(matched, false)
	if i < 0 {
		return true
	}
	for _, j := range neighbours[i] {
		if !matched[j] {
			matched[i], matched[j] = true, true
			if perfect(neighbours, matched) {
				return true
			}
			matched[i], matched[j] = false, false
		}
	}
	return false
}

// Without odd rings, augmenting paths find a perfect matching wherever there is one.
func TestMatchingIsPerfect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const half = 6
		g := newMatching(2 * half)
		for i := range half {
			for _, j := range rapid.SliceOfNDistinct(rapid.IntRange(half, 2*half-1), 1, 3, rapid.ID).Draw(t, "neighbours") {
				g.neighbours[i] = append(g.neighbours[i], j)
				g.neighbours[j] = append(g.neighbours[j], i)
			}
		}
		if rapid.Bool().Draw(t, "greedy") { // leaves little for augment to do
			g.greedy()
		}
		for i := range g.mate {
			if g.mate[i] == none {
				g.augment(i)
			}
		}
		for i, mate := range g.mate {
			if mate != none && (g.mate[mate] != i || !slices.Contains(g.neighbours[i], mate)) {
				t.Fatalf("node %d of %v has mate %d, whose mate is %d", i, g.neighbours, mate, g.mate[mate])
			}
		}
		got, want := !slices.Contains(g.mate, none), perfect(g.neighbours, make([]bool, 2*half))
		if got != want {
			t.Errorf("%v: matched all = %t, want %t", g.neighbours, got, want)
		}
	})
}
