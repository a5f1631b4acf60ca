package table

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// plusMinus matches what stands between a value and its error.
var plusMinus = regexp.MustCompile(`\s*(?:±|\+/[-−–]|\+[-−])\s*`)

// splitError splits a cell into a value and its error: 12 ± 3 nM, 12 (± 3) nM, (1.2 ± 0.3)×10^3. What follows brackets belongs to both.
func splitError(text string) (value, spread string, ok bool) {
	if !strings.ContainsAny(text, "±+") {
		return "", "", false
	}
	at := plusMinus.FindStringIndex(text)
	if at == nil {
		return "", "", false
	}
	value, spread = text[:at[0]], text[at[1]:]
	around, opened := strings.CutPrefix(value, "(")
	before, inside := strings.CutSuffix(value, "(")
	if !opened && !inside {
		return value, spread, true
	}
	within, behind, closed := strings.Cut(spread, ")")
	if opened {
		return around + behind, within + behind, closed
	}
	return whitespace.Trim(before) + behind, within + behind, closed
}

// valueWithError reads a value with its error. A unit that only one of them has is that of both. ok is false if they are no two numbers, or leave
// in doubt what belongs to both.
func valueWithError(value, spread string) (n numeral, ok bool) {
	n, ok = splitCell(value)
	if !ok || n.relation != (relation{}) || n.spread != nil {
		return n, false
	}
	if isMissing(whitespace.Trim(spread)) && spread != "" { // of a single measurement
		return n, true
	}
	e, ok := splitCell(spread)
	switch {
	case !ok || e.relation != (relation{}) || e.spread != nil || strings.HasPrefix(e.text, "-"):
		return n, false
	case hasPower(spread) && !hasPower(value): // 1.2 ± 0.3 ×10^3
		return n, false
	case !n.unit.IsSet():
		n.unit = e.unit
	case e.unit.IsSet() && !e.unit.Equal(n.unit):
		return n, false
	}
	n.spread = &e
	return n, true
}

// hasPower reports whether a text has a power of ten in typesetting.
func hasPower(text string) bool {
	return exponent.MatchString(superscript.Replace(raisedTo.ReplaceAllString(text, "10^$1")))
}

// statesError reports whether a cell is a value with its error.
func statesError(cell string) bool { n, ok := splitCell(cell); return ok && n.spread != nil }

// measurements matches how many measurements the name of a column says that its numbers are means of: mean ± SD, n = 3; ± stdev of 3.
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

// noteErrors notes how many cells state errors, and what these are taken for.
func (t *Table) noteErrors() {
	state := func(n int) string { return plural(n, "cell states", "cells state") }
	measured := func(is func(r Record) bool) int {
		return count(t.Records, func(r Record) bool { return r.State == Measured && is(r) })
	}
	if n := measured(func(r Record) bool { return r.spread && r.SE > 0 }); n > 0 {
		t.Notes = append(t.Notes, state(n)+" an error after ±, taken as the standard error")
	}
	if n := measured(func(r Record) bool { return r.deviation }); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s a standard deviation after ±, which is not used: standard deviations count beside a column n of how many measurements each is of",
			state(n)))
	}
	if n := count(t.Records, func(r Record) bool { return r.spreads }); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s of further outcomes with an error after ±, which is not used", plural(n, "row has a cell", "rows have cells")))
	}
}
