package table

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
)

// Entry is what people entered in the fields of a form: a Record without a string, and what is wrong with fields, by index.
type Entry struct {
	Record
	Problems map[int]Reason
}

// ReadForm reads rows of cells that people entered in fields. A field is read as the column of its name in a table of
// the study that Options.Like is of: units, scales, bounds, decimal commas and failures mean the same. Unlike in a
// table, a unit is that of its cell alone. A cell behind those of the fields is the standard error of the score.
func ReadForm(fields []string, rows [][]string, o Options) ([]Entry, error) {
	o.Named = true            // rows have no strings
	var entered []rawfile.Row // none yet: what the units are is up to the fields
	g := &grid{format: Format{Header: true}, header: slices.Concat([]string{""}, fields, []string{""}), read: func(rawfile.Text) iter.Seq[rawfile.Row] { return slices.Values(entered) }}
	c := columns{input: -1, id: 0, se: len(fields) + 1, sd: -1, n: -1, kind: -1, among: -1, assay: -1, mutant: -1, stereo: -1, parents: -1, changes: -1, background: -1}
	if err := g.chooseScores(o, &c, new(Question)); err != nil {
		return nil, usage.Wrap(err)
	}
	c.used = c.taken()
	if err := g.chooseUnits(o, &c); err != nil {
		return nil, usage.Wrap(err)
	}
	for i, cells := range rows {
		name := strconv.Itoa(i + 1)
		entered = append(entered, rawfile.Row{Line: i + 1, Lines: 1, Kind: rawfile.Data, Cells: append([]string{name}, stats.Map(cells, whitespace.Trim)...)})
	}
	r := reader{g: g, c: c, s: g.style(append(c.numbers(), c.se)...), o: o}
	return stats.Map(entered, r.entry), nil
}

// entry returns what a row of a form says.
func (r reader) entry(from rawfile.Row) Entry {
	e := Entry{Record: r.record(from), Problems: map[int]Reason{}}
	e.ID = ""
	for i, out := range slices.Concat(r.c.scores, r.c.others) {
		cell := field(from.Cells, out.column)
		if cell == "" {
			continue
		}
		m := out.measure(from.Cells, r.s, nil)
		switch {
		case m.state == Missing:
			m.reason.Text = fmt.Sprintf("%q is no value", usage.Shorten(cell, 40))
		case m.state == Failed && e.State == Measured && i < len(r.c.scores):
			m.reason.Text = "the row has a score, and did not fail"
		case m.state == Measured || m.state == Failed:
			continue
		}
		e.Problems[out.column-1] = m.reason
	}
	if se := field(from.Cells, r.c.se); len(e.Problems) == 0 && e.Unused() {
		e.Problems[r.c.se-1] = Reason{NotNumber, fmt.Sprintf("%q is no standard error", usage.Shorten(se, 40))}
	}
	return e
}

// Entered returns a score as people enter it, for the column that Filled names. On a scale it has the fewest digits
// that are read as the score; all, if none are.
func (c Columns) Entered(score float64, bound int) sheet.Cell {
	return entered(score, bound, c.Scale, c.Unit)
}

// EnteredOther is Entered of a further outcome, for the column that FilledOther names.
func (c Columns) EnteredOther(outcome string, v float64, bound int) sheet.Cell {
	from := c.OtherFrom[outcome]
	return entered(v, bound, from.Scale, from.Unit)
}

// entered returns a number on a scale as one in a unit.
func entered(score float64, bound int, scale quantity.Scale, unit string) sheet.Cell {
	if scale == "" || math.IsNaN(score) {
		return sheet.Bounded(score, bound)
	}
	u, err := readUnit(unit, quantity.ParseStated)
	v := math.Pow(10, score)
	if scale != quantity.Log10 {
		v, bound = quantity.Molar.To(u, math.Pow(10, -score)), -bound
	}
	if err != nil || v == 0 || math.IsInf(v, 0) {
		return sheet.Cell{}
	}
	for digits := 1; digits <= 17; digits++ {
		x, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		if err == nil && (measurement{state: Measured, number: x}).on(scale, u).number == score {
			return sheet.Bounded(x, bound)
		}
	}
	return sheet.Bounded(v, bound)
}
