package table

import (
	"cmp"
	"fmt"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/usage"
)

// setRemarksAside takes what rows say of sequences off their strings. What all rows say, or a study's strings, is a
// part of them.
func (t *Table) setRemarksAside(o Options) {
	var all []string
	n, example := 0, ""
	for _, r := range t.Records {
		sequence, said := notation.CutRemark(r.Input)
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
		if sequence, said := notation.CutRemark(r.Input); said != "" {
			r.Input, r.changed = sequence, "comment set aside"
			r.annotate(fmt.Sprintf("comment %s set aside", usage.Shorten(said, 60)))
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("column %s has comments behind sequences (%d), such as %s, which are set aside", t.Columns.Input, n, usage.Shorten(example, 60)))
}

// mayHaveRemarks reports whether strings are sequences, and their remarks no part of them; n strings have remarks.
func (t *Table) mayHaveRemarks(o Options, all []string, n int) bool {
	switch {
	case o.Known != nil && o.Sequences == bioseq.None:
		return (o.Known.Remarked == nil || !o.Known.Remarked()) && (notation.HaveWords(all) || notation.HaveParts(all))
	case o.Sequences != Detect:
		return o.Sequences != bioseq.None
	case n == len(all):
		return false
	}
	return o.WildType != "" || notation.HaveWords(all) || notation.HaveParts(all) || bioseq.Detect(stats.Map(all, bioseq.Plain), hint(t.Columns.Input)) != bioseq.None
}
