package table

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/usage"
)

// outcome says how a column of numbers is read.
type outcome struct {
	column    int
	stated    unit // by the name of the column, or by a row of units
	want      unit // that numbers are converted to
	byRow     bool // rows state their units, in the column of units or in their cells
	units     int  // column of units; -1 if there is none
	relations int  // column of relations; -1 if there is none
	flipped   bool // relations are those of numbers whose negative logarithm is in the column
	scale     Scale
}

// measurement is what a row says of an outcome.
type measurement struct {
	state  State
	reason Reason
	score  float64
	se     float64
	bound  int
	about  bool
	from   unit   // that it was converted from; not set if it was not
	text   string // the number as it is written, with its relation
	taken  bool   // it is a bound that is taken for the score
	column int    // index of its outcome
}

// censored applies a rule to a bound.
func (m measurement) censored(rule Censored) measurement {
	if m.state != Measured || m.bound == 0 {
		return m
	}
	switch rule {
	case AsScore:
		m.bound, m.taken = 0, true
	case Skip:
		return measurement{state: Missing, reason: Reason{BoundSkipped, m.text + " is a bound, not used as the score"}, score: math.NaN()}
	case Drop:
		return measurement{state: SetAside, reason: Reason{BoundDropped, m.text + " is a bound"}, score: math.NaN()}
	}
	return m
}

// measure reads an outcome of a row. A standard error is in the unit of its number.
func (o outcome) measure(cell func(int) string, s style, se func(unit) float64) measurement {
	text := cell(o.column)
	v := readCell(text, s)
	m := measurement{state: v.state, reason: v.reason, score: math.NaN()}
	if v.state != Measured {
		return m
	}
	r := v.relation
	if o.relations >= 0 {
		column, ok := readRelation(cell(o.relations))
		if o.flipped {
			column.bound = -column.bound
		}
		if ok {
			r, ok = column.and(v.relation)
		}
		if !ok {
			m.state, m.reason = Invalid, Reason{BadRelation, fmt.Sprintf("%q before %q is not understood", usage.Shorten(cell(o.relations), 20), usage.Shorten(text, 40))}
			return m
		}
	}
	if m.text = text; r.bound != v.bound {
		m.text = cell(o.relations) + text
	}
	u, reason := o.unitOf(cell, v.unit)
	if reason.Code != "" {
		m.state, m.reason = reasonState(reason), reason
		return m
	}
	m.score, m.bound, m.about = v.number, r.bound, r.about
	if m.se = se(u); u.isSet() && !u.is(o.want) {
		m.score, m.se, m.from = u.to(o.want, m.score, false), u.to(o.want, m.se, true), u
	}
	return o.scale.of(m, o.want)
}

// unitOf returns the unit of a number: that of its cell, of its row or of the column, in this order.
func (o outcome) unitOf(cell func(int) string, u unit) (unit, Reason) {
	switch {
	case u.isSet():
	case o.units >= 0 && cell(o.units) != "":
		var ok bool
		if u, ok = parseUnit(cell(o.units), false); !ok {
			return u, Reason{OtherUnit, fmt.Sprintf("%s is not %s", usage.Shorten(cell(o.units), 20), o.want.name)}
		}
	case o.stated.isSet():
		u = o.stated
	case o.byRow:
		return u, Reason{NoUnit, "the row states no unit"}
	default:
		return o.want, Reason{}
	}
	switch {
	case !o.want.isSet() && !o.byRow:
		return u, Reason{UnknownUnit, fmt.Sprintf("%q has a unit (%s), and the column has none", usage.Shorten(cell(o.column), 40), u.name)}
	case !u.converts(o.want):
		return u, Reason{OtherUnit, fmt.Sprintf("%s is not %s", u.name, o.want.name)}
	}
	return u, Reason{}
}

// reasonState returns the State of rows with a reason that concerns units.
func reasonState(r Reason) State {
	if r.Code == UnknownUnit {
		return Invalid
	}
	return SetAside
}
