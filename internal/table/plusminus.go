package table

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
)

// statesError reports whether a cell is a value with its error.
func statesError(cell string) bool { n, ok := numeral.Parse(cell); return ok && n.Spread != nil }

// measurements matches how many measurements the name of a column says that its numbers are means of: mean ± SD, n = 3;
// ± stdev of 3.
var measurements = regexp.MustCompile(`(?i)\b(?:n\s*=|of)\s*(\d+)\b`)

// measurementsOf returns how many measurements each number of a column is the mean of, as its name says; 0 if it does not.
func measurementsOf(name string) float64 {
	m := measurements.FindStringSubmatch(name)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	return n
}

// noteErrors notes how many cells state errors, and what these are taken for, or refer to a footnote.
func (t *Table) noteErrors() {
	state := func(n int) string { return plural(n, "cell states", "cells state") }
	measured := func(is func(r Record) bool) int {
		return stats.Count(t.Records, func(r Record) bool { return r.State == Measured && is(r) })
	}
	if n := measured(func(r Record) bool { return r.spread && r.SE > 0 && !r.divided }); n > 0 {
		t.Notes = append(t.Notes, state(n)+" an error after ±, taken as the standard error")
	}
	if n := measured(func(r Record) bool { return r.spread && r.SE > 0 && r.divided }); n > 0 {
		t.Notes = append(t.Notes, state(n)+" a standard deviation after ±, which is divided by the square root of the number of measurements")
	}
	if n := measured(func(r Record) bool { return r.deviation }); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s a standard deviation after ±, which is not used: standard deviations count beside a column n of how many measurements each is of",
			state(n)))
	}
	if n := measured(func(r Record) bool { return r.footnote }); n > 0 {
		t.Notes = append(t.Notes, plural(n, "row has", "rows have")+" a mark that refers to a footnote, such as *, which is left out: look at what the footnote says")
	}
	if n := stats.Count(t.Records, func(r Record) bool { return r.spreads }); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s of further outcomes with an error after ±, which is not used", plural(n, "row has a cell", "rows have cells")))
	}
}
