package notation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Parts are a sequence that is more than letters: its ends, such as Ac- and -NH2 or cyclo( and ), and its residues, in
// several chains perhaps. Together they are its text. The zero Parts are no sequence.
type Parts struct {
	Before, Residues, After string
}

// inPart matches a residue of Parts: a letter, in lower case for D-amino acids, or a name in brackets, perhaps N-methylated.
const (
	inBrackets = `\[[\p{L}0-9][\p{L}0-9()+,'′-]{0,79}\]`
	remark     = `[(\[{][^()\[\]{}]{1,60}[)\]}]` // such as (disulfide)
	inPart     = `(?:\[N-?Me\])?(?:[ACDEFGHIKLMNPQRSTVWYacdefghiklmnpqrstvwy]|` + inBrackets + `)`
)

var (
	// parts matches a sequence between its ends, perhaps in a ring.
	parts = regexp.MustCompile(`^((?:(?:cyclo|cyc|c)-?[(\[]-?)?)` +
		`((?:` + inPart + `)+(?:[:/|_;,](?:[ACDEFGHIKLMNPQRSTVWY]|` + inBrackets + `)+)*)((?:-?[)\]])?)$`)
	inParts = regexp.MustCompile(inPart + `|[:/|_;,]`)

	chains   = regexp.MustCompile(`^[A-Z]{4,}(?:[:/|_;,][A-Z]{4,})+$`)
	brackets = regexp.MustCompile(`\[[^\]]*\]`)
)

// chainMarks separate chains.
const chainMarks = ":/|_;,"

// spaced matches chains with blanks around what separates them.
var spaced = regexp.MustCompile(`^[A-Za-z]{6,}(?:\s*[:/|_;,]\s*[A-Za-z]{6,})+$`)

// JoinChains returns chains without the blanks around what separates them: EVQLVE / DIQMTQ. Another text is returned as
// it is.
func JoinChains(text string) string {
	if joined := strings.Join(strings.Fields(text), ""); joined != text && spaced.MatchString(text) && ChainsOf(strings.ToUpper(joined)) > 1 {
		return joined
	}
	return text
}

// ChainsOf returns how many chains of letters a text is; 0: it is none that several may be of.
func ChainsOf(text string) int {
	if !chains.MatchString(text) {
		return 0
	}
	return len(PartsOf(text).Chains())
}

// ReadParts takes a sequence apart. more reports whether it is a sequence of more than letters, and ok whether it is
// one at all: if not, all of the text is Before, and there are no residues.
func ReadParts(text string) (p Parts, more, ok bool) {
	p, ok = longestParts(text)
	if !ok {
		return Parts{Before: text}, false, false
	}
	const fewest = 4 // letters of a sequence with residues in brackets, which other strings have, too: [C][=O]
	letters := brackets.ReplaceAllString(p.Residues, "")
	bracketed := len(letters) < len(p.Residues)
	noEnds := p.Before == "" && p.After == ""
	more = usualBefore.MatchString(p.Before) || usualAfter.MatchString(p.After) ||
		onlyRemark.MatchString(p.After) && len(letters) > fewest && letters == strings.ToUpper(letters) ||
		noEnds && (chains.MatchString(letters) || bracketed && len(letters) >= fewest)
	if !more && !noEnds {
		return Parts{Before: text}, false, false
	}
	return p, more, true
}

// longestParts returns the Parts of a text by its longest piece that is a sequence: the other pieces between hyphens are
// ends. A linker, such as GSG, is the sequence only if no other piece is.
func longestParts(text string) (longest Parts, ok bool) {
	if longest, ok = longestBetween(text); ok {
		return longest, true
	}
	if sequence, said := cutSaid(text); said != "" {
		longest, ok = longestBetween(sequence)
		longest.After += said
	}
	return longest, ok
}

// longestBetween is longestParts of a text without anything said behind it.
func longestBetween(text string) (longest Parts, ok bool) {
	pieces := hyphened(text)
	most, start := 0, 0
	for i, piece := range pieces {
		before, after := text[:start], text[start+len(piece):]
		start += len(piece) + 1
		if 2*len(piece) <= most {
			continue
		}
		m := parts.FindStringSubmatch(piece)
		if m == nil || slices.ContainsFunc(brackets.FindAllString(m[2], -1), holdsResidues) || !areEnds(pieces[:i]) || !areEnds(pieces[i+1:]) {
			continue
		}
		p := Parts{before + m[1], m[2], m[3] + after}
		if n := p.weight(i, len(pieces)-1-i); n > most {
			longest, most = p, n
		}
	}
	return longest, most > 0
}

// weight returns how long the residues are for longestParts, between so many pieces before and after them; 0: they are
// hardly the sequence.
func (p Parts) weight(before, after int) int {
	if before+after == 0 {
		return 1
	}
	n := 2 * len(p.Letters())
	const fewest = 3 // of a sequence with several ends: H-A-[Aib]-G-NH2 is of words
	several := before > 1 || after > 1
	switch {
	case isEnd.MatchString(p.Residues), several && (n < 2*fewest || NamesResidue(p.Residues)), residuesIn(p.Before)+residuesIn(p.After) > n/2:
		return 0
	case isLinker(p.Residues):
		return 1
	}
	return n
}

// PartsOf returns the Parts of ReadParts alone.
func PartsOf(text string) Parts {
	p, _, _ := ReadParts(text)
	return p
}

// Tokens returns the residues, and what separates chains, in order.
func (p Parts) Tokens() []string { return inParts.FindAllString(p.Residues, -1) }

// Chains returns the residues of each chain. A text that is no sequence has none.
func (p Parts) Chains() (all [][]string) {
	if p.Residues == "" {
		return nil
	}
	all = [][]string{nil}
	for _, t := range p.Tokens() {
		if strings.Contains(chainMarks, t) {
			all = append(all, nil)
			continue
		}
		all[len(all)-1] = append(all[len(all)-1], t)
	}
	return all
}

// With returns the sequence with other chains, as many as it has.
func (p Parts) With(chains [][]string) string {
	text := p.Before
	marks := strings.ReplaceAll(p.Frame(), string(AnyResidue), "")
	for i, chain := range chains {
		text += strings.Join(chain, "")
		if i < len(marks) {
			text += marks[i : i+1]
		}
	}
	return text + p.After
}

// Letters returns the residues without what separates chains.
func (p Parts) Letters() []string { return slices.Concat(p.Chains()...) }

// AnyResidue stands for a residue in a frame.
const AnyResidue = '?'

// Frame returns AnyResidue for each residue, with what separates chains: sequences of one frame are aligned.
func (p Parts) Frame() string {
	var b strings.Builder
	for _, t := range p.Tokens() {
		if !strings.Contains(chainMarks, t) {
			t = string(AnyResidue)
		}
		b.WriteString(t)
	}
	return b.String()
}

// Kept returns what proposals have as it is: the ends, and what separates the chains.
func (p Parts) Kept() string {
	return p.Before + strings.ReplaceAll(p.Frame(), string(AnyResidue), "") + p.After
}

// HaveParts reports whether strings are sequences, and some of them are more than letters, or peptides with D residues
// in lower case.
func HaveParts(xs []string) bool { return FirstOfParts(xs) != "" }

// FirstOfParts returns the first string that is more than letters or, if there is none, the first that has D residues
// in lower case; empty unless HaveParts.
func FirstOfParts(xs []string) (first string) {
	wrong, mixed := 0, ""
	for _, x := range xs {
		switch p, more, ok := ReadParts(x); {
		case more:
			first = cmp.Or(first, x)
		case !ok:
			wrong++
		case len(p.Residues) <= LongestPeptide && IsMixed(p.Residues):
			mixed = cmp.Or(mixed, x)
		}
	}
	if first == "" && likePeptides(xs) {
		first = mixed
	}
	if wrong > slips(len(xs)) {
		return ""
	}
	return first
}

// likePeptides reports whether the capitals of strings are those of peptides, and not of an alphabet that begins with
// A, B or C.
func likePeptides(xs []string) bool {
	const fewest, late = 5, 3
	used := strings.Join(xs, "")
	return Distinct(used, AminoAcids) >= fewest && Distinct(used, "KLMNPQRSTVWY") >= late
}

var (
	smallLetters = regexp.MustCompile(`[a-z]`)
	phospho      = regexp.MustCompile(`p[STY]`)
	groups       = regexp.MustCompile(`[(\[{][^)\]}]*[)\]}]`)
)

// Phosphorylated returns the first of some sequences with pS, pT or pY, if all small letters between capitals are such:
// p alone is D-proline; "": there is none.
func Phosphorylated(xs []string) (first string) {
	for _, x := range xs {
		bare := groups.ReplaceAllString(PartsOf(x).Residues, "")
		if small := smallLetters.FindAllString(bare, -1); len(small) > 0 {
			if len(phospho.FindAllString(bare, -1)) < len(small) {
				return ""
			}
			first = cmp.Or(first, x)
		}
	}
	return first
}

// partsRead matches the beginning of a sequence, as far as it can be read.
var partsRead = regexp.MustCompile(`^(?:(?:(?:` + locant + `-)?(?:H|H2N|` + namedEnd + `)-)+|[A-Za-z][A-Za-z0-9]{0,11}-)?(?:(?:cyclo|cyc|c)-?[(\[]-?)?(?:` + inPart + `|[:/|_;,])*`)

// Unread returns the first string that cannot be read as a sequence, and its first part that is no residue: a group
// such as (Orn), or a character. It returns "" if all are read, or if none that is more than letters is read.
func Unread(xs []string) (x, residue string) {
	some := false
	for _, of := range xs {
		_, more, ok := ReadParts(of)
		if some = some || more; x == "" && !ok {
			x = of
		}
	}
	if !some || x == "" {
		return "", ""
	}
	rest := x[len(partsRead.FindString(x)):]
	if group := groups.FindString(rest); group != "" && strings.HasPrefix(rest, group) {
		return x, group
	}
	for _, r := range rest {
		return x, string(r)
	}
	return x, ""
}
