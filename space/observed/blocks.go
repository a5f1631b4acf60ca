package observed

import (
	"math"
	"slices"

	"github.com/invbo/invbo/internal/stats"
)

// What chimeras are at least: sequences that are recombined of blocks. Each block is from one of a few parents.
const (
	fewChimeras   = 8
	mostChimeras  = 300 // that are looked at
	mostParents   = 12
	positionsEach = 1.5 // of a block, on average, that differ between parents
	shorter       = 0.7 // of the letters told one by one are the blocks told as such
)

// Blocks returns where the blocks of chimeras begin, the first one at 0, of sequences of one length; nil: they are no
// chimeras.
//
// Blocks are those with the shortest description (Rissanen 1978): the letters of each of their variants, or how it
// differs from a more common one, and which of them each sequence has.
func Blocks(xs []string) (starts []int) {
	if xs = stats.Evenly(xs, mostChimeras); len(xs) < fewChimeras {
		return nil
	}
	var vary []int // positions
	mutated := 0   // of these, where few sequences differ
	for i := range len(xs[0]) {
		if slices.ContainsFunc(xs, func(x string) bool { return x[i] != xs[0][i] }) {
			vary = append(vary, i)
			if !parental(xs, i) {
				mutated++
			}
		}
	}
	if 2*mutated > len(vary) { // variants of one sequence
		return nil
	}
	n, alone := len(vary), 0.0                                                 // bits of the positions one by one
	best, from := slices.Repeat([]float64{math.Inf(1)}, n+1), make([]int, n+1) // of the first positions; where their last block begins
	best[0] = 0
	for i := range n {
		b := block{xs: xs, of: make([]int, len(xs))}
		for j := i; j < n && b.add(vary[j]); j++ {
			bits, _ := b.description()
			if j == i {
				alone += bits
			}
			if best[i]+bits < best[j+1] {
				best[j+1], from[j+1] = best[i]+bits, i
			}
		}
	}
	if math.IsInf(best[n], 1) || best[n] > shorter*alone {
		return nil
	}
	var parents [][]int // of each block of starts
	for at := n; at > 0; at = from[at] {
		b := block{xs: xs, of: make([]int, len(xs))}
		for _, v := range vary[from[at]:at] {
			b.add(v)
		}
		_, of := b.description()
		// What lies between linked blocks is mutations of one block.
		if k := slices.IndexFunc(parents, func(behind []int) bool { return linked(of, behind) }); k >= 0 {
			starts, parents = starts[:k], parents[:k]
		}
		starts, parents = append(starts, vary[from[at]]), append(parents, of)
	}
	if len(starts) < 2 || positionsEach*float64(len(starts)) > float64(n) {
		return nil
	}
	slices.Reverse(starts)
	starts[0] = 0
	return starts
}

// parental reports whether the second letter of a position is in more than a few sequences, as that of a parent is.
func parental(xs []string, at int) bool {
	const few = 0.05
	var count [256]int
	for _, x := range xs {
		count[x[at]]++
	}
	slices.Sort(count[:])
	return float64(count[len(count)-2]) > few*float64(len(xs))
}

// linked reports whether the parents of one of two blocks tell those of the other in nearly all sequences: then they
// are one block. Parents may be alike in either.
func linked(a, b []int) bool { return tell(a, b) || tell(b, a) }

// tell reports whether a tells b, which is not nearly always the same.
func tell(a, b []int) bool {
	const nearly, mostly = 0.9, 0.75
	both, alone := map[int]map[int]int{}, map[int]int{}
	for k := range b {
		if both[a[k]] == nil {
			both[a[k]] = map[int]int{}
		}
		both[a[k]][b[k]]++
		alone[b[k]]++
	}
	most := func(of map[int]int) (n int) {
		for _, k := range of {
			n = max(n, k)
		}
		return n
	}
	told := 0
	for _, of := range both {
		told += most(of)
	}
	return float64(told) >= nearly*float64(len(b)) && float64(most(alone)) <= mostly*float64(len(b))
}

// block is a block of sequences.
type block struct {
	xs []string
	at []int // positions
	of []int // variant of each sequence, from 0
	n  int   // variants
}

// add adds a position; false: there are more variants than a few parents and their mutants have.
func (b *block) add(at int) bool {
	parts := map[[2]int]int{}
	for k, x := range b.xs {
		key := [2]int{b.of[k], int(x[at])}
		if _, ok := parts[key]; !ok {
			parts[key] = len(parts)
		}
		b.of[k] = parts[key]
	}
	b.at, b.n = append(b.at, at), len(parts)
	return b.n <= min(mostParents+len(b.xs)/3, 4*mostParents)
}

// description returns the bits that the variants take, and the variant of each sequence. parents are the variants, of
// the sequences, that are told letter by letter; others are told by how they differ from one of these.
func (b *block) description() (bits float64, parents []int) {
	const (
		letter = 4.3 // bits of one of 20
		copied = 4   // which variant another is a copy of, and how many letters differ
	)
	count, first := make([]int, b.n), make([]int, b.n)
	for k, v := range b.of {
		if count[v]++; count[v] == 1 {
			first[v] = k
		}
	}
	order := stats.Indices(b.n)
	slices.SortStableFunc(order, func(v, u int) int { return count[u] - count[v] })
	place, parent := math.Log2(float64(len(b.at))), make([]int, b.n)
	var told []int
	for _, v := range order {
		bits -= float64(count[v]) * math.Log2(float64(count[v])/float64(len(b.xs)))
		own := letter * float64(len(b.at))
		parent[v] = v
		for _, u := range told {
			if as := copied + (letter+place)*float64(b.differ(first[u], first[v])); as < own {
				own, parent[v] = as, u
			}
		}
		if bits += own; parent[v] == v && len(told) < mostParents {
			told = append(told, v)
		}
	}
	parents = make([]int, len(b.of))
	for k, v := range b.of {
		parents[k] = parent[v]
	}
	return bits, parents
}

// differ returns at how many positions of the block two sequences differ.
func (b *block) differ(a, c int) (n int) {
	for _, at := range b.at {
		if b.xs[a][at] != b.xs[c][at] {
			n++
		}
	}
	return n
}
