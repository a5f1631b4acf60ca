package rawfile

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// annotate adds to a sheet what excelize tells only if it takes the whole sheet into memory, and with it all cells that
// a sparse sheet has not: which cells are stored as numbers, and which as dates, those that are struck through, which
// it empties, formulas without a value, and merged ranges. It adds nothing if the sheet's part of the workbook is not
// found, and what is before an error in it.
func (s *Sheet) annotate(content []byte, name string, strikes, dates func(style string) bool) {
	part, stale, err := openPart(content, name)
	if err != nil {
		return
	}
	defer part.Close()
	decoder := xml.NewDecoder(part)
	line, column := 0, 0
	var f *formula // of the cell that is read
	shared := map[string]string{}
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return
		}
		switch t := token.(type) {
		case xml.CharData:
			f.add(t)
			continue
		case xml.EndElement:
			if f.end(t.Name.Local, shared, stale) && line >= 1 && line <= len(s.Rows) {
				s.Rows[line-1].setFormula(column-1, f.text.String())
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
			kind := attribute(e, "t")
			f = &formula{kind: kind}
			if line < 1 || line > len(s.Rows) || column > len(s.Rows[line-1].Cells) {
				continue
			}
			r := &s.Rows[line-1]
			if r.Cells[column-1] != "" && strikes(attribute(e, "s")) {
				s.Struck, f = append(s.Struck, line), nil
				if r.Cells[column-1] = ""; len(TrimEmpty(r.Cells)) == 0 {
					r.Kind = Empty
				}
			}
			if kind != "" && kind != "n" {
				continue
			}
			if r.Numbers == nil {
				r.Numbers = make([]bool, len(r.Cells))
			}
			r.Numbers[column-1] = true
			if r.Cells[column-1] != "" && dates(attribute(e, "s")) {
				if r.Dates == nil {
					r.Dates = make([]bool, len(r.Cells))
				}
				r.Dates[column-1] = true
			}
		case "f", "v":
			f.begin(e)
		case "mergeCell":
			first, last, _ := strings.Cut(attribute(e, "ref"), ":")
			left, top, err := excelize.CellNameToCoordinates(first)
			right, bottom, errLast := excelize.CellNameToCoordinates(last)
			if err == nil && errLast == nil {
				s.Merged = append(s.Merged, Range{left - 1, top - 1, right - 1, bottom - 1})
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

// openPart opens the XML of a sheet of a workbook. stale: the values of formulas are not those that Excel computed, as
// a program wrote the workbook.
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

// FillMerged gives each row from an index on the value of a merged range of several rows that it is in, and reports
// whether there is one. Rows without a cell of their own stay empty.
func (s *Sheet) FillMerged(from int) (filled bool) {
	left := 1 << 24 // cells that are looked at, whatever ranges a broken sheet has
	for _, m := range s.Merged {
		if m.Top < from || m.Top >= len(s.Rows) || m.Left >= len(s.Rows[m.Top].Cells) {
			continue
		}
		first := s.Rows[m.Top]
		for i := m.Top + 1; i <= min(m.Bottom, len(s.Rows)-1) && left > 0; i++ {
			left--
			r := &s.Rows[i]
			if r.Kind != Data || m.Left < len(r.Cells) && r.Cells[m.Left] != "" {
				continue
			}
			for len(r.Cells) <= m.Left {
				r.Cells = append(r.Cells, "")
			}
			r.Cells[m.Left], filled = first.Cells[m.Left], true
			if m.Left < len(first.Numbers) && first.Numbers[m.Left] {
				r.Numbers = append(r.Numbers, make([]bool, len(r.Cells)-len(r.Numbers))...)
				r.Numbers[m.Left] = true
			}
		}
	}
	return filled
}
