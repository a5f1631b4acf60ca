package task

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
)

// What chimeras are at least: sequences that are recombined of blocks, each of which is of one of a few parents.
const (
	fewChimeras   = 8
	mostParents   = 12
	positionsEach = 1.5 // of a block, on average, that differ between parents
	shorter       = 0.7 // of the letters told one by one are the blocks told as such
	fewCopies     = 2   // sequences with a variant that may be another one with mutations
)

// blocksOf returns where the blocks of chimeras begin, the first one at 0, of sequences of one length; nil: they are no chimeras.
//
// Blocks are those with the shortest description (Rissanen 1978): the letters of each of their variants, or how it differs from a more common one, and which
// of them each sequence has.
func blocksOf(xs []string) (starts []int) {
	if xs = stats.Evenly(xs, mostSlots); len(xs) < fewChimeras {
		return nil
	}
	var vary []int // positions
	alone := 0.0   // bits of these one by one
	for i := range len(xs[0]) {
		if slices.ContainsFunc(xs, func(x string) bool { return x[i] != xs[0][i] }) {
			vary = append(vary, i)
		}
	}
	n := len(vary)
	best, from := slices.Repeat([]float64{math.Inf(1)}, n+1), make([]int, n+1) // of the first positions; where their last block begins
	best[0] = 0
	for i := range n {
		of := make([]int, len(xs)) // variant of each sequence, of the block from i
		for j := i; j < n; j++ {
			parts := map[[2]int]int{}
			for k, x := range xs {
				key := [2]int{of[k], int(x[vary[j]])}
				if _, ok := parts[key]; !ok {
					parts[key] = len(parts)
				}
				of[k] = parts[key]
			}
			variants := variantsOf(of, len(parts))
			if len(variants) > mostParents && variants[mostParents].count > fewCopies || len(variants) > mostParents+len(xs)/3 {
				break
			}
			bits := description(variants, len(xs), func(a, b int) (differ int) {
				for _, at := range vary[i : j+1] {
					if xs[a][at] != xs[b][at] {
						differ++
					}
				}
				return differ
			}, j+1-i)
			if j == i {
				alone += bits
			}
			if best[i]+bits < best[j+1] {
				best[j+1], from[j+1] = best[i]+bits, i
			}
		}
	}
	if math.IsInf(best[n], 1) {
		return nil
	}
	for at := n; at > 0; at = from[at] {
		starts = append(starts, vary[from[at]])
	}
	if len(starts) < 2 || positionsEach*float64(len(starts)) > float64(n) || best[n] > shorter*alone {
		return nil
	}
	slices.Reverse(starts)
	starts[0] = 0
	return starts
}

// variant is one of the variants of a block: how many sequences have it, and the first of them.
type variant struct{ count, first int }

// variantsOf returns the variants that sequences have, numbered from 0, the most common first.
func variantsOf(of []int, n int) []variant {
	all := make([]variant, n)
	for k, v := range of {
		if all[v].count++; all[v].count == 1 {
			all[v].first = k
		}
	}
	slices.SortStableFunc(all, func(a, b variant) int { return b.count - a.count })
	return all
}

// description returns the bits that variants of a block of so many letters take, and the variant of each of n sequences. differ counts the letters that differ
// in the block of two sequences.
func description(variants []variant, n int, differ func(a, b int) int, letters int) (bits float64) {
	const (
		letter = 4.3 // bits of one of 20
		copied = 4   // of which variant another is a copy of, and how many letters differ
	)
	place := math.Log2(float64(letters))
	for k, v := range variants {
		bits -= float64(v.count) * math.Log2(float64(v.count)/float64(n))
		own := letter * float64(letters)
		if v.count <= fewCopies {
			for _, u := range variants[:min(k, mostParents)] {
				own = min(own, copied+(letter+place)*float64(differ(u.first, v.first)))
			}
		}
		bits += own
	}
	return bits
}

// chimeraSpace returns the space of sequences of one length that are recombined of blocks; ok is false if they are not.
func chimeraSpace(o Options, d Design, examples, variants []string, kind table.Sequences) (out Space, ok bool, err error) {
	starts := blocksOf(examples)
	if starts == nil {
		return out, false, nil
	}
	split := func(x string) (blocks []string) {
		if len(x) != len(examples[0]) {
			return []string{x}
		}
		for k, from := range starts {
			to := len(x)
			if k+1 < len(starts) {
				to = starts[k+1]
			}
			blocks = append(blocks, x[from:to])
		}
		return blocks
	}
	code, ok := blockCode(examples, split)
	if !ok {
		return out, false, nil
	}
	places := make([]int, len(starts))
	for k, from := range starts {
		places[k] = from + o.Offset + 1
	}
	out.Notes.Add("the sequences are recombined of %d blocks, which begin at the positions %s, and so are proposals; %s changes single positions", len(starts), Positions(places), option.Name("positions"))
	breaks, err := out.coded(&o.SequenceOptions, d, examples, kind)
	if err != nil {
		return out, false, err
	}
	err = out.alignAs(code, o, examples, variants, "", len(starts), d.known(examples), either(breaks, o.forbids(kind)))
	o.know(&out)
	return out, true, err
}

// blockCode writes each block of sequences as a letter, and others as one that is not proposed; ok is false if there are too many.
func blockCode(xs []string, split func(x string) []string) (l *lettered, ok bool) {
	at := make([]map[string]bool, len(split(xs[0])))
	tokens := []string{otherItem}
	for k := range at {
		at[k] = map[string]bool{}
		for _, x := range xs {
			at[k][split(x)[k]] = true
		}
		for block := range at[k] {
			tokens = append(tokens, block)
		}
	}
	if l = newLettered(inOrder(tokens), split, func(blocks []string) string { return strings.Join(blocks, "") }); l == nil {
		return nil, false
	}
	l.other = otherItem
	for _, blocks := range at {
		l.at = append(l.at, l.encodeTokens(slices.Sorted(maps.Keys(blocks))))
	}
	return l, true
}
