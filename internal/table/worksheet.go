package table

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/table/quantity"
)

// merged is a range of cells that Excel shows as one; the first of them holds its value. Columns and rows are counted from 0.
type merged struct{ left, top, right, bottom int }

// annotate sets which cells of a sheet's rows are stored as numbers, empties those that are struck through, writes the formulas of those that have no
// value, and returns its merged ranges and the lines with struck cells. excelize tells of none of these without taking the whole sheet into memory, and with it all cells that a sparse sheet has not. Of a
// part that is not found nothing is known.
func annotate(content []byte, sheet string, rows []row, strikes func(style string) bool) (ranges []merged, struck []int) {
	part, stale, err := openPart(content, sheet)
	if err != nil {
		return nil, nil
	}
	defer part.Close()
	decoder := xml.NewDecoder(part)
	line, column := 0, 0
	var f *formula // of the cell that is read
	shared := map[string]string{}
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return ranges, struck
		}
		switch t := token.(type) {
		case xml.CharData:
			f.add(t)
			continue
		case xml.EndElement:
			if f.end(t.Name.Local, shared, stale) && line >= 1 && line <= len(rows) {
				rows[line-1].setFormula(column-1, f.text.String())
			}
			continue
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "row":
			line, column = line+1, 0
			if _, at, err := excelize.CellNameToCoordinates("A" + attribute(e, "r")); err == nil {
				line = at
			}
		case "c":
			column++
			if at, _, err := excelize.CellNameToCoordinates(attribute(e, "r")); err == nil {
				column = at
			}
			f = &formula{kind: attribute(e, "t")}
			if line < 1 || line > len(rows) || column > len(rows[line-1].cells) {
				continue
			}
			r := &rows[line-1]
			if r.cells[column-1] != "" && strikes(attribute(e, "s")) {
				struck, f = append(struck, line), nil
				if r.cells[column-1] = ""; len(trimEmpty(r.cells)) == 0 {
					r.kind = empty
				}
			}
			if t := attribute(e, "t"); t != "" && t != "n" {
				continue
			}
			if r.numbers == nil {
				r.numbers = make([]bool, len(r.cells))
			}
			r.numbers[column-1] = true
		case "f", "v":
			f.begin(e)
		case "mergeCell":
			first, last, _ := strings.Cut(attribute(e, "ref"), ":")
			left, top, err := excelize.CellNameToCoordinates(first)
			right, bottom, errLast := excelize.CellNameToCoordinates(last)
			if err == nil && errLast == nil {
				ranges = append(ranges, merged{left - 1, top - 1, right - 1, bottom - 1})
			}
		}
	}
}

// attribute returns an attribute of an element; "" if it has none of that name.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// openPart opens the XML of a sheet of a workbook. stale: the values of formulas are not those that Excel computed, as a program wrote the workbook.
func openPart(content []byte, sheet string) (part io.ReadCloser, stale bool, err error) {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, false, err
	}
	at := slices.IndexFunc(z.File, func(f *zip.File) bool { return strings.EqualFold(path.Base(f.Name), "workbook.xml") })
	if at < 0 {
		return nil, false, io.EOF
	}
	book := z.File[at].Name
	var sheets struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
		Computing struct {
			OnLoad string `xml:"fullCalcOnLoad,attr"`
		} `xml:"calcPr"`
	}
	var relations struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if err := readPart(z, book, &sheets); err != nil {
		return nil, false, err
	}
	if err := readPart(z, path.Join(path.Dir(book), "_rels", path.Base(book)+".rels"), &relations); err != nil {
		return nil, false, err
	}
	for _, s := range sheets.Sheets {
		for _, r := range relations.All {
			if s.Name != sheet || s.ID != r.ID {
				continue
			}
			name, rooted := strings.CutPrefix(r.Target, "/")
			if !rooted {
				name = path.Join(path.Dir(book), r.Target)
			}
			part, err = z.Open(name)
			return part, slices.Contains([]string{"1", "true"}, sheets.Computing.OnLoad), err
		}
	}
	return nil, false, io.EOF
}

// readPart reads the XML of a part of a workbook.
func readPart(z *zip.Reader, name string, into any) error {
	r, err := z.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	return xml.NewDecoder(r).Decode(into)
}

// alike reports whether a sheet has most of the columns of the one that is read.
func (g *grid) alike(s worksheet) bool {
	named := without(mapped(g.header, quantity.Fold), []string{""})
	return slices.ContainsFunc(s.rows, func(cells []string) bool {
		shared := len(named) - len(without(named, mapped(cells, quantity.Fold)))
		return shared > 1 && 2*shared > len(named)
	})
}

// noteSheets notes which other sheets have the columns of the one that is read.
func (g *grid) noteSheets(c *columns) {
	var all []string
	for _, s := range g.sheets {
		if !s.hidden && g.format.Header && g.alike(s) {
			all = append(all, strconv.Quote(s.name))
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
		for _, cells := range s.rows {
			at := slices.IndexFunc(cells, is)
			switch {
			case at < 0:
			case names(cells, Options{}) && !names(cells[at:at+1], Options{}):
				return fmt.Sprintf("sheet %q has a column %s beside strings: give its name as sheet to read that", s.name, cells[at])
			default:
				return fmt.Sprintf("sheet %q has a column %s: save that sheet as a file of its own, and give both files", s.name, cells[at])
			}
		}
	}
	return ""
}

// hint says which other sheet may hold the scores or strings that a question asks for, and which column holds scores in words; "" if none does.
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
func (g *grid) leaveBeside(rows []row) {
	width := len(g.header)
	for i := range rows {
		r := &rows[i]
		if !g.format.Header || r.line <= g.headerLine || len(r.cells) <= width {
			continue
		}
		g.beside = append(g.beside, r.line)
		if r.cells = trimEmpty(r.cells[:width]); len(r.cells) == 0 {
			r.kind = empty
		}
	}
}

// fillMerged gives each of some rows the value of a merged range of several rows that it is in, and reports whether there is one. Rows
// without a cell of their own stay empty.
func fillMerged(rows []row, ranges []merged) (filled bool) {
	if len(rows) == 0 {
		return false
	}
	before, left := rows[0].line-1, 1<<24 // cells that are looked at, whatever ranges a broken sheet has
	for _, m := range ranges {
		top := m.top - before
		if top < 0 || top >= len(rows) || m.left >= len(rows[top].cells) {
			continue
		}
		from := rows[top]
		for i := top + 1; i <= min(m.bottom-before, len(rows)-1) && left > 0; i++ {
			left--
			r := &rows[i]
			if r.kind != data || field(r.cells, m.left) != "" {
				continue
			}
			for len(r.cells) <= m.left {
				r.cells = append(r.cells, "")
			}
			r.cells[m.left], filled = from.cells[m.left], true
			if field(from.numbers, m.left) {
				r.numbers = append(r.numbers, make([]bool, len(r.cells)-len(r.numbers))...)
				r.numbers[m.left] = true
			}
		}
	}
	return filled
}
