package table

import (
	"fmt"
	"slices"

	"github.com/invbo/invbo/internal/usage"
)

// Changed reports whether Normalize changed more than the spelling.
func (r Record) Changed() bool { return r.changed != "" }

// Unused reports whether a cell other than that of the string or the score cannot be used; Note says why.
func (r Record) Unused() bool { return r.unused != "" && r.State != Invalid }

// Refuse makes a record Invalid, as one whose string the caller cannot use.
func (t *Table) Refuse(i int, err error) { t.Records[i] = t.Records[i].invalid(BadString, "%v", err) }

// Unusable is the error of a table of which most rows are Invalid: then it is hardly what it is taken for, and the rest is no sample of it.
type Unusable struct {
	Rows, Invalid int
	Reason        Reason // the most frequent code, with the text of the first such row
	Line          int    // of that row
	Column        string // of the strings
}

func (e *Unusable) Error() string {
	return fmt.Sprintf("%d of %d rows cannot be used, most of them like line %d: %s", e.Invalid, e.Rows, e.Line, e.Reason.Text)
}

// MostlyUsable returns an *Unusable if most rows are Invalid.
func (t *Table) MostlyUsable() error {
	e := &Unusable{Column: t.Columns.Input}
	of := map[Code]int{}
	for _, r := range t.Records {
		if r.Lines > 0 { // not a further score of a row
			e.Rows++
		}
		if r.State == Invalid {
			e.Invalid++
			of[r.Reason.Code]++
		}
	}
	if 2*e.Invalid <= e.Rows {
		return nil
	}
	most := 0
	for _, r := range t.Records {
		if r.State == Invalid && of[r.Reason.Code] > most {
			most, e.Reason, e.Line = of[r.Reason.Code], r.Reason, r.Line
		}
	}
	return usage.Wrap(e)
}

// LeftOut says how many rows are Invalid, and why the first is; "" if none is.
func (t *Table) LeftOut() string {
	n := t.Counts()[Invalid]
	if n == 0 {
		return ""
	}
	first := slices.IndexFunc(t.Records, func(r Record) bool { return r.State == Invalid })
	return fmt.Sprintf("%d of %d rows left out; the first is line %d: %s", n, len(t.Records), t.Records[first].Line, t.Records[first].Reason.Text)
}
