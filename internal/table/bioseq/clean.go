package bioseq

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/usage"
)

// strandEnds matches DNA or RNA with the ends of its strand: 5'-ACGT-3', 5′ ACG T 3′, ACGT (5'→3').
var strandEnds = func() *regexp.Regexp {
	const prime, dash = `\s*['′’´` + "`" + `]`, `\s*[-–—]?\s*`
	const both = `\(?5` + prime + `?\s*(?:→|->|-->|=>|to|-|–)\s*3` + prime + `?\)?`
	return regexp.MustCompile(`(?i)^\s*(?:` + both + `\s*:?|5` + prime + dash + `)?\s*([ACGTUN\s]+?)(?:` + dash + `3` + prime + `|\s*` + both + `)?\s*$`)
}()

// withoutStrand returns DNA or RNA without the ends of its strand, and another text as it is.
func withoutStrand(text string) string {
	if m := strandEnds.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

// bare returns a sequence in letters, without blanks, unmodified ends and a final *, and whether blanks and * were there.
func bare(text string) (letters string, blanks, stop bool) {
	text = withoutStrand(text)
	letters = strings.Join(strings.Fields(text), "")
	blanks = len(letters) < len(text)
	letters, stop = strings.CutSuffix(letters, "*")
	return notation.OneLetter(letters), blanks, stop
}

// deoxy matches a nucleotide of DNA in RNA: UUdTdT.
var deoxy = regexp.MustCompile(`^d[ACGTU]`)

// capital returns an ASCII letter as a capital, and another character as it is.
func capital(r rune) rune {
	if 'a' <= r && r <= 'z' {
		r += 'A' - 'a'
	}
	return r
}

// Plain returns the letters of a text without blanks, the ends of a strand, unmodified ends and a final *, from three-letter codes, too. Those of a protein
// are capitals if most were.
func Plain(text string) string {
	letters, _, _ := bare(text)
	return unmixed(letters)
}

// unmixed returns letters in capitals if most of them are, and otherwise as they are.
func unmixed(letters string) string {
	if notation.IsMixed(letters) {
		return strings.ToUpper(letters)
	}
	return letters
}

// clean returns the sequence of a text, whose first letter has the position first, and what was changed. Aligned sequences may have gaps.
func (k Kind) clean(text string, aligned bool, first int) (sequence, changed string, err error) {
	letters, blanks, stop := bare(text)
	var b strings.Builder
	var folded, gap, capitals bool
	at := first - 1
	for _, r := range letters {
		at++
		upper := capital(r)
		switch {
		case strings.ContainsRune(alphabets[k], upper):
			folded, capitals = folded || upper != r, capitals || upper == r
			b.WriteRune(upper)
		case aligned && strings.ContainsRune(gaps, r):
			gap = true
		default:
			if p, more, _ := notation.ReadParts(letters); more && k == Protein {
				return "", "", fmt.Errorf("%s is more than the letters that the other sequences are", usage.Shorten(cmp.Or(p.Before, p.After, letters), 40))
			}
			if nucleotide := deoxy.FindString(letters[min(at-first, len(letters)):]); nucleotide != "" && k != Protein {
				return "", "", fmt.Errorf("position %d is %s, a nucleotide of DNA: leave the overhang out of all strings, or write it in all", at, nucleotide)
			}
			if other := notation.OtherResidue(text); other != "" && k == Protein {
				return "", "", fmt.Errorf("%s is none of the 20 amino acids, and the other sequences are letters for these", other)
			}
			return "", "", fmt.Errorf("position %d is %s", at, k.reject(upper))
		}
	}
	if b.Len() == 0 {
		return "", "", errors.New("there is no sequence")
	}
	lower := "lower case folded"
	if k == Protein && capitals && b.Len() <= notation.LongestPeptide { // which may stand for D residues
		lower = "with lower case taken for L residues"
	}
	strand := withoutStrand(text)
	codes := len(letters) < len(strings.TrimSuffix(strings.Join(strings.Fields(strand), ""), "*"))
	var changes []string
	for _, c := range []struct {
		is   bool
		what string
	}{
		{strings.ContainsAny(text, "35") && strand != text, "without 5' and 3'"},
		{codes, "three-letter codes or free ends read as letters"},
		{folded, lower},
		{blanks, "blanks removed"},
		{gap, "gaps removed"},
		{stop, "final * removed"},
	} {
		if c.is {
			changes = append(changes, c.what)
		}
	}
	return b.String(), strings.Join(changes, " and "), nil
}

// Parse returns a single sequence, of the kind that its letters are of, as capital letters without blanks and without a final *, or the chains of a protein
// with what separates them. The error says which of its characters is no letter.
func Parse(text string) (string, error) {
	if joined := strings.ToUpper(strings.Join(strings.Fields(text), "")); notation.ChainsOf(joined) > 1 {
		return joined, nil
	}
	letters, _, _ := bare(text)
	sequence, _, err := kindOf([]string{letters}).clean(text, false, 1)
	return sequence, err
}
