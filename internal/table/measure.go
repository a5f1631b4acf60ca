package table

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// outcome says how a column of numbers is read.
type outcome struct {
	column    int           // -1 if the table lacks it
	stated    quantity.Unit // by the name of the column, or by a row of units
	want      quantity.Unit // that numbers are converted to
	byRow     bool          // rows state their units, in the column of units or in their cells
	units     int           // column of units; -1 if there is none
	relations int           // column of relations; -1 if there is none
	flipped   bool          // relations are those of numbers whose negative logarithm is in the column
	positive  bool          // the column holds concentrations of dose-response curves, which are above 0
	negative  bool          // the column holds negative logarithms of concentrations, as pIC50 does: a cell in nM is converted
	molarLog  bool          // its numbers are negative logarithms of concentrations, those of an export whatever they are
	percents  bool          // some cells state per cent, or are formatted so
	lengths   bool          // its numbers are lengths: nm in a cell is no concentration
	log       bool          // the name of the column says that its numbers are logarithms
	molar     int           // column of units of concentration, which contradict the numbers as these are negative logarithms; -1 if there is none
	scale     quantity.Scale
}

// largestFraction is the largest number that may be a fraction as measured: that of a control is 1 on average.
const largestFraction = 1.2

// measure reads an outcome of a row. A standard error, that se sets if it is not nil, is in the unit of its number, or
// on the scale of the scores.
func (o outcome) measure(cells []string, s numeral.Style, se func(*measurement, quantity.Unit)) measurement {
	text, sign := field(cells, o.column), field(cells, o.relations)
	m := readCell(text, s)
	if m.state == Invalid && m.reason.Code != FormulaCell && !o.log && !o.molarLog && sign == "" {
		m = readRange(text, s, m)
	}
	if m.state != Measured {
		return m
	}
	m.text = text
	column, _, ok := numeral.ParseRelation(sign)
	if o.flipped {
		column.Bound = -column.Bound
	}
	joined, agree := column.And(m.Relation)
	if !ok || !agree {
		return no(Invalid, Reason{BadRelation, fmt.Sprintf("%q before %q is not understood", usage.Shorten(sign, 20), usage.Shorten(text, 40))})
	}
	if joined.Bound != m.Bound {
		m.text = sign + text
	}
	if joined.Bound != 0 && m.spread {
		return no(Invalid, Reason{WithError, fmt.Sprintf("%q is a bound with an error: write a bound or a value", usage.Shorten(m.text, 40))})
	}
	if o.positive && o.scale == "" && m.number <= 0 {
		return no(Invalid, Reason{NotPositive, fmt.Sprintf("%q is no concentration", usage.Shorten(text, 40))})
	}
	if o.molarLog && !m.unit.IsSet() && !quantity.MayBeMolarLog(m.number) {
		return no(Invalid, Reason{NoConcentration, fmt.Sprintf("%q is no negative logarithm of mol/L", usage.Shorten(text, 40))})
	}
	if unit := field(cells, o.molar); !m.unit.IsSet() && unit != "" {
		return no(Invalid, Reason{NoConcentration, fmt.Sprintf("%q beside the unit %s is hardly a negative logarithm of mol/L, which has no unit: write the unit with the number, or leave it out", usage.Shorten(text, 40), usage.Shorten(unit, 20))})
	}
	if o.negative && m.unit.ConvertsTo(quantity.Molar) {
		u := m.unit
		m.Relation, m.unit = joined, quantity.Unit{}
		if m = m.on(quantity.NegativeLog10, u); m.state == Measured {
			m.unit = u
		}
		return m
	}
	own := m.unit.IsSet() || field(cells, o.units) != ""
	if !own && o.percents && o.byRow && !o.stated.IsSet() && (o.want.Equal(quantity.Percent) || o.want.Equal(quantity.Fraction)) { // 45 beside 37%
		o.stated = quantity.Percent
	}
	u, reason := o.unitOf(cells, m.unit)
	switch {
	case reason.Code == UnknownUnit:
		return no(Invalid, reason)
	case reason.Code != "":
		return no(SetAside, reason)
	}
	if o.percents && !own && u.Equal(quantity.Percent) && m.number != 0 && math.Abs(m.number) <= largestFraction {
		return no(Invalid, Reason{TwoNumbers, fmt.Sprintf("%q may be %[2]g %% or %[3]g %%, as other cells of the column state per cent: write the sign behind it", usage.Shorten(text, 40), m.number, quantity.Round(100*m.number))})
	}
	m.bare = !own && u.Equal(o.want)
	m.Relation, m.unit = joined, quantity.Unit{}
	if se != nil {
		se(&m, u)
	}
	if u.IsSet() && !u.Equal(o.want) {
		m.number, m.unit = u.To(o.want, m.number), u
		if !m.onScale {
			m.se = u.DifferenceTo(o.want, m.se)
		}
	}
	return m.on(o.scale, o.want)
}

// read returns the unit that a cell of the outcome states.
func (o outcome) read(u quantity.Unit) quantity.Unit {
	if o.lengths {
		return u.Length()
	}
	return u
}

// unitOf returns the unit of a number: that of its cell, of its row or of the column, in this order.
func (o outcome) unitOf(cells []string, u quantity.Unit) (quantity.Unit, Reason) {
	byRow := field(cells, o.units)
	switch {
	case u.IsSet():
		u = o.read(u)
	case byRow != "":
		parsed, ok := quantity.ParseUnit(byRow)
		if !ok {
			return u, Reason{OtherUnit, fmt.Sprintf("it is in %s, not %s", usage.Shorten(byRow, 20), o.want)}
		}
		u = o.read(parsed)
	case o.stated.IsSet():
		u = o.stated
	case o.byRow:
		return u, Reason{NoUnit, "the row states no unit"}
	default:
		return o.want, Reason{}
	}
	switch {
	case !o.want.IsSet() && !o.byRow:
		return u, Reason{UnknownUnit, fmt.Sprintf("%q has a unit (%s), and the column has none", usage.Shorten(field(cells, o.column), 40), u)}
	case !u.ConvertsTo(o.want):
		return u, Reason{OtherUnit, fmt.Sprintf("it is in %s, not %s", u, o.want)}
	}
	return u, Reason{}
}

// censored applies a rule to a bound.
func (m measurement) censored(rule Censored) measurement {
	if m.state != Measured || m.Bound == 0 {
		return m
	}
	switch rule {
	case AsScore:
		m.Bound, m.taken = 0, true
	case Skip:
		return no(Missing, Reason{BoundSkipped, m.text + " is a bound, not used as the score"})
	case Drop:
		return no(SetAside, Reason{BoundDropped, m.text + " is a bound"})
	}
	return m
}

// checkScale returns an error if a scale is not known.
func checkScale(s quantity.Scale) error {
	if s.IsKnown() {
		return nil
	}
	return &ColumnError{Role: RoleScale, Name: string(s), Problem: "there is no such scale; pIC50, pKi, pEC50, pKd and so on are −log10 of concentrations"}
}

// on returns m on a scale. Its number is in unit u, which is a concentration where the scale is of one.
func (m measurement) on(s quantity.Scale, u quantity.Unit) measurement {
	if s == "" || math.IsNaN(m.number) {
		return m
	}
	if m.number <= 0 {
		return no(Invalid, Reason{NotPositive, fmt.Sprintf("%g has no logarithm", m.number)})
	}
	if !m.onScale {
		m.se /= m.number * math.Ln10
	}
	if s == quantity.Log10 {
		m.number = quantity.Round(math.Log10(m.number))
		return m
	}
	// In decimals, so that 100 nM is 7 and the same concentration in any unit is the same score.
	m.number, m.Bound = quantity.Round(-math.Log10(u.To(quantity.Molar, m.number))), -m.Bound
	return m
}
