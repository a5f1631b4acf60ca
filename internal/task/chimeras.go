package task

import (
	"maps"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
)

// chimeras sets the space of sequences of one length that are recombined of blocks, which begin at starts; ok is false
// if the blocks have too many variants.
func (out *Space) chimeras(starts []int, o Options, d Design, examples, variants []string, forbids func(x string) bool, canonical func(x string) string) (ok bool, err error) {
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
		return false, nil
	}
	places := make([]int, len(starts))
	for k, from := range starts {
		places[k] = from + o.Offset + 1
	}
	out.Notes.Add("the sequences are recombined of %d blocks, which begin at the positions %s, and so are proposals; %s changes single positions", len(starts), Positions(places), option.Name("positions"))
	if err := out.alignAs(code, o, examples, variants, "", len(starts), d.total(examples), forbids); err != nil {
		return false, err
	}
	o.know(out)
	*out = out.proposing(nil, canonical)
	return true, nil
}

// blockCode writes each block of sequences as a letter, and others as one that is not proposed; ok is false if there
// are too many.
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
