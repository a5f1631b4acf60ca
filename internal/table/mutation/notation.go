package mutation

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
)

// Parts of the notations below.
const (
	residueLetter = `[ACDEFGHIKLMNPQRSTVWY]`
	threeLetter   = `[A-Z][a-z]{2}`
	residueCode   = `(?:` + threeLetter + `|` + residueLetter + `)`
	plainChange   = residueLetter + `\d{1,7}` + residueLetter
	codedChange   = threeLetter + `\d{1,7}` + threeLetter
	newResidue    = `(?:(?i:pos(?:ition)?)[ _.]?)?\d{1,7}[\s:=_>→-]*` + residueCode
)

var (
	// change matches one change: a letter or code of the wild type, its position, and what becomes of it.
	change = regexp.MustCompile(`^(?:p\.)?[(\[]*([A-Za-z]{3}|[A-Za-z])(-?\d{1,7})([A-Za-z]+|[=*-])`)

	// ofChain matches a change whose second letter is the chain: KA2R.
	ofChain = regexp.MustCompile(`\b([A-Z])([A-Z])(-?\d{1,7}[A-Z])\b`)

	// ofProtein matches the name of a protein before a change: GFP-K2R, TEM-1 K2R.
	ofProtein = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9.]*?(?:[ _-][A-Za-z0-9.]+?)??[ _:-]+)((?:p\.)?[(\[]*(?:[A-Z]|[A-Z][a-z]{2})\d+(?:[A-Z]|[A-Z][a-z]{2})(?:\W.*|_.*)?)$`)

	// chainBehind matches a change with the chain behind it: K2R_A.
	chainBehind = regexp.MustCompile(`\b([A-Z]-?\d{1,7}[A-Z])_([A-Z])($|[\s:;,/+|&])`)

	// arrow matches the arrow of changes such as A24>T, 24A>T and A24 -> T.
	arrow = regexp.MustCompile(`(-?\d{1,7})\s*([A-Za-z]{3}|[A-Za-z])?\s*(?:>|→|->|=>)\s*([A-Za-z])`)

	// apart matches a change with blanks in it: A 24 T.
	apart = regexp.MustCompile(`\b([A-Z][a-z]{2}|[A-Z])\s+(\d{1,7})\s+([A-Z][a-z]{2}|[A-Z])\b`)

	// replicates matches the number of measurements behind a mutant: K2R (n=3).
	replicates = regexp.MustCompile(`(?i)\s*\(\s*n\s*=\s*\d+\s*\)$`)

	// footnote matches marks behind a mutant, which the table explains elsewhere.
	footnote = regexp.MustCompile(`\s*[†‡§¶ᵃᵇᶜᵈ]+$`)

	// between matches what separates changes. A hyphen separates only behind a change: K2- is a deletion, A-1G is
	// before position 1.
	between = regexp.MustCompile(`^[)\]]*(?:(?i:[\s,]+and\s+)|[\s:;,/+_|&•·-]+)[(\[]*`)

	// listMarks matches what surrounds the changes of a list, as a program prints it: ['K2R', 'T3S'].
	listMarks = regexp.MustCompile(`[\[\](){}'"‘’“”]+`)

	// runTogether matches changes with nothing between them, and oneOf one of these: K2RT3S, Lys2ArgThr3Ser.
	runTogether = regexp.MustCompile(`^(?:` + plainChange + `){2,}$|^(?:` + codedChange + `){2,}$`)
	oneOf       = regexp.MustCompile(plainChange + `|` + codedChange)

	// inPieces matches a change whose letters and position are apart, K-2-R, and positionFirst one that begins with the
	// position, 2_K_R.
	inPieces      = regexp.MustCompile(`(^|[^A-Za-z0-9])(` + residueCode + `)[-–_.:/, ]+(\d{1,7})[-–_.:/, ]+(` + residueCode + `)`)
	positionFirst = regexp.MustCompile(`(^|[^A-Za-z0-9])(\d{1,7})[-–_.:/, ]+(` + residueCode + `)[-–_.:/, ]+(` + residueCode + `)`)

	// ofEach matches the chain or protein before a change, where each of several changes has it: A:K2R,A:T3S.
	ofEach = regexp.MustCompile(`(^|[\s:;,/+|&_(\[-])((?:(?i:chain)[ _-]?)?[A-Za-z][A-Za-z0-9]{0,11}[ :_./-]+)(` + residueCode + `\d{1,7}` + residueCode + `)`)

	// chainWord matches what may stand before the name of a chain.
	chainWord = regexp.MustCompile(`^(?i:chain)[ _-]?`)

	// withoutWildType matches changes without what the wild type has there: 2R, 2R 3S, {2: 'R', 3: 'S'}.
	withoutWildType = regexp.MustCompile(`^` + newResidue + `(?:[\s:;,/+|&_-]+` + newResidue + `)*$`)

	// reference matches the sequence that HGVS names before a change: NP_004324.2:p. or BRAF:p.
	reference = regexp.MustCompile(`^(?:[A-Z]{2,}[A-Za-z0-9_.-]*|[A-Z]\d[A-Z0-9]{3}\d(?:[A-Z0-9]{3}\d)?)(?:\([A-Za-z0-9_.-]*\))?:\(?p\.`)

	// version matches that of a reference, which changes with its annotation.
	version = regexp.MustCompile(`\.\d+$`)

	// nucleic matches the beginning of changes that HGVS counts along DNA or RNA: c.76A>T.
	nucleic = regexp.MustCompile(`^(?:[A-Za-z0-9_.()-]+:)?([cgnrm])\.[\[(]*[-*]?\d`)

	// ofBase matches one of them, of one base or none.
	ofBase = regexp.MustCompile(`^(-?\d{1,7})(?:([ACGTUacgtu])>([ACGTUacgtu])|[ACGTUacgtu]?=)$`)

	// unread matches a change in HGVS that is no substitution.
	unread = regexp.MustCompile(`^(?:p\.)?[(\[]*(?:[A-Z][a-z]{2}|[A-Z])\d+(?:_(?:[A-Z][a-z]{2}|[A-Z])\d+)?(?:delins|del|ins|dup|ext|[A-Z]?[a-z]{0,2}fs|Ter|[*?]$)`)
)

// Parse reads the substitutions of a mutant, none for the wild type:
//
//	K2R   p.Lys2Arg   p.(Lys2Arg)   p.[Lys2Arg;Thr3Ser]   K2R:T3S   K2R,T3S   K2R-T3S   K2R_T3S   Lys2=   K2>R   2K>R   WT   p.=
//	GFP-K2R   KA2R and K2R_A (of chain A)   A:K2R,A:T3S   K2 -> R   K 2 R   K-2-R   2_K_R   K2R†   K2R (n=2)
//	['K2R', 'T3S']   K2R and T3S   K2RT3S
//	n.3G>A   c.[76A>T;83G>C] (of a wild type that is DNA or RNA)
//
// It compares no letter with a wild type. The error says what the text is instead, such as a deletion.
func Parse(text string) ([]Substitution, error) {
	all, _, err := ParseVariant(text)
	return all, err
}

// ParseVariant is Parse, and returns the chains or the protein that the text names, joined by " and "; empty if it
// names none.
func ParseVariant(text string) (all []Substitution, of string, err error) {
	if all, of, err = parseNamed(text); err == nil {
		return all, of, nil
	}
	if usual := usualNotation(text); usual != text {
		if all, of, err := parseNamed(usual); err == nil {
			return all, of, nil
		}
	}
	if LacksWildType(text) {
		err = fmt.Errorf("%q does not say what the wild type has at the position: write K2R for 2R", usage.Shorten(text, 40))
	}
	return nil, "", err
}

// usualNotation returns changes that a program prints as a list, or whose letters and position are apart, in the usual
// notation.
func usualNotation(cell string) string {
	bare := withoutListMarks(cell)
	if bare != "" && '0' <= bare[0] && bare[0] <= '9' {
		return positionFirst.ReplaceAllString(bare, "$1$3$2$4")
	}
	return inPieces.ReplaceAllString(bare, "$1$2$3$4")
}

// withoutListMarks returns the items of a list that a program prints, and another text as it is.
func withoutListMarks(cell string) string {
	if !strings.ContainsAny(cell, `'"‘“`) {
		return cell
	}
	return whitespace.Trim(listMarks.ReplaceAllString(cell, ""))
}

// LacksWildType reports whether a text has positions and what becomes of them alone: 2R, {2: 'R', 3: 'S'}.
func LacksWildType(text string) bool {
	return withoutWildType.MatchString(strings.Trim(listMarks.ReplaceAllString(text, ""), " ,;"))
}

// parseNamed reads the substitutions of a cell in the usual notation, with the chains or the protein that it names.
func parseNamed(cell string) (all []Substitution, of string, err error) {
	if all, err = parseChanges(cell); err == nil {
		return all, version.ReplaceAllString(strings.Trim(reference.FindString(cell), ":(p."), ""), nil
	}
	for _, chain := range []*regexp.Regexp{ofChain, chainBehind} {
		if all, err := parseChanges(chain.ReplaceAllString(cell, "$1$3")); err == nil {
			var chains []string
			for _, m := range chain.FindAllStringSubmatch(cell, -1) {
				chains = append(chains, m[2])
			}
			slices.Sort(chains)
			return all, strings.Join(slices.Compact(chains), " and "), nil
		}
	}
	if m := ofProtein.FindStringSubmatch(cell); m != nil {
		first := change.FindStringSubmatch(m[1]) // K2-:T3S has a deletion, and no protein K2
		if all, err := parseChanges(m[2]); err == nil && (first == nil || notation.AminoAcid(first[1]) == 0) {
			return all, strings.Trim(m[1], " _:-"), nil
		}
	}
	if all, of, ok := parseOfEach(cell); ok {
		return all, of, nil
	}
	return nil, "", err
}

// parseOfEach reads several substitutions, each after its chain or the name of the protein.
func parseOfEach(cell string) (all []Substitution, of string, ok bool) {
	var names []string
	for _, m := range ofEach.FindAllStringSubmatch(cell, -1) {
		name := m[2][len(chainWord.FindString(m[2])):]
		if first := change.FindStringSubmatch(name); first != nil && notation.AminoAcid(first[1]) != 0 { // K2del:T3S
			return nil, "", false
		}
		names = append(names, strings.Trim(name, " :_./-"))
	}
	all, err := parseChanges(ofEach.ReplaceAllString(cell, "$1$3"))
	if err != nil || len(names) < 2 || len(names) < len(all) {
		return nil, "", false
	}
	slices.Sort(names)
	return all, strings.Join(slices.Compact(names), " and "), true
}

// parseChanges reads the substitutions of a cell that has nothing beside them.
func parseChanges(cell string) ([]Substitution, error) {
	if IsWildType(cell) {
		return nil, nil
	}
	if strings.Contains(cell, "];[") || strings.Contains(cell, "(;)") { // of two alleles
		return nil, refuse(cell)
	}
	if nucleic.MatchString(cell) {
		return parseNucleic(cell)
	}
	const edges = " ()[],;:/|+&_"
	if runTogether.MatchString(cell) {
		cell = strings.Join(oneOf.FindAllString(cell, -1), ":")
	}
	bare := apart.ReplaceAllString(footnote.ReplaceAllString(replicates.ReplaceAllString(cell, ""), ""), "$1$2$3")
	rest := strings.Trim(arrow.ReplaceAllString(reference.ReplaceAllString(bare, "p."), "$2$1$3"), edges)
	rest = strings.Trim(strings.TrimPrefix(rest, "p."), edges)
	var all []Substitution
	for m := change.FindStringSubmatch(rest); m != nil; m = change.FindStringSubmatch(rest) {
		s := Substitution{text: strings.TrimLeft(strings.TrimPrefix(m[0], "p."), "(["), From: notation.AminoAcid(m[1]), To: notation.AminoAcid(m[3])}
		s.Position, _ = strconv.Atoi(m[2]) // at most seven digits
		if s.To == '=' {
			s.To = s.From
		}
		if s.To == '-' {
			return nil, fmt.Errorf("%s is a deletion, and only substitutions are read", s.text)
		}
		if s.From == 0 || s.To == 0 || s.To == '*' {
			break
		}
		all = append(all, s)
		if rest = rest[len(m[0]):]; rest == "" {
			return all, nil
		}
		separator := between.FindString(rest)
		if separator == "" {
			break
		}
		rest = rest[len(separator):]
	}
	return nil, refuse(cell)
}

// parseNucleic reads the substitutions of a cell that counts along DNA or RNA.
func parseNucleic(cell string) (all []Substitution, _ error) {
	along, rest, _ := strings.Cut(cell[strings.Index(cell, ":")+1:], ".")
	for change := range strings.SplitSeq(strings.Trim(rest, "[]()"), ";") {
		m := ofBase.FindStringSubmatch(strings.TrimSpace(change))
		if m == nil {
			return nil, refuse(cell)
		}
		if m[2] == "" {
			continue
		}
		s := Substitution{text: along + "." + m[0], From: strings.ToUpper(m[2])[0], To: strings.ToUpper(m[3])[0], nucleic: true}
		s.Position, _ = strconv.Atoi(m[1]) // at most seven digits
		all = append(all, s)
	}
	return all, nil
}

// refusals says what changes are that are no substitutions, by their mark in HGVS, the first that is found.
var refusals = []struct{ mark, what string }{
	{"fs", "a frameshift"}, {"delins", "a deletion with an insertion"}, {"ins", "an insertion"}, {"del", "a deletion"}, {"dup", "a duplication"},
	{"ext", "an extension"}, {"ter", "a stop"}, {"stop", "a stop"}, {"*", "a stop"}, {"?", "an unknown change"}, {"p.0", "no protein at all"},
}

// refuse says what a cell is in which not all is a substitution.
func refuse(cell string) error {
	short, lower := usage.Shorten(cell, 40), strings.ToLower(cell)
	if strings.ContainsAny(cell, "0123456789?") {
		for _, r := range refusals {
			if strings.Contains(lower, r.mark) {
				return fmt.Errorf("%q is %s, and only substitutions are read", short, r.what)
			}
		}
	}
	if nucleic.MatchString(cell) {
		return fmt.Errorf("%q counts along DNA or RNA, and is no change of a base such as c.76A>T", short)
	}
	return fmt.Errorf("%q is no mutant such as K2R, K2R:T3S or p.Lys2Arg", short)
}

// Is reports whether a text is a mutant or stands for the wild type. Changes that are no substitutions are mutants, too.
func Is(text string) bool {
	_, err := Parse(text)
	return err == nil || unread.MatchString(reference.ReplaceAllString(text, "p.")) || nucleic.MatchString(text)
}

// IsPlain reports whether a text is of substitutions in capital letters, so that it is a mutant whatever stands around it.
func IsPlain(text string) bool {
	text = withoutListMarks(text)
	_, err := parseChanges(text) // KA2R and GFP-K2R may be other codes
	return err == nil && (IsWildType(text) || text == strings.ToUpper(text) || strings.HasPrefix(text, "p."))
}
