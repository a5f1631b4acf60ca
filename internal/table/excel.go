package table

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/usage"
)

// openExcel returns a sheet of an .xlsx workbook: the one that Options name, or the first with data.
func openExcel(f *rawfile.File, o Options) (*grid, error) {
	book, err := f.OpenWorkbook()
	if err != nil {
		return nil, err
	}
	defer book.Close()
	sheets := visibleFirst(book.Sheets)
	name := withData(sheets, o)
	if o.Sheet != "" {
		names := stats.Map(book.Sheets, func(s rawfile.Preview) string { return s.Name })
		i := slices.IndexFunc(names, func(s string) bool { return quantity.Fold(s) == quantity.Fold(o.Sheet) })
		if i < 0 {
			return nil, option.Errorf("%s: there is no such sheet%s", option.Setting{Name: "sheet", Value: o.Sheet}, usage.Suggest(o.Sheet, names))
		}
		name = names[i]
	}
	sheet, err := book.Sheet(name)
	if err != nil {
		return nil, err
	}
	g := &grid{
		struck: sheet.Struck, merged: sheet.Merged, format: Format{Kind: excelKind, Sheet: name},
		read: func(rawfile.Text) iter.Seq[rawfile.Row] { return slices.Values(sheet.Rows) },
	}
	g.findHeader(o)
	g.leaveBeside(sheet.Rows)
	if sheet.FillMerged(max(g.headerLine, g.start-1)) {
		g.sample = nil
		g.look()
	}
	g.sheets = slices.DeleteFunc(sheets, func(s rawfile.Preview) bool { return s.Name == name })
	return g, nil
}

// visibleFirst returns the sheets of a workbook, those that are hidden last.
func visibleFirst(sheets []rawfile.Preview) []rawfile.Preview {
	var visible, hidden []rawfile.Preview
	for _, s := range sheets {
		if s.Hidden {
			hidden = append(hidden, s)
		} else {
			visible = append(visible, s)
		}
	}
	return slices.Concat(visible, hidden)
}

// withData returns the name of the first sheet that has, among its first rows, one that names columns as tables of
// strings have them. Other sheets are about the data, such as a cover. If no sheet has one, it is the first.
func withData(sheets []rawfile.Preview, o Options) string {
	for _, s := range sheets {
		if slices.ContainsFunc(s.Rows, func(cells []string) bool { return names(cells, o) }) {
			return s.Name
		}
	}
	return sheets[0].Name
}

// alike reports whether a sheet has most of the columns of the one that is read.
func (g *grid) alike(s rawfile.Preview) bool {
	named := without(stats.Map(g.header, quantity.Fold), []string{""})
	return slices.ContainsFunc(s.Rows, func(cells []string) bool {
		shared := len(named) - len(without(named, stats.Map(cells, quantity.Fold)))
		return shared > 1 && 2*shared > len(named)
	})
}

// noteSheets notes which other sheets have the columns of the one that is read.
func (g *grid) noteSheets(c *columns) {
	var all []string
	for _, s := range g.sheets {
		if !s.Hidden && g.format.Header && g.alike(s) {
			all = append(all, strconv.Quote(s.Name))
		}
	}
	if len(all) > 0 {
		c.notes = append(c.notes, fmt.Sprintf("sheet %q is read alone, and %s with the same columns %s not: give its name as sheet to read another, or put all rows on one sheet",
			g.format.Sheet, enumerated(all), map[bool]string{true: "is", false: "are"}[len(all) == 1]))
	}
}

// onAnotherSheet says which other sheet has a column whose name holds for is; "" if none has.
func (g *grid) onAnotherSheet(is func(cell string) bool) string {
	for _, s := range g.sheets {
		for _, cells := range s.Rows {
			at := slices.IndexFunc(cells, is)
			switch {
			case at < 0:
			case names(cells, Options{}) && !names(cells[at:at+1], Options{}):
				return fmt.Sprintf("sheet %q has a column %s beside strings: give its name as sheet to read that", s.Name, cells[at])
			default:
				return fmt.Sprintf("sheet %q has a column %s: save that sheet as a file of its own, and give both files", s.Name, cells[at])
			}
		}
	}
	return ""
}

// hint says which other sheet may hold the scores or strings that a question asks for, and which column holds scores in
// words; "" if none does.
func (g *grid) hint(q Question, c columns) string {
	isString := func(cell string) bool { return len(cell) > 1 && rankOf(inputNames, quantity.Fold(cell)) >= 0 }
	isScore := func(cell string) bool {
		return quantity.ParseHeading(cell).HasEndpoint() || rankOf(scoreNames, quantity.Fold(cell)) >= 0
	}
	for _, a := range q.Asks {
		known := slices.ContainsFunc(a.Candidates, func(c Candidate) bool { return !c.Unlikely() })
		switch {
		case a.For == RoleInput:
			return g.onAnotherSheet(isString)
		case a.For == RoleScore && !known:
			return cmp.Or(g.wordsForScores(c), g.onAnotherSheet(isScore))
		}
	}
	return ""
}

// leaveBeside cuts what people wrote beside a table with a header off its rows. Rows of nothing else are empty.
func (g *grid) leaveBeside(rows []rawfile.Row) {
	width := len(g.header)
	for i := range rows {
		r := &rows[i]
		if !g.format.Header || r.Line <= g.headerLine || len(r.Cells) <= width {
			continue
		}
		g.beside = append(g.beside, r.Line)
		if r.Cells = rawfile.TrimEmpty(r.Cells[:width]); len(r.Cells) == 0 {
			r.Kind = rawfile.Empty
		}
	}
}
