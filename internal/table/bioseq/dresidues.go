package bioseq

import (
	"cmp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/notation"
)

// mayBeD returns a function that reports whether letters in lower case among the capitals of a peptide may stand for D
// residues. It judges by all letters of a list, and by their wild type, which may be empty: lower case where these
// differ marks what was mutated.
func mayBeD(all []string, wildType string) func(letters string) bool {
	reference := wildType
	if slices.ContainsFunc(all, notation.IsMixed) {
		reference = cmp.Or(reference, usualLetters(all))
		if !marksMutations(all, reference) {
			reference = ""
		}
	}
	return func(letters string) bool { return hasD(letters, reference) }
}

// hasD reports whether letters in lower case among the capitals of a peptide may stand for D residues. Those that
// differ from the reference mark what was mutated, unless it has another length.
func hasD(letters, reference string) bool {
	if len(letters) > notation.LongestPeptide || !notation.IsMixed(letters) {
		return false
	}
	if len(reference) != len(letters) {
		return true
	}
	for i := range len(letters) {
		if r := rune(letters[i]); capital(r) != r && capital(r) == capital(rune(reference[i])) {
			return true
		}
	}
	return false
}

// marksMutations reports whether sequences differ from a reference of the same length by letters in lower case, and
// hardly by capitals.
func marksMutations(all []string, reference string) bool {
	small, capitals := 0, 0
	for _, x := range all {
		if len(x) != len(reference) || !notation.IsMixed(x) && x == strings.ToLower(x) {
			continue
		}
		for i := range len(x) {
			switch r := rune(x[i]); {
			case capital(r) == capital(rune(reference[i])):
			case capital(r) != r:
				small++
			default:
				capitals++
			}
		}
	}
	return 10*capitals <= small
}

// usualLetters returns the capitals that most of sequences have at each position; "" if nine in ten have no length in
// common.
func usualLetters(all []string) string {
	lengths := map[int]int{}
	length := 0
	for _, x := range all {
		if lengths[len(x)]++; lengths[len(x)] > lengths[length] {
			length = len(x)
		}
	}
	if 10*lengths[length] < 9*len(all) {
		return ""
	}
	usual := make([]byte, length)
	for i := range usual {
		var times [256]int
		for _, x := range all {
			if len(x) == length {
				b := byte(capital(rune(x[i])))
				if times[b]++; times[b] > times[usual[i]] {
					usual[i] = b
				}
			}
		}
	}
	return string(usual)
}
