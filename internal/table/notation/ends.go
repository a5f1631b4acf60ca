package notation

import (
	"regexp"
	"strings"
)

// Ends of sequences are groups, labels, spacers and linkers that hyphens separate: 5(6)-FAM-Ahx- and -K(TAMRA)-NH2.
const (
	// locant matches what is before a name: the 5(6) of 5(6)-FAM.
	locant = `\d{1,2}'?(?:[,/]\d{1,2}|\(\d{1,2}\))?`

	// namedEnd matches the name of a group, a label or a spacer that words hardly have.
	namedEnd = `(?:Ac|Fmoc|Boc|Cbz|Myr|Pal|Suc|Bz|NH2|CF|TMR|ROX|RhB|Cy[357]|KLH|LC|Ahx|Acp|` +
		`Mca|MCA|Abz|AMC|pNA|Dns|Dnp|DNP|EDANS|DOTA|NOTA|DTPA|O2Oc|Ttds|AEEAc?|Mal|` +
		`(?i:FITC|FAM|TAMRA|dabcyl|dansyl|biotin|biotinyl|carboxyfluorescein|fluorescein|rhodamine|` +
		`(?:mini)?PEG\d{0,2}|acetyl|palm|palmitoyl|myristoyl|stearyl|stearoyl|` +
		`lauryl|lauroyl|oleoyl|cholesteryl|(?:alexa|AF|ATTO)\d{3}|BODIPY|[βb]-?Ala))`
	labelled = `(?:Lys|Cys|[KC])[(\[{](?:\d(?:\(\d\))?-)?\p{L}{2}[^()\[\]{}]{0,40}[)\]}]` // K(TAMRA)
)

var (
	// usualBefore and usualAfter match ends that words hardly have.
	usualBefore = regexp.MustCompile(`(?:^|-)(?:H|H2N|` + namedEnd + `)-|[(\[]-?$`)
	usualAfter  = regexp.MustCompile(`^-?[)\]]|-(?:OH|NHMe|OMe|OEt|CONH2|COOH|CO2H|amide|` + namedEnd + `|` + labelled +
		`)(?: ?` + remark + `)?$`)
	ringName   = regexp.MustCompile(`^(?:cyclo|cyc|c)$`)
	onlyRemark = regexp.MustCompile(`^ ` + remark + `$`)

	isEnd    = regexp.MustCompile(`^` + namedEnd + `$`)
	isLocant = regexp.MustCompile(`^` + locant + `$`)

	// isEndPiece matches an end between hyphens: a name, a residue with a group, a named group in brackets, or one that
	// is repeated: (GGS)3. Another one in brackets, such as (Aib), may be a residue.
	isEndPiece = regexp.MustCompile(`^(?:\p{L}[\p{L}0-9]*|(?:[A-Z]|[A-Z][a-z][a-z])[(\[{].*[)\]}]|` +
		`[(\[{](?:` + namedEnd + `)[)\]}]|[(\[{].*[)\]}]\d\d?)$`)

	// remarkBehind matches what is said of a sequence behind it.
	remarkBehind = regexp.MustCompile(`(?: |-NH2|-OH|[)\]])(` + remark + `)$`)
)

// cutSaid cuts what is said of a sequence behind it, with the blank before it.
func cutSaid(text string) (sequence, said string) {
	if text == "" || strings.IndexByte(")]}", text[len(text)-1]) < 0 {
		return text, ""
	}
	m := remarkBehind.FindStringSubmatchIndex(text)
	if m == nil {
		return text, ""
	}
	sequence = strings.TrimSuffix(text[:m[2]], " ")
	return sequence, text[len(sequence):]
}

// hyphened returns what hyphens outside of brackets separate. cyclo- belongs to the brackets behind it. It returns nil
// if brackets are not closed.
func hyphened(text string) (pieces []string) {
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '-':
			if depth == 0 && !(ringName.MatchString(text[start:i]) && strings.IndexByte("([", text[min(i+1, len(text)-1)]) >= 0) {
				pieces, start = append(pieces, text[start:i]), i+1
			}
		}
		if depth < 0 {
			return nil
		}
	}
	if depth > 0 {
		return nil
	}
	return append(pieces, text[start:])
}

// areEnds reports whether pieces may be the ends on one side of a sequence.
func areEnds(pieces []string) bool {
	for i, piece := range pieces {
		if !isEndPiece.MatchString(piece) && (i == len(pieces)-1 || !isLocant.MatchString(piece)) {
			return false
		}
	}
	return true
}

// isLinker reports whether residues are a flexible linker, as in Biotin-GSG-RRRRRRRRR.
func isLinker(residues string) bool { return strings.Trim(residues, "GS") == "" }

// residuesIn returns how many of the pieces of an end are amino acids in three-letter codes.
func residuesIn(end string) (n int) {
	for _, piece := range wordPieces(strings.Trim(end, "- ")) {
		if len(piece) >= len("Ala") && IsResidue(piece) {
			n++
		}
	}
	return n
}
