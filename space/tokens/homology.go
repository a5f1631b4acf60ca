package tokens

import (
	"math/rand/v2"
	"slices"

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

// mostCells bounds the work of an alignment, between the ends that two strings share.
const mostCells = 400_000

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

// between aligns strings that share no end; if they are too long, one after the other.
func between(p, q []string) (columns []column) {
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

// homologous returns p with what q has in a part of their alignment. No insertion or deletion is parted.
func homologous(p, q []string, rng *rand.Rand) []string {
	columns := align(p, q)
	gap := func(k int) int { // which string lacks a token there; −1: none
		return slices.Index(columns[k][:], -1)
	}
	var cuts []int
	for k := range len(columns) + 1 {
		if k == 0 || k == len(columns) || gap(k-1) != gap(k) || gap(k) < 0 {
			cuts = append(cuts, k)
		}
	}
	i, j := rng.IntN(len(cuts)), rng.IntN(len(cuts))
	from, to := cuts[min(i, j)], cuts[max(i, j)]
	var child []string
	for k, c := range columns {
		side, of := 0, p
		if from <= k && k < to {
			side, of = 1, q
		}
		if c[side] >= 0 {
			child = append(child, of[c[side]])
		}
	}
	return child
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
