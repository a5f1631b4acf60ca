package table

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/table/sheet"
)

// levels are the rows of a header of several: groups above the row that names the strings, that row, and rows below it
// with what each column of a group is of. The name of a column is joined of them: IC50 (nM) above CA II is IC50 (nM) CA
// II.
type levels struct {
	merged []rawfile.Range // ranges of the sheet
	above  []rawfile.Row
	names  rawfile.Row
	below  []rawfile.Row
	units  rawfile.Row   // below all, with units alone; without cells: there is none
	rest   []rawfile.Row // of data

	texts map[int]bool   // isText by column, as far as it is known
	again map[string]int // how many columns have a name
}

const mostLevels = 3 // rows below or above the one with the names

// joinHeader sets the names of columns to those of a header of several rows, if there are several around one of the
// sample, and returns how many of the rows below belong to it.
func (g *grid) joinHeader(at int) (below int) {
	l := levels{merged: g.merged, names: g.sample[at], rest: g.sample[at+1:], texts: map[int]bool{}, again: map[string]int{}}
	for i := range l.names.Cells {
		l.again[label(l.names, i)]++
	}
	for n := 0; n < mostLevels && len(l.rest) > 1 && follows(l.last(), l.rest[0]) && l.isBelow(l.rest[0]); n++ {
		l.below, l.rest = append(l.below, l.rest[0]), l.rest[1:]
	}
	below = len(l.below)
	for i := at - 1; i >= 0 && len(l.above) < mostLevels && follows(g.sample[i], g.sample[i+1]) && l.isAbove(g.sample[i]); i-- {
		l.above = slices.Insert(l.above, 0, g.sample[i])
	}
	if len(l.rest) > 0 && l.areUnits(l.rest[0]) {
		l.units, l.rest = l.rest[0], l.rest[1:]
	}
	clear(l.texts)
	g.groups, g.labels = make([]string, l.width()), make([]string, l.width())
	for i := range l.width() {
		g.header = append(g.header, l.name(i, g))
	}
	l.joinAbove(g)
	g.header = rawfile.TrimEmpty(g.header)
	return below
}

// follows reports whether a row is directly below another.
func follows(above, below rawfile.Row) bool { return above.Line+max(above.Lines, 1) == below.Line }

func (l levels) last() rawfile.Row {
	if n := len(l.below); n > 0 {
		return l.below[n-1]
	}
	return l.names
}

// width returns the number of columns with a cell in the header, or in a merged range of its names.
func (l levels) width() int {
	width := 0
	for _, r := range slices.Concat(l.above, l.below, []rawfile.Row{l.names}) {
		width = max(width, len(rawfile.TrimEmpty(r.Cells)))
	}
	for _, m := range l.merged {
		if m.Top == l.names.Line-1 && field(l.names.Cells, m.Left) != "" {
			for i := m.Left + 1; i <= min(m.Right, rawfile.MaxColumns-1); i++ {
				if len(l.column(i)) > 0 {
					width = max(width, i+1)
				}
			}
		}
	}
	return width
}

// column returns what the first rows of data have in a column.
func (l levels) column(i int) (cells []string) {
	const looked = 30
	for _, r := range l.rest[:min(len(l.rest), looked)] {
		if cell := field(r.Cells, i); !numeral.IsMissing(cell) {
			cells = append(cells, cell)
		}
	}
	return cells
}

// isText reports whether a column holds something else than numbers.
func (l levels) isText(i int) bool {
	text, known := l.texts[i]
	if !known {
		cells := l.column(i)
		text = len(cells) > 0 && 2*stats.Count(cells, isMeasurement) <= len(cells)
		l.texts[i] = text
	}
	return text
}

// unnamedLevel matches what pandas writes for a level that a column lacks.
var unnamedLevel = regexp.MustCompile(`^Unnamed: \d+_level_\d+$`)

// label returns the cell of a row of the header.
func label(r rawfile.Row, i int) string {
	cell := plainName(sheet.Unguard(field(r.Cells, i)))
	if unnamedLevel.MatchString(cell) {
		return ""
	}
	return cell
}

// isUnit reports whether a cell is a unit.
func isUnit(cell string) bool { _, ok := unitCell(cell); return ok }

// isBelow reports whether a row below the names has labels of columns of numbers, and nothing in the columns of
// strings. Numbers are labels if they count the columns of a group, or are below a merged cell.
func (l levels) isBelow(r rawfile.Row) bool {
	if isTypesRow(r.Cells) || l.areUnits(r) {
		return false
	}
	rest := l
	rest.rest, rest.texts = l.rest[1:], map[int]bool{}
	var labels, numbers, values []string
	beside, grouped, merged := false, false, false // there is a column of strings; a label is of one of several columns in a group; the group is merged
	for i := range max(len(r.Cells), len(l.names.Cells)) {
		name, cell := label(l.names, i), label(r, i)
		text := rest.isText(i)
		switch same := cell == "" || quantity.Fold(cell) == quantity.Fold(name); {
		case same:
			beside = beside || text && name != ""
			continue
		case text && name != "", strings.HasPrefix(cell, "RESULT_"):
			return false
		case numeral.IsNumber(cell):
			numbers = append(numbers, cell)
		case numeral.IsMissing(cell):
			return false
		case numeral.IsValue(cell):
			values = append(values, cell)
		default:
			if _, failed := numeral.Failure(cell); failed {
				return false
			}
			labels = append(labels, cell)
		}
		start, ofMerged := l.start(l.names, i)
		grouped = grouped || start >= 0 && start < i || name != "" && l.again[name] > 1
		merged = merged || ofMerged
	}
	switch {
	case !beside || len(labels)+len(numbers)+len(values) == 0:
		return false
	case len(numbers) > 0 && !merged && !counts(numbers):
		return false
	}
	return grouped || len(labels) > 1 && len(numbers)+len(values) == 0
}

// counts reports whether cells are 1, 2, …, perhaps several times.
func counts(cells []string) bool {
	before := 0
	for _, cell := range cells {
		n, err := strconv.Atoi(cell)
		if err != nil || n != before+1 && (n != 1 || before < 2) {
			return false
		}
		before = n
	}
	return before > 1
}

// areUnits reports whether a row has units, and nothing else.
func (l levels) areUnits(r rawfile.Row) bool {
	cells := without(r.Cells, []string{""})
	return len(cells) > 0 && stats.Count(cells, isUnit) == len(cells)
}

// start returns the first column of the group that a column is in by a row: that of a merged range, or else that of the
// nearest name to the left, if there is none in the cells between; -1 if there is none.
func (l levels) start(r rawfile.Row, i int) (start int, ofMerged bool) {
	for _, m := range l.merged {
		if m.Top <= r.Line-1 && r.Line-1 <= m.Bottom && m.Left <= i && i <= m.Right && m.Right > m.Left {
			return m.Left, true
		}
	}
	if label(r, i) != "" {
		return i, false
	}
	for j := i - 1; j >= 0; j-- {
		if label(r, j) == "" {
			continue
		}
		if _, ofMerged := l.start(r, j); ofMerged { // and this column is outside
			return -1, false
		}
		return j, false
	}
	return -1, false
}

// groupName returns the name of the group that a column is in by a row. In a file without merged cells a group ends
// where no row below has a label.
func (l levels) groupName(r rawfile.Row, i int, lower []rawfile.Row) string {
	start, ofMerged := l.start(r, i)
	if start < 0 || start == i || ofMerged {
		return label(r, max(start, 0))
	}
	for j := start; j <= i; j++ {
		if !slices.ContainsFunc(lower, func(r rawfile.Row) bool { return label(r, j) != "" }) {
			return ""
		}
	}
	return label(r, start)
}

// name returns the name of a column by the row of names and those below it, and sets the group and the label that it is
// joined of.
func (l levels) name(i int, g *grid) string {
	own := label(l.names, i)
	if l.isText(i) {
		for _, r := range l.below {
			if own == "" {
				own = label(r, i)
			}
		}
		return own
	}
	rows := slices.Concat([]rawfile.Row{l.names}, l.below)
	var parts []string
	for k, r := range rows {
		lower := rows[k+1:]
		part := label(r, i)
		if len(lower) > 0 || k == 0 {
			part = l.groupName(r, i, slices.Concat(lower, []rawfile.Row{l.units}))
		}
		if n := len(parts); part != "" && (n == 0 || quantity.Fold(parts[n-1]) != quantity.Fold(part)) {
			parts = append(parts, part)
		}
	}
	if n := len(parts); n > 1 {
		g.groups[i], g.labels[i] = strings.Join(parts[:n-1], " "), parts[n-1]
	}
	return strings.Join(parts, " ")
}

// isAbove reports whether a row above the names has those of groups of columns of numbers, and no title: that stands
// above all columns.
func (l levels) isAbove(r rawfile.Row) bool {
	found := false
	width := l.width()
	for i := range r.Cells {
		cell := label(r, i)
		if cell == "" {
			continue
		}
		if numeral.IsValue(cell) || i >= width && len(l.column(i)) == 0 {
			return false
		}
		found = found || i >= width && !l.isText(i)
		text, numbers := false, false
		for j := i; j < width; j++ {
			if start, ofMerged := l.start(r, j); start != i || j > i && !ofMerged && !l.isText(i) && l.isText(j) {
				break
			}
			text, numbers = text || l.isText(j), numbers || !l.isText(j)
		}
		if text && numbers {
			return false
		}
		found = found || numbers
	}
	return found
}

// joinAbove puts the names of groups before those of columns: of all if some of them would be called alike otherwise,
// or else of those that say neither a unit nor a quantity where the group does. A column that has a unit for a name, or
// none, is called as what is above it.
func (l levels) joinAbove(g *grid) {
	if len(l.above) == 0 {
		return
	}
	numbers := g.where(func(i int) bool { return quantity.Fold(g.header[i]) != "" && !l.isText(i) })
	alike := len(distinct(stats.Map(numbers, func(i int) string { return quantity.Fold(g.header[i]) }))) < len(numbers)
	for i := range g.header {
		var parts, own []string
		for _, r := range l.above {
			if part := label(r, i); part != "" {
				own = append(own, part)
			}
			start, ofMerged := l.start(r, i)
			if start < 0 || l.isText(i) || !ofMerged && slices.ContainsFunc(numbersTo(start, i), l.isText) {
				continue
			}
			if part := label(r, start); part != "" {
				parts = append(parts, part)
			}
		}
		group := strings.Join(parts, " ")
		switch {
		case g.header[i] == "":
			g.header[i] = strings.Join(own, " ")
			continue
		case group != "" && isUnit(g.header[i]):
			g.header[i] = fmt.Sprintf("%s (%s)", group, strings.Trim(g.header[i], "()[]{} "))
			continue
		}
		h, of := quantity.ParseHeading(g.header[i]), quantity.ParseHeading(group)
		says := h.Unit.IsSet() || h.Log != "" || h.HasEndpoint() || slices.Contains(computedNames, h.Base) || h.HasAny(computedWords) || h.HasAny(conditionWords)
		if group == "" || g.header[i] == "" || !alike && (says || !of.Unit.IsSet() && !of.HasEndpoint()) {
			continue
		}
		g.groups[i], g.labels[i] = group, g.header[i]
		g.header[i] = group + " " + g.header[i]
	}
}

// numbersTo returns the whole numbers from one to another.
func numbersTo(from, to int) (all []int) {
	for i := from; i <= to; i++ {
		all = append(all, i)
	}
	return all
}

// withNameless returns columns of scores with those of numbers directly beside them that have no name: a name may be
// that of all.
func (g *grid) withNameless(columns []int) (all []int) {
	for _, i := range columns {
		all = append(all, i)
		for j := i + 1; g.format.Header && !g.blocks && j < len(g.header) && g.header[j] == "" && g.share(j, numeral.IsValue) > 0.5; j++ {
			all = append(all, j)
		}
	}
	return all
}
