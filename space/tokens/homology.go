package tokens

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
)

// Scores of an alignment, with gaps that cost more to begin than to extend (Gotoh 1982): variants differ by a few
// insertions and deletions of several tokens.
const (
	match    = 2
	mismatch = -1
	gapOpen  = -4
	gapMore  = -1
)

// What bounds the work of an alignment, between the ends that two strings share: strings of more than fewestCells pairs
// of tokens are first parted at the words that both have once, and what is left has mostCells pairs at most.
const (
	fewestCells = 10_000
	mostCells   = 400_000
)

// column is a place of two aligned strings: the indices of their tokens; −1: it has none there.
type column [2]int

// align returns a best global alignment of two strings.
func align(p, q []string) []column {
	n, m := len(p), len(q)
	before := 0
	for before < min(n, m) && p[before] == q[before] {
		before++
	}
	after := 0
	for after < min(n, m)-before && p[n-1-after] == q[m-1-after] {
		after++
	}
	var columns []column
	for i := range before {
		columns = append(columns, column{i, i})
	}
	for _, c := range between(p[before:n-after], q[before:m-after]) {
		for side := range c {
			if c[side] >= 0 {
				c[side] += before
			}
		}
		columns = append(columns, c)
	}
	for i := range after {
		columns = append(columns, column{n - after + i, m - after + i})
	}
	return columns
}

// between aligns strings that share no end.
func between(p, q []string) (columns []column) {
	if len(p)*len(q) > fewestCells {
		if anchors := anchors(p, q); anchors != nil {
			return parted(p, q, anchors)
		}
	}
	return aligned(p, q)
}

// parted aligns strings at anchors, and what is between these.
func parted(p, q []string, anchors []column) (columns []column) {
	i, j := 0, 0
	for _, a := range append(anchors, column{len(p), len(q)}) {
		for _, c := range align(p[i:a[0]], q[j:a[1]]) {
			for side, from := range [2]int{i, j} {
				if c[side] >= 0 {
					c[side] += from
				}
			}
			columns = append(columns, c)
		}
		if a[0] < len(p) {
			columns = append(columns, a)
		}
		i, j = a[0]+1, a[1]+1
	}
	return columns
}

// anchors returns where words begin that occur once in either string, in an order that both have: as many as there can
// be. Words are so long that hardly any is in both by chance.
func anchors(p, q []string) []column {
	const byChance = 0.01
	different := map[string]bool{}
	for _, token := range p {
		different[token] = true
	}
	if len(different) < 2 {
		return nil
	}
	word := int(math.Ceil(math.Log(float64(len(p)*len(q))/byChance) / math.Log(float64(len(different)))))
	at := onceIn(q, word)
	var all []column // in the order of p
	for w, i := range onceIn(p, word) {
		if j, ok := at[w]; ok {
			all = append(all, column{i, j})
		}
	}
	slices.SortFunc(all, func(a, b column) int { return a[0] - b[0] })
	return longestRise(all)
}

// onceIn maps the words that occur once to where they begin.
func onceIn(s []string, word int) map[string]int {
	at := map[string]int{}
	for i := range len(s) - word + 1 {
		w := strings.Join(s[i:i+word], "\x00")
		if _, ok := at[w]; ok {
			at[w] = -1
		} else {
			at[w] = i
		}
	}
	maps.DeleteFunc(at, func(_ string, i int) bool { return i < 0 })
	return at
}

// longestRise returns the most columns in which both strings go on, of some in the order of the first.
func longestRise(all []column) []column {
	var ends []int // of the rises of each length, the column with the least place in the second string
	before := make([]int, len(all))
	for i, c := range all {
		k, _ := slices.BinarySearchFunc(ends, c[1], func(end, place int) int { return all[end][1] - place })
		if before[i] = -1; k > 0 {
			before[i] = ends[k-1]
		}
		if k < len(ends) {
			ends[k] = i
		} else {
			ends = append(ends, i)
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var rise []column
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		rise = append(rise, all[i])
	}
	slices.Reverse(rise)
	return rise
}

// aligned aligns strings pair by pair; if they are too long, one after the other.
func aligned(p, q []string) (columns []column) {
	n, m := len(p), len(q)
	if n == 0 || m == 0 || n*m > mostCells {
		for i := range n {
			columns = append(columns, column{i, -1})
		}
		for j := range m {
			columns = append(columns, column{-1, j})
		}
		return columns
	}
	// Best scores of the first i and j tokens whose last column is a pair, a token of p alone, or one of q alone.
	const impossible = -1 << 30
	width := m + 1
	var best [3][]int
	for k := range best {
		best[k] = slices.Repeat([]int{impossible}, (n+1)*width)
	}
	best[0][0] = 0
	from := func(i, j, last, open int) int { // the best score before a gap, or within it
		at := i*width + j
		return max(best[0][at]+open, best[last][at]+gapMore, best[3-last][at]+open)
	}
	for i := range n + 1 {
		for j := range m + 1 {
			at := i*width + j
			if i > 0 && j > 0 {
				s := mismatch
				if p[i-1] == q[j-1] {
					s = match
				}
				diagonal := at - width - 1
				best[0][at] = s + max(best[0][diagonal], best[1][diagonal], best[2][diagonal])
			}
			if i > 0 {
				best[1][at] = from(i-1, j, 1, gapOpen)
			}
			if j > 0 {
				best[2][at] = from(i, j-1, 2, gapOpen)
			}
		}
	}
	i, j, last := n, m, 0
	for k := range best {
		if best[k][n*width+m] > best[last][n*width+m] {
			last = k
		}
	}
	for i > 0 || j > 0 {
		now := best[last][i*width+j]
		var next int
		switch last {
		case 0:
			i, j = i-1, j-1
			columns = append(columns, column{i, j})
			s := mismatch
			if p[i] == q[j] {
				s = match
			}
			for next = 0; next < 2 && best[next][i*width+j]+s != now; next++ {
			}
		default:
			c := column{-1, -1}
			if last == 1 {
				i--
				c[0] = i
			} else {
				j--
				c[1] = j
			}
			columns = append(columns, c)
			next = last
			if at := i*width + j; best[last][at]+gapMore != now {
				if next = 0; best[0][at]+gapOpen != now {
					next = 3 - last
				}
			}
		}
		last = next
	}
	slices.Reverse(columns)
	return columns
}

// identity returns how many tokens of two strings are the same in their alignment, as a share of the shorter one.
func identity(p, q []string) float64 {
	same := 0
	for _, c := range align(p, q) {
		if c[0] >= 0 && c[1] >= 0 && p[c[0]] == q[c[1]] {
			same++
		}
	}
	return float64(same) / float64(max(1, min(len(p), len(q))))
}

// AreHomologous reports whether sequences of different lengths are variants of each other: in the alignments of some
// neighbours in the data many more tokens are the same than in those with reversed sequences, which are the same by
// chance.
func AreHomologous(sequences [][]string) bool {
	const fewest, tried, beyond = 4, 20, 0.15
	if len(sequences) < fewest || !slices.ContainsFunc(sequences, func(s []string) bool { return len(s) != len(sequences[0]) }) {
		return false
	}
	var identities, chance []float64
	some := stats.Evenly(sequences, tried)
	for i := 1; i < len(some); i++ {
		reversed := slices.Clone(some[i])
		slices.Reverse(reversed)
		identities, chance = append(identities, identity(some[i-1], some[i])), append(chance, identity(some[i-1], reversed))
	}
	return stats.Median(identities) >= stats.Median(chance)+beyond
}

// AreShifted reports whether sequences of one length are alike where parts of them are moved, and not place by place, as
// circular permutants are, windows of a target, or proteins with a tag at various places: in the alignments of most pairs
// of some sequences many more tokens are the same than without gaps, and than in those with reversed sequences,
// which are the same by chance.
func AreShifted(sequences [][]string) bool {
	const fewest, tried, beyond = 4, 12, 0.15
	if len(sequences) < fewest {
		return false
	}
	some := slices.SortedFunc(slices.Values(sequences), slices.Compare) // so that the order of rows does not matter
	some = stats.Evenly(some, tried)
	var identities, placed, chance []float64
	for i, p := range some {
		for _, q := range some[i+1:] {
			reversed := slices.Clone(q)
			slices.Reverse(reversed)
			identities, placed, chance = append(identities, identity(p, q)), append(placed, inPlace(p, q)), append(chance, identity(p, reversed))
		}
	}
	return stats.Median(identities) >= beyond+max(stats.Median(chance), stats.Median(placed))
}

// inPlace returns how many tokens of two strings are the same without gaps, as a share of the shorter one.
func inPlace(p, q []string) float64 {
	n, same := min(len(p), len(q)), 0
	for i := range n {
		if p[i] == q[i] {
			same++
		}
	}
	return float64(same) / float64(max(1, n))
}

// homologous returns p with some of the neighbouring differences that q has, but not all; nil: there are fewer than two.
func homologous(p, q []string, rng *rand.Rand) []string {
	columns := align(p, q)
	of, differences := differencesOf(p, q, columns)
	if differences < 2 {
		return nil
	}
	n := 1 + rng.IntN(differences-1)
	from := 1 + rng.IntN(differences-n+1)
	var child []string
	for k, c := range columns {
		side, x := 0, p
		if from <= of[k] && of[k] < from+n {
			side, x = 1, q
		}
		if c[side] >= 0 {
			child = append(child, x[c[side]])
		}
	}
	return child
}

// differencesOf returns the number of each column's difference, from 1, or 0 where it has none, and how many there are.
// Another token is one, but many in a row are one together: a segment was exchanged. So is an insertion or deletion with
// all that differs beside it and the few tokens that are the same in between by chance: of two tags neither is parted.
func differencesOf(p, q []string, columns []column) (of []int, n int) {
	const (
		apart   = 4 // equal tokens that part differences
		segment = 5 // tokens in a row
	)
	of = make([]int, len(columns))
	differs := func(k int) bool { c := columns[k]; return c[0] < 0 || c[1] < 0 || p[c[0]] != q[c[1]] }
	for k := 0; k < len(columns); {
		if !differs(k) {
			k++
			continue
		}
		end, row, whole := k, 0, false // of what differs with fewer equal tokens in between
		for at := k; at < len(columns) && at < end+apart; at++ {
			if !differs(at) {
				row = 0
				continue
			}
			row++
			end, whole = at+1, whole || row >= segment || slices.Contains(columns[at][:], -1)
		}
		if whole {
			n++
		}
		for ; k < end; k++ {
			if !whole && differs(k) {
				n++
			}
			if whole || differs(k) {
				of[k] = n
			}
		}
	}
	return of, n
}

// substitute replaces one or two tokens of p where the tokens of q differ: what all strings share stays.
func (e Edits) substitute(p, q []string, rng *rand.Rand) []string {
	var vary []int
	for _, c := range align(p, q) {
		if c[0] >= 0 && c[1] >= 0 && p[c[0]] != q[c[1]] {
			vary = append(vary, c[0])
		}
	}
	if len(vary) == 0 {
		return nil
	}
	for range 1 + rng.IntN(2) {
		p[vary[rng.IntN(len(vary))]] = e.any(rng)
	}
	return p
}
