package table

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
)

// kinds is how a told table with a row for each measurement says what was measured: in a column of words, beside one of
// all values.
type kinds struct {
	column, values int
	names          []string // of the outcomes of the study that its rows have, as they are spelled there
	first          int      // column of the first of them
}

// spreadKinds gives each outcome of the study a column of its own, where a told table has all values in one column, and
// another says what each is. Rows of something else are set aside. A study of such tables has the kind of its scores
// instead; see chooseType.
func (g *grid) spreadKinds(o Options) {
	if o.Known == nil || o.Like.Type != "" || !g.format.Header {
		return
	}
	k := kinds{values: g.valuesOfKinds(o), first: len(g.header)}
	k.column = g.one(func(i int) bool {
		if k.values < 0 || i == k.values || g.share(i, numeral.IsValue) > 0.5 {
			return false
		}
		k.names = g.outcomesIn(i, o)
		return len(k.names) > 0
	})
	if k.column < 0 {
		return
	}
	g.kinds, g.header = &k, append(slices.Clone(g.header), k.names...)
	if o.Type != "" {
		g.header[k.first] = field(append(slices.Clone(o.Like.From), o.Like.Score), 0)
	}
	for i := k.first; i < len(g.header); i++ {
		if h, stated := g.heading(i), g.heading(k.values).Unit; !h.Unit.IsSet() {
			g.headings[i].Unit = stated
		}
	}
	g.headings[k.values] = quantity.ParseHeading("values of kinds")
	g.rewrite(func(r rawfile.Row) rawfile.Row { return k.spread(r, len(g.header)) })
}

// outcomesIn returns the different cells of a column that are called as outcomes of a study: what its score is made of
// or else the score, and further outcomes. A kind that is given is that of the score.
func (g *grid) outcomesIn(column int, o Options) (names []string) {
	add := func(outcomes ...string) {
		for _, cell := range g.cells(column, sampled) {
			same := func(name string) bool { return isOutcome(cell, name) }
			if slices.ContainsFunc(outcomes, same) && !slices.ContainsFunc(names, same) {
				names = append(names, cell)
			}
		}
	}
	switch {
	case o.noScores():
	case o.Type != "":
		if add(o.Type); names == nil {
			return nil
		}
	default:
		if add(o.Like.From...); names == nil {
			add(o.Like.Score)
		}
	}
	for _, name := range o.Others {
		add(name, o.Like.FilledOther(name))
	}
	return names
}

// isOutcome reports whether a cell names an outcome, in any spelling.
func isOutcome(cell, name string) bool {
	return quantity.Fold(cell) != "" && quantity.Fold(cell) == quantity.Fold(name)
}

// valuesOfKinds returns the column of all values in a table without a column of the study's score or a further outcome;
// -1 if there is none.
func (g *grid) valuesOfKinds(o Options) int {
	if len(o.Score) == 1 && !o.noScores() {
		return g.find(o.Score[0])
	}
	outcomes := slices.Concat(o.Like.From, []string{o.Like.Score}, o.Others)
	if slices.ContainsFunc(outcomes, func(name string) bool { return g.find(name) >= 0 }) {
		return -1
	}
	numbers := g.where(func(i int) bool { return g.share(i, numeral.IsValue) > 0.5 && g.use(i) == measured })
	if named := slices.DeleteFunc(slices.Clone(numbers), func(i int) bool { return g.rank(scoreNames, i) < 0 }); len(named) == 1 {
		return named[0]
	}
	if len(numbers) == 1 {
		return numbers[0]
	}
	return -1
}

// spread returns a row with its value in the column of its outcome, of as many columns as there are then.
func (k kinds) spread(r rawfile.Row, width int) rawfile.Row {
	if n := len(rawfile.TrimEmpty(r.Cells)); n > k.first {
		r.Problem = fmt.Sprintf("the row has %d cells, and there are %d columns: quote cells that contain the separator", n, k.first)
	}
	at := k.of(field(r.Cells, k.column))
	value, number := field(r.Cells, k.values), field(r.Numbers, k.values)
	r.Cells = append(slices.Clone(r.Cells[:min(len(r.Cells), k.first)]), make([]string, width)...)[:width]
	r.Numbers = append(slices.Clone(r.Numbers[:min(len(r.Numbers), k.first)]), make([]bool, width)...)[:width]
	if at >= 0 {
		r.Cells[at], r.Numbers[at] = value, number
	}
	return r
}

// of returns the column of the outcome that a cell names; -1 if it names none.
func (k kinds) of(cell string) int {
	at := slices.IndexFunc(k.names, func(name string) bool { return isOutcome(cell, name) })
	if at < 0 {
		return -1
	}
	return k.first + at
}

// rewrite has the rows of data read with other cells.
func (g *grid) rewrite(change func(rawfile.Row) rawfile.Row) {
	read := g.read
	g.read = func(b rawfile.Text) iter.Seq[rawfile.Row] {
		return func(yield func(rawfile.Row) bool) {
			for r := range read(b) {
				if r.Kind == rawfile.Data && r.Line != g.headerLine {
					r = change(r)
				}
				if !yield(r) {
					return
				}
			}
		}
	}
	for i := range g.sample {
		g.sample[i] = change(g.sample[i])
	}
}

// list names the outcomes, for people.
func (k kinds) list() string { return strings.Join(k.names, " or ") }
