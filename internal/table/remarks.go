package table

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/usage"
)

var (
	// remarked matches a string with what is said of it behind it: Val-Ala-Trp (TFA salt).
	remarked = regexp.MustCompile(`^(\S.*?)\s+(` + remark + `)$`)

	// onStructure matches remarks without which a peptide would be another one.
	onStructure = regexp.MustCompile(`(?i)cycl|disul|\bs ?[-–] ?s\b|bridge|\bbond|lactam|lactone|stapl|\bring|link|linear|branch|dimer|trimer|multimer|amid|acetyl|acyl|\bac\b|` +
		`methyl|phospho|glyco|sulfat|biotin|fluor|fitc|\bfam\b|peg|lipid|palm|myrist|stear|\bd\b|retro|inverso|isomer|epimer|enantiomer|racem|conjugat|label|modifi|` +
		`thio|oxidi[sz]|reduced|\bnh2\b|\boh\b|\bme\b|\bboc\b|fmoc|-term`)
)

// withoutRemark returns a sequence without what is said of it in brackets behind it, and that; "": nothing is, or it is about the structure.
func withoutRemark(text string) (sequence, said string) {
	m := remarked.FindStringSubmatch(text)
	if m == nil || onStructure.MatchString(m[2]) {
		return text, ""
	}
	const shortest = 5 // capitals, which other strings have, too
	letters := strings.Trim(m[1], residues[Protein]+"U") == "" && len(m[1]) >= shortest
	if _, more, _ := readParts(m[1]); letters || more || slices.ContainsFunc(Words(m[1]), IsResidue) {
		return m[1], m[2]
	}
	return text, ""
}

// HasRemark reports whether something is said of a sequence behind it that may be set aside.
func HasRemark(text string) bool {
	_, said := withoutRemark(text)
	return said != ""
}

// setRemarksAside takes what rows say of sequences off their strings. What all rows say, or a study's strings, is a part of them.
func (t *Table) setRemarksAside(o Options) {
	var all []string
	n, example := 0, ""
	for _, r := range t.Records {
		sequence, said := withoutRemark(r.Input)
		if said != "" {
			n, example = n+1, cmp.Or(example, said)
		}
		if sequence != "" {
			all = append(all, sequence)
		}
	}
	if n == 0 || !t.mayHaveRemarks(o, all, n) {
		return
	}
	for i := range t.Records {
		r := &t.Records[i]
		if sequence, said := withoutRemark(r.Input); said != "" {
			r.Input, r.changed = sequence, "comment set aside"
			r.annotate(fmt.Sprintf("comment %s set aside", usage.Shorten(said, 60)))
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("column %s has comments behind sequences (%d), such as %s, which are set aside", t.Columns.Input, n, usage.Shorten(example, 60)))
}

// mayHaveRemarks reports whether strings, n of which have remarks, are sequences whose remarks are no part of them.
func (t *Table) mayHaveRemarks(o Options, all []string, n int) bool {
	switch {
	case o.Known != nil && o.Sequences == NoSequences:
		return (o.Known.Remarked == nil || !o.Known.Remarked()) && (HaveWords(all) || HaveParts(all))
	case o.Sequences != Detect:
		return o.Sequences != NoSequences
	case n == len(all):
		return false
	}
	letters := mapped(all, func(x string) string { bare, _, _ := bare(x); return bare })
	return o.WildType != "" || HaveWords(all) || HaveParts(all) || detectSequences(t.Columns.Input, folded(letters)) != NoSequences
}
