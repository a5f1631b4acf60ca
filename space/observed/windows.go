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
// the target. are says that the sequences are windows, though none may lie between: nearly each begins as another one
// ends, as those of an antisense walk or of overlapping peptides do. What all have at their ends, such as an adapter, is
// no part of the target.
func Windows(xs []string) (between []string, are bool) {
	xs = slices.Compact(slices.Sorted(slices.Values(xs)))
	n := len(xs)
	if n < fewWindows || n > mostWindows {
		return nil, false
	}
	letters := make([][]string, n)
	for i, x := range xs {
		letters[i] = strings.Split(x, "")
	}
	b, a := Ends(letters, fewWindows)
	before, after := strings.Join(letters[0][:b], ""), strings.Join(letters[0][len(letters[0])-a:], "")
	bare := make([]string, n)
	for i, x := range xs {
		bare[i] = x[len(before) : len(x)-len(after)]
	}
	next, previous, shared := successors(bare)
	linked, same := 0, 0
	for i := range n {
		if next[i] >= 0 || previous[i] >= 0 {
			linked++
		}
		if j := next[i]; j >= 0 && likeness(bare[i], bare[j]) > alike {
			same++
		}
	}
	if float64(linked) < ofWindows*float64(n) || 2*same > linked {
		return nil, false
	}
	known, lengths := map[string]bool{}, make([]int, n)
	for i, x := range bare {
		known[x], lengths[i] = true, len(x)
	}
	slices.Sort(lengths)
	lengths = slices.Compact(lengths)
	for _, target := range targets(bare, next, previous, shared) {
		for from := range target {
			for _, length := range lengths {
				if from+length > len(target) {
					continue
				}
				if x := target[from : from+length]; !known[x] {
					known[x] = true
					between = append(between, before+x+after)
				}
			}
			if len(between) > mostBetween {
				return nil, false
			}
		}
	}
	return between, true
}

// targets returns the sequences that overlapping windows are parts of. One of a circle begins at any of its windows, and
// ends with that.
func targets(xs []string, next, previous, shared []int) (all []string) {
	seen := make([]bool, len(xs))
	join := func(first int) {
		target, at := xs[first], first
		for seen[at] = true; next[at] >= 0; {
			at, target = next[at], target+xs[next[at]][shared[at]:]
			if seen[at] {
				break
			}
			seen[at] = true
		}
		all = append(all, target)
	}
	for i := range xs {
		if previous[i] < 0 && next[i] >= 0 { // a sequence beside all others is no window
			join(i)
		}
	}
	for i := range xs {
		if !seen[i] && next[i] >= 0 {
			join(i)
		}
	}
	return all
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
