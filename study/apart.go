package study

import (
	"math"
	"slices"
)

// A best value stands apart if its distance from the second best is more than farApart times that of the second best
// from the median, of fewestApart values at least.
const (
	fewestApart = 10
	farApart    = 5
)

// Apart returns the index of the best of some values, where higher is better, if it is so far from all others that it
// may be a slip, such as 70.2 beside 5 to 8, with the second best and their median; −1 otherwise. Positive values may
// span orders of magnitude: their logarithms have to stand apart, too.
func Apart(values []float64) (at int, second, median float64) {
	n := len(values)
	if n < fewestApart {
		return -1, 0, 0
	}
	sorted := slices.Sorted(slices.Values(values))
	best, second, median := sorted[n-1], sorted[n-2], sorted[n-1-n/2]
	apart := func(best, second, median float64) bool {
		return second > median && best-second > farApart*(second-median)
	}
	if !apart(best, second, median) || sorted[0] > 0 && !apart(math.Log(best), math.Log(second), math.Log(median)) {
		return -1, 0, 0
	}
	return slices.Index(values, best), second, median
}

// Times returns how many exact measurements of a further outcome, or of the score if outcome is empty, a trial has.
func (t *Trial) Times(outcome string) (n int) {
	for _, m := range t.Measurements {
		if !math.IsNaN(m.exact(outcome)) {
			n++
		}
	}
	return n
}
