package observed

import (
	"math"
	"slices"
	"strings"
)

// What windows are at least.
const (
	fewWindows  = 6
	mostWindows = 2_000  // each is compared with each
	ofWindows   = 0.8    // of the sequences overlap another one
	overlap     = 0.25   // of a window, at least
	byChance    = 0.01   // overlaps of that length that unrelated sequences have, at most
	alike       = 0.5    // of the letters of two that overlap are the same without a shift, at most
	mostBetween = 50_000 // windows
)

// Windows returns the windows of a target that lie between measured ones and have one of their lengths, in the order of
// the target; nil: the sequences are no windows, or none lies between. Sequences are windows if nearly each begins as
// another one ends, as those of an antisense walk or of overlapping peptides do.
func Windows(xs []string) (between []string) {
	xs = slices.Compact(slices.Sorted(slices.Values(xs)))
	n := len(xs)
	if n < fewWindows || n > mostWindows {
		return nil
	}
	next, previous, shared := successors(xs)
	linked, same := 0, 0
	for i := range n {
		if next[i] >= 0 || previous[i] >= 0 {
			linked++
		}
		if j := next[i]; j >= 0 && likeness(xs[i], xs[j]) > alike {
			same++
		}
	}
	if float64(linked) < ofWindows*float64(n) || 2*same > linked {
		return nil
	}
	known, lengths := map[string]bool{}, map[int]bool{}
	for _, x := range xs {
		known[x], lengths[len(x)] = true, true
	}
	for i := range n {
		if previous[i] >= 0 {
			continue
		}
		target := xs[i]
		for at := i; next[at] >= 0; at = next[at] {
			target += xs[next[at]][shared[at]:]
		}
		for from := range target {
			for length := range len(target) - from {
				if x := target[from : from+length+1]; lengths[len(x)] && !known[x] {
					known[x] = true
					between = append(between, x)
				}
			}
			if len(between) > mostBetween {
				return nil
			}
		}
	}
	return between
}

// successors returns for each sequence the one that overlaps its end most, if none overlaps that one's beginning more;
// −1: there is none. shared is how many letters they share.
func successors(xs []string) (next, previous, shared []int) {
	n := len(xs)
	letters := map[rune]bool{}
	for _, r := range strings.Join(xs, "") {
		letters[r] = true
	}
	least := int(math.Ceil(math.Log(float64(n*n)/byChance) / math.Log(float64(max(2, len(letters))))))
	next, previous, shared = slices.Repeat([]int{-1}, n), slices.Repeat([]int{-1}, n), make([]int, n)
	most := make([]int, n) // letters that each shares with the sequence before it
	for i, x := range xs {
		for j, y := range xs {
			if i == j {
				continue
			}
			for k := min(len(x), len(y)) - 1; k >= max(least, shared[i]+1, int(math.Ceil(overlap*float64(len(x))))); k-- {
				if strings.HasSuffix(x, y[:k]) {
					next[i], shared[i] = j, k
					break
				}
			}
		}
		if j := next[i]; j >= 0 && shared[i] > most[j] {
			previous[j], most[j] = i, shared[i]
		}
	}
	for i, j := range next {
		if j >= 0 && previous[j] != i {
			next[i] = -1
		}
	}
	return next, previous, shared
}

// likeness returns which share of the letters of the shorter sequence are the same in the other one, place by place.
func likeness(x, y string) float64 {
	n, same := min(len(x), len(y)), 0
	for i := range n {
		if x[i] == y[i] {
			same++
		}
	}
	return float64(same) / float64(max(1, n))
}
