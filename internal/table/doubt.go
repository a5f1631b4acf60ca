package table

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/table/quantity"
)

// Doubts say what of a row is hardly meant, for people: a value on a scale of concentrations that is none, which is no
// score where a table states it, or a standard error beside which the score says nothing. The row is taken as it is.
// The spread is the difference of the largest and the least score that are known.
func (c Columns) Doubts(r Record, spread float64) (all []string) {
	const tenfold = 1 // in logarithms
	all = c.NoConcentrations(r)
	if math.IsNaN(r.Score) {
		return all
	}
	h := quantity.ParseHeading(c.Score)
	switch {
	case r.Bound != 0:
	case h.IsLog() && r.SE > tenfold:
		all = append(all, fmt.Sprintf("the standard error is %.3g units of %s, beside which the score says nothing: is it in the unit of the score?", r.SE, c.Score))
	case !h.IsLog() && r.SE > math.Abs(r.Score) && r.SE > spread:
		all = append(all, fmt.Sprintf("the standard error is %.3g, beside which the score of %.4g says nothing: is it in the unit of the score?", r.SE, r.Score))
	}
	return all
}

// NoConcentrations says which numbers of a row are the negative logarithms of no concentration, though their names say
// that they are. Tables refuse cells with such numbers; the API and oracles give them without a table.
func (c Columns) NoConcentrations(r Record) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(r.Others)) {
		all = append(all, noConcentration(name, "", r.Others[name])...)
	}
	if _, known := r.Others[c.Score]; !known && !math.IsNaN(r.Score) {
		all = append(all, noConcentration(c.Score, c.Scale, r.Score)...)
	}
	return all
}

// noConcentration says that a value is the logarithm of no concentration, if its name says that it is one.
func noConcentration(name string, scale quantity.Scale, v float64) []string {
	if !quantity.IsMolarLog(name, scale) || quantity.MayBeMolarLog(v) {
		return nil
	}
	return []string{fmt.Sprintf("a %s of %.4g is that of no concentration: it is the negative logarithm of mol/L", name, v)}
}

// Doubtful says in one line which rows have Doubts; "" if none has.
func (t *Table) Doubtful() string {
	least, most := math.Inf(1), math.Inf(-1)
	for _, r := range t.Records {
		if r.State == Measured && r.Bound == 0 {
			least, most = min(least, r.Score), max(most, r.Score)
		}
	}
	return t.lines(func(r Record) string {
		if r.State != Measured && r.State != Missing {
			return ""
		}
		return joined("; ", t.Columns.Doubts(r, most-least)...)
	}, "doubtful")
}

// noteBounds notes strings whose values lie far beyond a bound of theirs, such as 8.9 beside <5.
func (t *Table) noteBounds() {
	const (
		far    = 1.0 // logarithms
		factor = 10  // concentrations
	)
	h := quantity.ParseHeading(t.Columns.Score)
	log := h.IsLog() || t.Columns.Scale != ""
	type ends struct {
		above, below, least, most float64 // the greatest lower bound, the least upper one, and values
		line                      int
	}
	all := map[string]*ends{}
	var order []string
	spread := [2]float64{math.Inf(1), math.Inf(-1)}
	for _, r := range t.Records {
		x := cmp.Or(r.Input, r.ID) // of a row without a string the name
		if r.State != Measured || x == "" {
			continue
		}
		e := all[x]
		if e == nil {
			e = &ends{math.Inf(-1), math.Inf(1), math.Inf(1), math.Inf(-1), 0}
			all[x], order = e, append(order, x)
		}
		switch {
		case r.Bound > 0:
			e.above, e.line = max(e.above, r.Score), r.Line
		case r.Bound < 0:
			e.below, e.line = min(e.below, r.Score), r.Line
		default:
			e.least, e.most = min(e.least, r.Score), max(e.most, r.Score)
			spread[0], spread[1] = min(spread[0], r.Score), max(spread[1], r.Score)
		}
	}
	beyond := func(low, high float64) bool { // a value at most low, and one at least high
		switch {
		case math.IsInf(low, 0) || math.IsInf(high, 0):
			return false
		case log:
			return high-low >= far
		case h.IsConcentration() && low > 0:
			return high >= factor*low
		}
		return high-low > (spread[1]-spread[0])/2
	}
	contradicted, first := 0, 0
	for _, x := range order {
		if e := all[x]; beyond(e.least, e.above) || beyond(e.below, e.most) || beyond(e.below, e.above) {
			if contradicted++; first == 0 {
				first = e.line
			}
		}
	}
	if contradicted > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("bounds that other values of the same string contradict: %d, the first in line %d", contradicted, first))
	}
}
