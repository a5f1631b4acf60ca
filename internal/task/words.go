package task

import (
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/space/tokens"
)

// words are peptides whose residues hyphens separate (notation.Words). A word that begins or ends examples, and is no
// residue, is an end.
type words struct {
	Options
	design   Design
	xs       []string
	residues map[string]bool // words inside examples, and others named as residues where most examples have no ends
}

// wordsSpace returns the space of peptides whose residues hyphens separate: proposals begin and end as one of the
// examples does, and have its rings. They are aligned if most have one number of residues and their rings at the same
// places.
func wordsSpace(o Options, d Design) (Space, error) {
	w := words{Options: o, design: d, xs: d.Strings(), residues: map[string]bool{}}
	var first, last []string
	for _, x := range w.xs {
		all := splitWords(x)
		for _, word := range all[min(1, len(all)-1) : len(all)-1] {
			w.residues[word] = true
		}
		first, last = append(first, all[0]), append(last, all[len(all)-1])
	}
	w.addOuter(first)
	w.addOuter(last)
	frame, _ := usual(w.xs, w.frame)
	if strings.Contains(frame, anyWord) && w.Lengths == (Lengths{}) {
		return w.aligned(frame)
	}
	return w.varying()
}

// addOuter adds, of the words that examples begin or end with, those named as residues, such as Nle, if most of them
// are amino acids, and no ends.
func (w words) addOuter(all []string) {
	n := 0
	for _, word := range all {
		if notation.IsResidue(word) {
			n++
		}
	}
	if 2*n <= len(all) {
		return
	}
	for _, word := range all {
		if notation.NamesResidue(word) {
			w.residues[word] = true
		}
	}
}

// anyWord stands for a residue in a frame of words.
const anyWord = "?"

// frame returns the words between the ends of a peptide, with blanks between them and anyWord for each residue: the
// others are ends of rings.
func (w words) frame(x string) string {
	_, residues, _ := w.take(x)
	residues = slices.Clone(residues)
	for i, word := range residues {
		if !notation.IsRingEnd(word) {
			residues[i] = anyWord
		}
	}
	return strings.Join(residues, " ")
}

// inFrame returns the words of a frame with residues in it.
func inFrame(frame string, residues []string) (all []string) {
	for word := range strings.FieldsSeq(frame) {
		if word == anyWord {
			word, residues = residues[0], residues[1:]
		}
		all = append(all, word)
	}
	return all
}

// splitWords returns the words of a peptide; another string is one word.
func splitWords(x string) []string {
	if words := notation.Words(x); words != nil {
		return words
	}
	return []string{x}
}

func (w words) isResidue(word string) bool { return w.residues[word] || notation.IsResidue(word) }

// take returns the residues of a peptide, and what is before and after them; "": nothing.
func (w words) take(x string) (before string, residues []string, after string) {
	residues = splitWords(x)
	if first := residues[0]; !w.isResidue(first) {
		before, residues = first, residues[1:]
	}
	if n := len(residues); n > 0 && !w.isResidue(residues[n-1]) {
		residues, after = residues[:n-1], residues[n-1]
	}
	return before, residues, after
}

// aligned returns the space of peptides of one frame, whose residues positions are counted along. A proposal has the
// ends of the peptide that it is made from.
func (w words) aligned(frame string) (Space, error) {
	const around = "\n" // between what is before and after residues, as one token
	length := strings.Count(frame, anyWord)
	other := func(x string) bool { return w.frame(x) != frame }
	split := func(x string) []string {
		before, residues, after := w.take(x)
		if other(x) {
			return nil
		}
		return append(slices.DeleteFunc(slices.Clone(residues), notation.IsRingEnd), before+around+after)
	}
	examples := slices.DeleteFunc(slices.Clone(w.xs), other)
	var symbols, ends []string
	for _, x := range examples {
		tokens := split(x)
		symbols, ends = append(symbols, tokens...), append(ends, tokens[length])
	}
	for _, x := range w.design.Pool {
		_, residues, _ := w.take(x)
		symbols = append(symbols, slices.DeleteFunc(slices.Clone(residues), notation.IsRingEnd)...)
	}
	l := newLettered(inOrder(symbols), split, func(tokens []string) string {
		last := len(tokens) - 1
		before, after, _ := strings.Cut(tokens[last], around)
		return notation.JoinWords(slices.DeleteFunc(slices.Concat([]string{before}, inFrame(frame, tokens[:last]), []string{after}), func(t string) bool { return t == "" }))
	})
	if l == nil {
		return w.varying()
	}
	l.ends = true
	var out Space
	if n := len(w.xs) - len(examples); n > 0 {
		out.Notes.Add("proposals have %d residues, and rings as most sequences have; those of another length or with other rings, which teach the search nothing unless a range of lengths is asked for: %d", length, n)
	}
	variants := slices.DeleteFunc(slices.Clone(w.design.Pool), func(x string) bool { return other(x) || l.encode(x) == "" })
	forbids := w.forbids(bioseq.None)
	if err := out.alignAs(l, w.Options, examples, variants, l.encodeTokens(inOrder(ends)), length, w.design.total(examples), forbids); err != nil {
		return Space{}, err
	}
	w.know(&out)
	return out, nil
}

// varying returns the space of peptides of several lengths, which are numbers of words.
func (w words) varying() (Space, error) {
	if err := w.needAligned(); err != nil {
		return Space{}, err
	}
	ends := func(x string) [3]string { // and rings
		before, _, after := w.take(x)
		return [3]string{before, rings(w.frame(x)), after}
	}
	kept := map[[3]string]bool{}
	for _, x := range w.xs {
		kept[ends(x)] = true
	}
	forbidden, lengths := w.forbids(bioseq.None), w.Lengths
	if lengths == (Lengths{}) {
		lengths = usualLengths(w.design.Init, w.Minimize, func(x string) int { return len(splitWords(x)) })
	}
	space, err := tokens.New(w.xs, tokens.Options{
		Split: func(x string) ([]string, error) { return splitWords(x), nil }, Join: notation.JoinWords,
		Shortest: lengths.Min, Longest: lengths.Max, Open: true, // a child with a broken ring is one word
	})
	out := Space{Space: space, Lengths: lengths}
	w.know(&out)
	return out.proposing(func(x string) bool {
		_, residues, _ := w.take(x)
		return !kept[ends(x)] || slices.ContainsFunc(residues, func(word string) bool { return !w.isResidue(word) }) || forbidden != nil && forbidden(x)
	}, nil), err
}

// rings returns the rings of a frame, without the residues in them; "": there are none.
func rings(frame string) string {
	var all []string
	some, inside := false, false
	for word := range strings.FieldsSeq(frame) {
		if word != anyWord {
			some, inside = true, strings.ContainsAny(word, "([")
		}
		if word != anyWord || !inside {
			all = append(all, word)
		}
	}
	if !some {
		return ""
	}
	return strings.Join(all, " ")
}
