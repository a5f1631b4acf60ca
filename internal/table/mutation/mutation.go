// Package mutation reads mutants as laboratories write them (K2R:T3S, p.Lys2Arg, n.76A>T), makes the sequences of them,
// and compares them with sequences.
//
// Only substitutions are read: each replaces one letter of a wild type, a protein, DNA or RNA in capital letters.
// Positions count from that of the wild type's first letter, which is an argument; it may be 0 or negative.
package mutation

import (
	"fmt"
	"strings"
)

// Substitution replaces one letter of the wild type: K2R.
type Substitution struct {
	From, To byte // capital letters
	Position int

	text    string // as it is written
	nucleic bool   // it counts along DNA or RNA: c.76A>T
}

// Equal reports whether both replace the same letter by the same other one, however they are written.
func (s Substitution) Equal(t Substitution) bool {
	return s.From == t.From && s.To == t.To && s.Position == t.Position
}

// WildType is a mutant without substitutions.
const WildType = "WT"

// Apply returns the wild type with substitutions; its first letter has the position first. It is an error if a position
// is outside of the wild type, or is changed twice, or has another letter than a substitution says; contradicts reports
// that the wild type, or its numbering, may be another one.
func Apply(wildType string, first int, all []Substitution) (sequence string, contradicts bool, err error) {
	letters := []byte(wildType)
	changed := map[int]bool{}
	for _, s := range all {
		at := s.Position - first
		if s.nucleic {
			if !isNucleic(wildType) {
				return "", true, fmt.Errorf("%s counts along DNA or RNA, and the wild type is a protein: give its DNA, or the changes of the protein, such as K2R", s.text)
			}
			s = s.in(wildType)
		}
		switch {
		case at < 0 || at >= len(letters):
			return "", true, fmt.Errorf("%s: the wild type has the positions %d to %d", s.text, first, first+len(letters)-1)
		case changed[at]:
			return "", false, fmt.Errorf("%s: position %d is changed twice", s.text, s.Position)
		case wildType[at] != s.From:
			return "", true, fmt.Errorf("%s: position %d of the wild type is %c, not %c", s.text, s.Position, wildType[at], s.From)
		}
		letters[at], changed[at] = s.To, true
	}
	return string(letters), false, nil
}

// isNucleic reports whether a wild type is DNA or RNA.
func isNucleic(wildType string) bool { return strings.Trim(wildType, "ACGTU") == "" }

// in returns a change of DNA or RNA as one of a wild type that is the other of them.
func (s Substitution) in(wildType string) Substitution {
	written := strings.NewReplacer("U", "T")
	if strings.Contains(wildType, "U") {
		written = strings.NewReplacer("T", "U")
	}
	s.From, s.To = written.Replace(string(s.From))[0], written.Replace(string(s.To))[0]
	return s
}

// Format writes a sequence as the substitutions that make it of the wild type, whose first letter has the position
// first: K2R:T3S, or WildType. It is empty if the sequence has another length, or there is no wild type.
func Format(wildType string, first int, sequence string) string {
	if wildType == "" || len(sequence) != len(wildType) {
		return ""
	}
	var all []string
	for i := range len(sequence) {
		if sequence[i] != wildType[i] {
			all = append(all, fmt.Sprintf("%c%d%c", wildType[i], first+i, sequence[i]))
		}
	}
	if all == nil {
		return WildType
	}
	return strings.Join(all, ":")
}

// Undo returns a sequence without substitutions that it has, its wild type if these are all; empty if it lacks one.
func Undo(sequence string, first int, all []Substitution) string {
	letters := []byte(sequence)
	for _, s := range all {
		at := s.Position - first
		if at < 0 || at >= len(letters) || letters[at] != s.To {
			return ""
		}
		letters[at] = s.From
	}
	return string(letters)
}
