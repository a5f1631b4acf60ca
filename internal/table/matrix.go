package table

import (
	"regexp"
	"slices"
	"strings"
)

// isMatrix reports whether a table has the scores of single mutants as a matrix: a row for each position and a column for each residue, or
// the reverse.
func (g *grid) isMatrix() bool {
	const fewest = 3 // residues or positions
	words := g.where(func(i int) bool { return g.share(i, isScore) < 0.5 && g.filled(i) })
	names := g.header
	if !g.format.Header && len(g.sample) > 1 {
		names = g.sample[0].cells
	}
	var letters, positions []string // columns
	for i, name := range names {
		switch {
		case slices.Contains(words, i):
		case isLetter(name):
			letters = append(letters, name)
		case numberedResidue.MatchString(name), isDigits(name) && !g.format.Header:
			positions = append(positions, name)
		}
	}
	labels := func(is func(cell string) bool) bool { // of the rows, in the only column of words
		return len(words) == 1 && len(distinct(g.cells(words[0], sampled))) >= fewest-1 && mostly(g.cells(words[0], sampled), is)
	}
	numbered := len(words) == 0 || labels(numberedResidue.MatchString)
	switch {
	case len(distinct(letters)) > fewest && 2*len(letters) > len(names):
		return numbered
	case len(distinct(positions)) >= fewest && len(distinct(mapped(positions, func(p string) string { return p[:1] }))) > 1:
		return labels(isLetter)
	}
	return false
}

// numberedResidue matches a position with what the wild type has there: K2, Lys2.
var numberedResidue = regexp.MustCompile(`^(?:[ACDEFGHIKLMNPQRSTVWY]|[A-Z][a-z]{2})-?\d{1,5}$`)

// isLetter reports whether a cell is a residue in one letter, or a stop.
func isLetter(cell string) bool {
	return len(cell) == 1 && strings.Contains(residues[Protein]+"*", cell)
}

// distinct returns values without those that are repeated.
func distinct(values []string) []string { return slices.Compact(slices.Sorted(slices.Values(values))) }
