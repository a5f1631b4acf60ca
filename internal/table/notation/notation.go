// Package notation reads sequences that are written as more than their letters: peptides in three-letter codes, with
// ends, D residues, further residues in brackets, rings or several chains (Ac-KW[Orn]k-NH2, H-D-Phe-Aib-Lys(Ac)-NH2),
// and nucleic acids with modifications (mU*mC*fG).
//
// Parts are residues in letters between their ends, and Words residues that hyphens separate. The functions Have... and
// Modified look at all strings of a column or a study: one in ten, or one of a few, may be wrong.
package notation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
)

// AminoAcids are the letters of the 20 amino acids.
const AminoAcids = "ACDEFGHIKLMNPQRSTVWY"

// aminoAcids are the three-letter codes of HGVS. Ter is a stop.
var aminoAcids = map[string]byte{
	"ALA": 'A', "ARG": 'R', "ASN": 'N', "ASP": 'D', "CYS": 'C', "GLN": 'Q', "GLU": 'E', "GLY": 'G', "HIS": 'H', "ILE": 'I', "LEU": 'L', "LYS": 'K',
	"MET": 'M', "PHE": 'F', "PRO": 'P', "SER": 'S', "THR": 'T', "TRP": 'W', "TYR": 'Y', "VAL": 'V',
	"ASX": 'B', "GLX": 'Z', "XLE": 'J', "XAA": 'X', "SEC": 'U', "PYL": 'O', "TER": '*',
}

// AminoAcid returns the letter of an amino acid from its letter or three-letter code, in any case, and * from Ter.
// Another single character is returned as a capital, and another word as 0.
func AminoAcid(code string) byte {
	if code = strings.ToUpper(code); len(code) == 1 {
		return code[0]
	}
	return aminoAcids[code]
}

// LongestPeptide is how many letters a sequence has at most whose lower case may stand for D residues.
const LongestPeptide = 50

// IsMixed reports whether letters are of amino acids, some in lower case and at least as many, and three, in capitals.
func IsMixed(letters string) bool {
	const fewest, lowerCase = 3, "acdefghiklmnpqrstvwy"
	capitals, small := 0, 0
	for _, r := range letters {
		switch {
		case strings.ContainsRune(AminoAcids, r):
			capitals++
		case strings.ContainsRune(lowerCase, r):
			small++
		default:
			return false
		}
	}
	return small > 0 && capitals >= max(fewest, small)
}

var (
	// free matches unmodified ends, which may be written or not.
	free = regexp.MustCompile(`^(?:(?:H|H2N|NH2)-)?(.*?)(?:-(?:OH|COOH|CO2H))?$`)

	// codes matches residues in three-letter codes, with modified ends perhaps.
	codes = regexp.MustCompile(`^((?:[A-Za-z][A-Za-z0-9]{0,11}-)??)((?:[A-Z][a-z]{2}-?)+?|(?:[A-Z]{3}-)+[A-Z]{3})((?:-(?:NH2|NHMe|OMe|OEt))?)$`)
)

// OneLetter returns a peptide without unmodified ends, H- and -OH, and in letters if it is in three-letter codes. Other
// text is returned as it is.
func OneLetter(text string) string {
	inner := free.FindStringSubmatch(text)[1]
	if m := codes.FindStringSubmatch(inner); m != nil {
		var b strings.Builder
		letters := strings.ToUpper(strings.ReplaceAll(m[2], "-", ""))
		for ; len(letters) >= 3; letters = letters[3:] {
			letter, ok := aminoAcids[letters[:3]]
			if !ok || letter == '*' {
				return text
			}
			b.WriteByte(letter)
		}
		if b.Len() > 1 {
			return m[1] + b.String() + m[3]
		}
	}
	p, more, ok := ReadParts(inner)
	gap := strings.HasPrefix(text, "H-") && !more && !strings.HasSuffix(text, "-OH") // of an alignment
	if ok && !gap && strings.ToUpper(p.Residues) == p.Residues {
		return inner
	}
	return text
}

// IsResidue reports whether a word is the three-letter code of an amino acid, perhaps behind D- or other modifiers, and
// before something in brackets.
func IsResidue(word string) bool {
	word, _, _ = strings.Cut(word, "(")
	word = word[strings.LastIndexByte(word, '-')+1:]
	letter, ok := aminoAcids[strings.ToUpper(word)]
	return ok && letter != '*'
}

// residueName matches the name of a residue, such as Nle, D-Nal(2) or hPhe, and of some ends.
var residueName = regexp.MustCompile(`^(?:[^\s()-]{1,6}-)*[a-zα-ω]{0,2}[A-Z][a-z]{2}\d?(?:\([^()]+\))?$`)

// endNames are ends that are written as residues are.
var endNames = strings.Fields("Ada Amc Bio Boc Bzl Cbz Dns For Hex Lau Mal Myr Nic Oct Oet Ome Pal Pna Ste Suc Tos")

// NamesResidue reports whether a word is named as residues are: by a code of three letters that no usual end has.
func NamesResidue(word string) bool {
	return residueName.MatchString(word) && !slices.Contains(endNames, word)
}

// OtherResidue returns the first residue of a peptide in three-letter codes that is no usual one: Nle of Ala-Nle-Trp;
// "": there is none.
func OtherResidue(x string) string {
	all := Words(x)
	i := slices.IndexFunc(all, func(word string) bool { return !IsResidue(word) && NamesResidue(word) })
	if i < 0 || !slices.ContainsFunc(all, IsResidue) {
		return ""
	}
	return all[i]
}

// slips returns how many of n strings may be wrong: one of four or more, or one in ten.
func slips(n int) int { return max(n/10, min(1, n/4)) }

// most reports whether something holds for more than half of some strings.
func most(xs []string, is func(x string) bool) bool { return 2*stats.Count(xs, is) > len(xs) }

// Distinct returns how many of some letters occur in a text.
func Distinct(text, letters string) int {
	return stats.Count([]rune(letters), func(r rune) bool { return strings.ContainsRune(text, r) })
}
