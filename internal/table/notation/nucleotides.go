package notation

import (
	"regexp"
	"slices"
	"strings"
)

// Nucleotides with modifications in three notations: usUfsgcAf, where lower case is 2'-methoxy and f 2'-fluoro;
// mUsfUsmG; and /i2MOErT/*+A*G, as suppliers write them. An s or * is a phosphorothioate after the nucleotide.
var modified = []*regexp.Regexp{
	regexp.MustCompile(`(?:[ACGU]f|d[ACGT]|[ACGUacgu])s?|L96`),
	regexp.MustCompile(`(?:moe|lna|fana|bna|[mfdrleb])?[ACGTU](?:s|\*)?|L96`),
	regexp.MustCompile(`(?:/[0-9A-Za-z_-]+/|[mr+]?[ACGTU])\*?`),
}

// Modified returns a function that splits nucleic acids with modifications, as T beside U is one, into their
// nucleotides, and another string into one; nil if not all strings, but one or one in ten, are such.
func Modified(xs []string) func(x string) []string {
	const shortest = 5
	for _, nucleotide := range modified {
		split := func(x string) []string {
			if all := nucleotide.FindAllString(x, -1); strings.Join(all, "") == x {
				return all
			}
			return []string{x}
		}
		wrong := 0
		for _, x := range xs {
			if n := len(split(x)); n < shortest || n == len(x) && !IsChimera(x) {
				wrong++
			}
		}
		if len(xs) > 0 && wrong <= slips(len(xs)) {
			return split
		}
	}
	return nil
}

// IsNucleotide reports whether a token is a nucleotide with a modification, such as mU.
func IsNucleotide(token string) bool {
	return slices.ContainsFunc(modified, func(m *regexp.Regexp) bool { return m.FindString(token) == token && token != "" })
}

// IsChimera reports whether bare letters are of DNA and RNA, as of an siRNA that ends in TT.
func IsChimera(letters string) bool {
	letters = strings.ToUpper(letters)
	return strings.Contains(letters, "T") && strings.Contains(letters, "U")
}
