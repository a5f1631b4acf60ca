package task

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/codons"
	"github.com/invbo/invbo/space/protein"
)

// Positions are positions as people write them: 39,41 or 10-20.
type Positions []int

// Set, String and Type let a flag hold them.
func (p *Positions) Set(text string) error {
	at, err := parsePositions(text)
	if err == nil {
		*p = at
	}
	return err
}

func (p Positions) String() string {
	var parts []string
	for i := 0; i < len(p); {
		j := i + 1
		for j < len(p) && p[j] == p[j-1]+1 {
			j++
		}
		part := strconv.Itoa(p[i])
		if j-i > 1 {
			part += "-" + strconv.Itoa(p[j-1])
		}
		parts = append(parts, part)
		i = j
	}
	return strings.Join(parts, ",")
}

func (p Positions) Type() string                     { return "string" }
func (p Positions) MarshalText() ([]byte, error)     { return []byte(p.String()), nil }
func (p *Positions) UnmarshalText(text []byte) error { return p.Set(string(text)) }

var positionRange = regexp.MustCompile(`^(-?\d{1,7})(?:(?:-|\.\.)(-?\d{1,7}))?$`)

// parsePositions returns positions in ascending order, each once.
func parsePositions(text string) (all []int, _ error) {
	for part := range strings.SplitSeq(text, ",") {
		m := positionRange.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return nil, usage.Errorf("%q is no position: give numbers and ranges, such as 39,41,54 or 10-20", part)
		}
		from, _ := strconv.Atoi(m[1]) // at most seven digits
		to, _ := strconv.Atoi(cmp.Or(m[2], m[1]))
		if from > to || to-from > longest {
			return nil, usage.Errorf("%q is no range: give its lower end first, and at most %d positions", part, longest)
		}
		for at := from; at <= to; at++ {
			all = append(all, at)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Residues say which residues may stand at positions: 39:AVILMF;54:!C.
type Residues []rule

// rule is what may stand at some positions.
type rule struct {
	at      Positions // nil: everywhere, of what must not stand there
	not     bool      // letters must not be put there; otherwise they alone may stand there
	letters string    // or degenerate codons; parts are separated by commas
}

// Set, String and Type let a flag hold them.
func (r *Residues) Set(text string) error {
	var all Residues
	for part := range strings.SplitSeq(strings.TrimRight(text, "; "), ";") {
		part = strings.TrimSpace(part)
		where, what, ok := strings.Cut(part, ":")
		everywhere := !ok && strings.HasPrefix(part, "!")
		if everywhere {
			what, ok = part, true
		}
		what, not := strings.CutPrefix(strings.TrimSpace(what), "!")
		what = strings.ToUpper(strings.Join(strings.FieldsFunc(what, func(r rune) bool { return r == ',' || r == ' ' }), ","))
		if !ok || what == "" || strings.Trim(what, "ABCDEFGHIJKLMNOPQRSTUVWXYZ,") != "" {
			return usage.Errorf("%q is no rule: give POSITIONS:LETTERS, such as 39:AVILMF, POSITIONS:!LETTERS for all others, or !LETTERS for all positions", part)
		}
		var at Positions
		if !everywhere {
			var err error
			if at, err = parsePositions(where); err != nil {
				return err
			}
		}
		all = append(all, rule{at, not, what})
	}
	*r = all
	return nil
}

// name reports whether a rule says what may stand at a position.
func (r Residues) name(position int) bool {
	return slices.ContainsFunc(r, func(r rule) bool { return !r.not && slices.Contains(r.at, position) })
}

func (r Residues) String() string {
	var parts []string
	for _, rule := range r {
		if where := rule.at.String(); where != "" {
			parts = append(parts, where+":"+rule.String())
		} else {
			parts = append(parts, rule.String())
		}
	}
	return strings.Join(parts, ";")
}

func (r Residues) Type() string                     { return "string" }
func (r Residues) MarshalText() ([]byte, error)     { return []byte(r.String()), nil }
func (r *Residues) UnmarshalText(text []byte) error { return r.Set(string(text)) }

// places returns the positions of a rule in sequences of a length, whose first letter has position first.
func (r rule) places(first, length int) Positions {
	if r.at != nil {
		return r.at
	}
	all := make(Positions, length)
	for i := range all {
		all[i] = first + i
	}
	return all
}

// beside returns the letters that a rule allows at the i-th place: also that of a reference, "" for none, if others
// must not be put there.
func (r rule) beside(letters, reference string, i int) string {
	if r.not && i < len(reference) && strings.IndexByte(letters, reference[i]) < 0 {
		return letters + reference[i:i+1]
	}
	return letters
}

// both returns the letters that are among some, any if there are none, and others.
func both(some, others string) string {
	if some == "" {
		return others
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(some, r) {
			return r
		}
		return -1
	}, others)
}

// allowed returns the letters that a rule leaves of an alphabet. note says of letters that they may be a codon, too; it
// may be empty.
func (r rule) allowed(alphabet string) (left, note string, _ error) {
	letters := strings.ReplaceAll(r.letters, ",", "")
	if alphabet == protein.Residues {
		parts := strings.Split(r.letters, ",")
		if slices.ContainsFunc(parts, codons.IsDegenerate) && !slices.ContainsFunc(parts, func(part string) bool { return codons.Encoded(part) == "" }) {
			letters = ""
			for _, codon := range parts {
				letters += codons.Encoded(codon)
			}
		} else if encoded := codons.Encoded(r.letters); encoded != "" {
			note = fmt.Sprintf("%s stands for the residues %s; the codon encodes %s", r.letters, strings.Join(strings.Split(r.letters, ""), ", "), encoded)
		}
	}
	if odd := strings.Trim(letters, alphabet); odd != "" {
		return "", "", fmt.Errorf("%c is none of the letters %s", odd[0], alphabet)
	}
	for i := range len(alphabet) {
		if (strings.IndexByte(letters, alphabet[i]) >= 0) != r.not {
			left += alphabet[i : i+1]
		}
	}
	if left == "" {
		return "", "", fmt.Errorf("no letter of %s is left", alphabet)
	}
	return left, note, nil
}

// String returns the rule as people write it.
func (r rule) String() string {
	mark := ""
	if r.not {
		mark = "!"
	}
	return mark + r.letters
}
