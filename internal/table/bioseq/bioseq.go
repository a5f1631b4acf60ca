// Package bioseq reads sequences of proteins, DNA and RNA in letters: it finds out what the sequences of a list are,
// cleans each, and says what it changed or why it refuses it. Sequences that are more than letters are those of package
// notation.
package bioseq

import (
	"fmt"
	"strings"

	"github.com/invbo/invbo/internal/table/notation"
)

// Kind says what sequences are of.
type Kind string

const (
	None    Kind = "" // other strings
	Protein Kind = "protein"
	DNA     Kind = "DNA"
	RNA     Kind = "RNA"
)

// alphabets are the letters of sequences that a search may use. Others, such as X, stand for several or are rare.
var alphabets = map[Kind]string{Protein: notation.AminoAcids, DNA: "ACGT", RNA: "ACGU"}

// Letters returns the letters of sequences of a kind, in capitals and sorted; empty for None.
func (k Kind) Letters() string { return alphabets[k] }

// KindOver returns the kind of sequences over an alphabet of capital letters: DNA, RNA or Protein, the first that has
// them all; None if the alphabet is empty or has others.
func KindOver(alphabet string) Kind {
	for _, k := range []Kind{DNA, RNA, Protein} {
		if alphabet != "" && strings.Trim(alphabet, alphabets[k]) == "" {
			return k
		}
	}
	return None
}

// gaps are what alignments have where a sequence has no letter.
const gaps = "-."

// ambiguous are the letters of proteins that stand for others, or for rare ones.
var ambiguous = map[rune]string{'X': "any amino acid", 'B': "either D or N", 'Z': "either E or Q", 'J': "either I or L",
	'U': "selenocysteine, which is none of the 20 amino acids", 'O': "pyrrolysine, which is none of the 20 amino acids"}

// reject says why a character is not a letter of the sequences.
func (k Kind) reject(r rune) string {
	var why string
	switch {
	case r == '*':
		why = "a stop inside the sequence"
	case strings.ContainsRune(gaps, r):
		why = "a gap, which only aligned sequences of one length may have"
	case k == Protein:
		why = ambiguous[r]
	case r == 'N':
		why = "any base"
	case strings.ContainsRune("RYSWKMBDHV", r):
		why = "one of several bases"
	case k == DNA && r == 'U', k == RNA && r == 'T':
		why = fmt.Sprintf("and most of the table is %s: write one of T and U, or give the alphabet ACGUT for strings that have both", k)
	}
	if why == "" {
		return fmt.Sprintf("%q, which is no letter of a %s sequence", r, k)
	}
	return string(r) + ", " + why
}
