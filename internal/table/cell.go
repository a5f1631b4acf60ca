package table

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"regexp"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/table/whitespace"
)

// measurement is what a cell of numbers, or a row, says of an outcome.
type measurement struct {
	state            State         // Measured, Missing, Failed or Invalid; of a row also SetAside
	reason           Reason        // of the states but Measured
	number           float64       // NaN unless Measured
	numeral.Relation               // of the number
	unit             quantity.Unit // that the cell states after the number or, of a row, that it was converted from

	se        float64
	spread    bool   // se is stated in the cell, after ±
	deviation bool   // a standard deviation that is stated so is not used
	divided   bool   // one is, divided by the root of the number of measurements
	onScale   bool   // se is that of the logarithm that the score is
	footnote  bool   // a mark behind the number refers to one
	ranged    bool   // the number is the geometric mean of a range
	text      string // the number as it is written, with its relation
	bare      bool   // neither its cell nor its row states a unit
	taken     bool   // it is a bound that is taken for the score
	column    int    // index of its outcome
}

// no returns a measurement without a score.
func no(state State, reason Reason) measurement {
	return measurement{state: state, reason: reason, number: math.NaN()}
}

// readCell reads a cell of a column of numbers, such as 5.3, >4.5, about 3 or 12 nM.
func readCell(text string, s numeral.Style) measurement {
	text = whitespace.Trim(text)
	if numeral.IsMissing(text) {
		return no(Missing, Reason{Code: NoValue})
	}
	if reason, ok := numeral.Failure(text); ok {
		return no(Failed, Reason{MeasurementFailed, cmp.Or(reason, "failed")})
	}
	if s.Date {
		return no(Invalid, unread(numeral.ErrDate(text)))
	}
	n, ok := numeral.Parse(text)
	if !ok && isFormula(text) {
		return no(Invalid, formulaReason(text))
	}
	if !ok {
		return no(Invalid, unread(numeral.Explain(n.Written)))
	}
	number, err := n.Value(s)
	if err != nil {
		return no(Invalid, unread(err))
	}
	m := measurement{state: Measured, number: number, Relation: n.Relation, unit: n.Unit, footnote: n.Footnote}
	if n.Spread != nil {
		if m.se, err = n.Spread.Value(s); err != nil {
			return no(Invalid, unread(err))
		}
		m.spread = true
	}
	return m
}

// unread returns the reason of a cell that package numeral does not read.
func unread(err error) Reason {
	if e, ok := errors.AsType[*numeral.Error](err); ok {
		return Reason{Code(e.Kind), e.Text}
	}
	return Reason{NotNumber, err.Error()}
}

// ReadValue reads a text as the only cell of a column of scores without a unit: a number, a bound, or "failed: reason".
// Of another text State is neither Measured nor Failed.
func ReadValue(text string) Record {
	m := readCell(text, numeral.Style{})
	if m.state == Measured && (m.unit != (quantity.Unit{}) || m.spread) {
		m = no(Invalid, Reason{Code: NotNumber})
	}
	return Record{State: m.state, Reason: m.reason, Score: m.number, Bound: m.Bound}
}

// decimalComma matches a number with digits behind a comma, unlike a name such as "1,".
var decimalComma = regexp.MustCompile(`\d,\d`)

// style finds out from all cells of columns how their numbers are written: as most of those that leave no doubt. Where
// none tells, commas in a file with semicolons are before decimals. In a workbook the text tells how text is written,
// and if it does not, the numbers.
func (g *grid) style(columns ...int) numeral.Style { return g.styleBy(numeral.Parse, columns...) }

// styleBy is style of cells that a function reads numbers of.
func (g *grid) styleBy(read func(cell string) (numeral.Numeral, bool), columns ...int) numeral.Style {
	isText := func(r rawfile.Row, i int) bool { return !field(r.Numbers, i) }
	s := g.styleOf(read, isText, columns)
	if s.Mark == numeral.Unknown && g.format.Separator != "comma" && g.doubtful(read, isText, columns) { // 2.500 beside a column with 12,5
		numbers := g.where(func(i int) bool { return g.share(i, numeral.IsValue) > 0.5 && g.share(i, decimalComma.MatchString) > 0 })
		if others := g.styleOf(numeral.Parse, isText, numbers); others.Mark == numeral.Commas {
			s.Mark, s.Grouped = numeral.Commas, others.Grouped
		}
	}
	if s.Mark == numeral.Unknown && g.format.Kind == excelKind {
		return g.styleOf(read, func(rawfile.Row, int) bool { return true }, columns)
	}
	return s
}

// styleOfStudy is style in a table that may be told to a study: what its cells leave in doubt is written as in the
// study's own table. If that tells nothing, round numbers with points between semicolons, such as 1.500, stay in doubt
// however few they are, and so do numbers that are far below all scores of the study, and with thousands are not.
func (g *grid) styleOfStudy(o Options, columns ...int) numeral.Style {
	const far = 10 // times as much as any score of the study, or as little
	s := g.style(columns...)
	isText := func(r rawfile.Row, i int) bool { return !field(r.Numbers, i) }
	least, most := o.Known.scores()
	grouped := least > 0                   // all numbers may have thousands, and only then are like the study's
	pointed, round, certain := 0, 0, false // numbers with a point that may separate thousands; those of them that end in 0; some number certainly has a point
	for r := range g.dataRows() {
		for _, c := range columns {
			n, ok := numeral.Parse(field(r.Cells, c))
			switch {
			case !ok || !isText(r, c):
			case n.IsPointDoubtful():
				pointed++
				v, _ := n.Value(numeral.Style{})
				grouped = grouped && far*v < least && 1000*v > least/far && 1000*v < far*most
				if strings.HasSuffix(n.Text, "0") {
					round++
				}
			case n.HasPoint():
				certain = true
			}
		}
	}
	commas := s.Mark == numeral.Commas || s.Mark != numeral.Points && g.format.Separator != rawfile.Comma.String() && !certain
	switch {
	case o.Known == nil:
	case o.Like.DecimalComma && commas:
		s.Mark, s.Grouped = numeral.Commas, s.Grouped || o.Like.Grouped
	case s.Mark == numeral.Unknown && pointed > 0 && grouped, s.Mark == numeral.Unknown && pointed > 0 && round == pointed && g.format.Separator == rawfile.Semicolon.String():
		s.Mark = numeral.Both
	}
	return s
}

// styleAt returns the style of a cell among columns of a style.
func styleAt(s numeral.Style, r rawfile.Row, column int) numeral.Style {
	s.Typed, s.Date = field(r.Numbers, column), field(r.Dates, column)
	return s
}

// doubtful reports whether the point of a number of columns may separate thousands.
func (g *grid) doubtful(read func(cell string) (numeral.Numeral, bool), counts func(r rawfile.Row, column int) bool, columns []int) bool {
	for r := range g.dataRows() {
		for _, c := range columns {
			if n, ok := read(field(r.Cells, c)); ok && n.IsPointDoubtful() && counts(r, c) {
				return true
			}
		}
	}
	return false
}

// styleOf finds out how the numbers of those cells of columns are written that count.
func (g *grid) styleOf(read func(cell string) (numeral.Numeral, bool), counts func(r rawfile.Row, column int) bool, columns []int) numeral.Style {
	return g.format.style(func(yield func(numeral.Numeral) bool) {
		for r := range g.dataRows() {
			for _, c := range columns {
				n, ok := read(field(r.Cells, c))
				if ok && counts(r, c) && !(yield(n) && (n.Spread == nil || yield(*n.Spread))) {
					return
				}
			}
		}
	})
}

// style finds out how numbers in a table of the format are written.
func (f Format) style(all iter.Seq[numeral.Numeral]) numeral.Style {
	s := numeral.StyleOf(all, f.Separator == rawfile.Semicolon.String())
	s.Typed = f.Kind == excelKind
	return s
}

// CarriedNumbers returns the numbers of one of the columns Carried, of each row, as they are written there; NaN where
// there is no exact one.
func (t *Table) CarriedNumbers(column int) []float64 {
	return t.Format.Numbers(stats.Map(t.Records, func(r Record) string { return r.Carried[column] }))
}

// Numbers returns the numbers of a column's cells, perhaps with currencies, in a table of the format; NaN where there
// is no exact one.
func (f Format) Numbers(cells []string) []float64 {
	numerals := make([]numeral.Numeral, len(cells))
	for i, cell := range cells {
		n, ok := numeral.Parse(cell)
		if !ok {
			price, isPrice := splitPrice(cell)
			n, ok = price.Numeral, isPrice && price.currency != "" && !price.unit.IsSet() && !price.thousand
		}
		if ok && n.Relation == (numeral.Relation{}) {
			numerals[i] = n
		}
	}
	s := f.style(func(yield func(numeral.Numeral) bool) {
		for _, n := range numerals {
			if n.Text != "" && !yield(n) {
				return
			}
		}
	})
	numbers := make([]float64, len(numerals))
	for i, n := range numerals {
		v, err := n.Value(s)
		if numbers[i] = v; err != nil {
			numbers[i] = math.NaN()
		}
	}
	return numbers
}
