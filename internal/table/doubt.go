package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Doubts say what of a row is hardly meant, for people: a value on a scale of concentrations that is none, or a standard error beside which the
// score says nothing. The row is taken as it is. The spread is the difference of the largest and the least score that are known.
func (c Columns) Doubts(r Record, spread float64) (all []string) {
	const tenfold = 1 // in logarithms
	for _, name := range slices.Sorted(maps.Keys(r.Others)) {
		all = append(all, noConcentration(name, "", r.Others[name])...)
	}
	if math.IsNaN(r.Score) {
		return all
	}
	if _, known := r.Others[c.Score]; !known {
		all = append(all, noConcentration(c.Score, c.Scale, r.Score)...)
	}
	h := parseHeading(c.Score)
	switch {
	case r.Bound != 0:
	case h.isLog() && r.SE > tenfold:
		all = append(all, fmt.Sprintf("the standard error is %.3g units of %s, beside which the score says nothing: is it in the unit of the score?", r.SE, c.Score))
	case !h.isLog() && r.SE > math.Abs(r.Score) && r.SE > spread:
		all = append(all, fmt.Sprintf("the standard error is %.3g, beside which the score of %.4g says nothing: is it in the unit of the score?", r.SE, r.Score))
	}
	return all
}

// noConcentration says that a value is the logarithm of no concentration, if its name says that it is one.
func noConcentration(name string, scale Scale, v float64) []string {
	const least, most = -3, 15 // p of 1,000 M and of a femtomolar
	h := parseHeading(name)
	quantity, _ := endpoint(h.base)
	molar := h.scale == "p" && (quantity != "" || scale.negative() || slices.ContainsFunc(h.words, func(w string) bool { q, s := endpoint(w); return q != "" && s == "p" })) // not pKa
	if !molar || v >= least && v <= most {
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
