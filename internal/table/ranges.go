package table

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/whitespace"
)

// ranges matches a range of two positive numbers, perhaps with a unit: 8-16, 8–16 µg/mL, 8 to 16.
var ranges = regexp.MustCompile(`^(\d[\d.,]*)(\s*(?:[-‐‑–—−]|to|bis)\s*)(\d[\d.,]*)\s*(\D.*)?$`)

// readRange reads a cell of a range that is no wider than two steps of a dilution series as the geometric mean of its
// ends. Of other text it returns what was made of it before. 10-12 may be a power of ten, and 2019-2021 are years.
func readRange(text string, s numeral.Style, before measurement) measurement {
	const widest, exponents, firstYear, lastYear = 4, 18, 1900, 2100
	m := ranges.FindStringSubmatch(whitespace.Trim(text))
	if m == nil {
		return before
	}
	low, okLow := numeral.ParseNumber(m[1])
	high, okHigh := numeral.ParseNumber(m[3])
	if !okLow || !okHigh {
		return before
	}
	a, err := low.Value(s)
	b, errHigh := high.Value(s)
	u, ok := quantity.Unit{}, true
	if m[4] != "" {
		u, ok = quantity.ParseUnit(m[4])
	}
	dashed := strings.Trim(m[2], "tobis ") != ""
	isPower := dashed && a == 10 && b <= exponents && b == math.Trunc(b)
	areYears := a >= firstYear && b <= lastYear && a == math.Trunc(a) && b == math.Trunc(b)
	if !ok || err != nil || errHigh != nil || a <= 0 || b <= a || b > widest*a || isPower || areYears {
		return before
	}
	return measurement{state: Measured, number: quantity.Round(math.Sqrt(a * b)), unit: u, ranged: true}
}

// noteRanges notes how many rows have a range instead of a number.
func (t *Table) noteRanges() {
	if n := stats.Count(t.Records, func(r Record) bool { return r.ranged && r.State != Invalid && r.State != SetAside }); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("ranges such as 8-16 are read as their geometric means: in %s", plural(n, "row", "rows")))
	}
}
