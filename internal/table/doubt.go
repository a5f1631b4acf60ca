package table

import (
	"fmt"
	"math"
)

// Doubts say what of a row is hardly meant, for people: a score on a scale of concentrations that is none, or a standard error beside which the
// score says nothing. The row is taken as it is. The spread is the difference of the largest and the least score that are known.
func (c Columns) Doubts(r Record, spread float64) (all []string) {
	const (
		least, most = -3, 15 // p of 1,000 M and of a femtomolar
		tenfold     = 1      // in logarithms
	)
	if math.IsNaN(r.Score) {
		return nil
	}
	h := parseHeading(c.Score)
	quantity, _ := endpoint(h.base)
	molar := h.scale == "p" && (quantity != "" || c.Scale.negative()) // not pKa
	if molar && (r.Score < least || r.Score > most) {
		all = append(all, fmt.Sprintf("a %s of %.4g is that of no concentration: it is the negative logarithm of mol/L", c.Score, r.Score))
	}
	switch {
	case r.Bound != 0:
	case h.isLog() && r.SE > tenfold:
		all = append(all, fmt.Sprintf("the standard error is %.3g units of %s, beside which the score says nothing: is it in the unit of the score?", r.SE, c.Score))
	case !h.isLog() && r.SE > math.Abs(r.Score) && r.SE > spread:
		all = append(all, fmt.Sprintf("the standard error is %.3g, beside which the score of %.4g says nothing: is it in the unit of the score?", r.SE, r.Score))
	}
	return all
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
		if r.State != Measured {
			return ""
		}
		return joined("; ", t.Columns.Doubts(r, most-least)...)
	}, "doubtful")
}
