package mutation

import (
	"slices"
	"strings"
)

// Variant is a sequence in capital letters, and the substitutions that are said to make it of a wild type.
type Variant struct {
	Sequence      string
	Substitutions []Substitution
}

// Parent returns the sequence that more than half of the variants have with their substitutions undone, and the
// position of its first letter: first or, if there is none then, another one that fits. It is empty if there is no such
// sequence.
func Parent(all []Variant, first int) (wildType string, at int) {
	const looked = 200 // variants, for other positions
	if wildType = parent(all, first); wildType != "" {
		return wildType, first
	}
	i := slices.IndexFunc(all, func(v Variant) bool { return len(v.Substitutions) > 0 })
	if i < 0 {
		return "", 0
	}
	s := all[i].Substitutions[0]
	for k, letter := range []byte(all[i].Sequence) {
		at = s.Position - k
		if letter == s.To && parent(all[:min(len(all), looked)], at) != "" {
			return parent(all, at), at
		}
	}
	return "", 0
}

// parent returns the sequence that more than half of the variants have with their substitutions undone; empty if there
// is none.
func parent(all []Variant, first int) string {
	times := map[string]int{}
	for _, v := range all {
		sequence := Undo(v.Sequence, first, v.Substitutions)
		if times[sequence]++; 2*times[sequence] > len(all) {
			return sequence
		}
	}
	return ""
}

// fits reports whether a wild type, whose first letter has the position first, has what substitutions replace.
func fits(wildType string, first int, all []Substitution) bool {
	return !slices.ContainsFunc(all, func(s Substitution) bool {
		at := s.Position - first
		return at < 0 || at >= len(wildType) || wildType[at] != s.From
	})
}

// Numbering returns the positions that the first letter of the wild type may have so that the most mutants fit, and how
// many do. Each mutant is some substitutions; there are no positions if no mutant fits at any.
func Numbering(wildType string, mutants [][]Substitution) (first []int, fit int) {
	type place struct {
		letter   byte
		position int
	}
	var usual place // the wild type has its letter where the first letter has a position that comes into question
	times := map[place]int{}
	for _, s := range slices.Concat(mutants...) {
		times[place{s.From, s.Position}]++
	}
	for _, s := range slices.Concat(mutants...) { // in their order: of several, the first
		if p := (place{s.From, s.Position}); times[p] > times[usual] {
			usual = p
		}
	}
	for i := len(wildType) - 1; i >= 0; i-- {
		if wildType[i] != usual.letter {
			continue
		}
		at, n := usual.position-i, 0
		for _, all := range mutants {
			if fits(wildType, at, all) {
				n++
			}
		}
		if n > fit {
			first, fit = nil, n
		}
		if n == fit && n > 0 {
			first = append(first, at)
		}
	}
	return first, fit
}

// SkipsZero reports whether mutants are numbered from first, which is negative, without a position 0: hardly any mutant
// contradicts the wild type then, and more do otherwise.
func SkipsZero(wildType string, first int, mutants [][]Substitution) bool {
	plain, skipping := 0, 0
	for _, all := range mutants {
		skipped := slices.Clone(all)
		for i, s := range all {
			if s.Position == 0 {
				return false
			}
			if s.Position > 0 {
				skipped[i].Position--
			}
		}
		if fits(wildType, first, all) {
			plain++
		}
		if fits(wildType, first, skipped) {
			skipping++
		}
	}
	return skipping > plain && 10*skipping >= 9*len(mutants)
}

// OfProteins reports whether a wild type is DNA or RNA, and most mutants replace or have amino acids that no base is
// called as.
func OfProteins(wildType string, mutants [][]Substitution) bool {
	const bases = "ACGTU"
	proteins := 0
	for _, all := range mutants {
		if slices.ContainsFunc(all, func(s Substitution) bool {
			return strings.IndexByte(bases, s.From) < 0 || strings.IndexByte(bases, s.To) < 0
		}) {
			proteins++
		}
	}
	return isNucleic(wildType) && 2*proteins > len(mutants)
}
