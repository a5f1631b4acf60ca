package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/usage"
)

// Changed reports whether Normalize changed more than the spelling.
func (r Record) Changed() bool { return r.changed != "" }

// Unused reports whether a cell other than that of the string or the score cannot be used; Note says why.
func (r Record) Unused() bool { return r.unused != "" && r.State != Invalid }

// Refuse makes a record Invalid, as one that the caller cannot use.
func (t *Table) Refuse(i int, err error) { t.Records[i] = t.Records[i].invalid("%v", err) }

// MostlyUsable returns an error if most rows are Invalid: then the table is hardly what it is taken for, and the rest is no sample of it.
func (t *Table) MostlyUsable() error {
	var invalid []Record
	for _, r := range t.Records {
		if r.State == Invalid {
			invalid = append(invalid, r)
		}
	}
	if 2*len(invalid) <= len(t.Records) {
		return nil
	}
	count := map[string]int{}
	for _, r := range invalid {
		count[reason(r.Note)]++
	}
	usual := slices.MaxFunc(invalid, func(a, b Record) int { return count[reason(a.Note)] - count[reason(b.Note)] })
	return usage.Errorf("%d of %d rows cannot be used, most of them like line %d: %s", len(invalid), len(t.Records), usual.Line, usual.Note)
}

// reason returns a note without the details that differ between rows.
func reason(note string) string {
	note, _, _ = strings.Cut(note, ": ")
	parts := strings.Split(note, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = ""
	}
	return strings.Join(parts, "")
}

// LeftOut says how many rows are Invalid, and why the first is; "" if none is.
func (t *Table) LeftOut() string {
	n := t.Counts()[Invalid]
	if n == 0 {
		return ""
	}
	first := slices.IndexFunc(t.Records, func(r Record) bool { return r.State == Invalid })
	return fmt.Sprintf("%d of %d rows left out; the first is line %d: %s", n, len(t.Records), t.Records[first].Line, t.Records[first].Note)
}
