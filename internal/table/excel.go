package table

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
)

// openExcel returns a sheet of an .xlsx workbook as rows. Numbers are as the file stores them, not as a format shows them.
func openExcel(s *source, o Options) (g *grid, err error) {
	// A broken workbook must not end the program, whatever excelize makes of it.
	defer func() {
		if p := recover(); p != nil {
			g, err = nil, fmt.Errorf("the workbook is broken (%v): save it anew, or as CSV", p)
		}
	}()
	content, err := s.read(s.most + 1)
	if err != nil {
		return nil, err
	}
	limits := excelize.Options{UnzipSizeLimit: maxBytes, UnzipXMLSizeLimit: maxBytes, RawCellValue: true}
	f, err := excelize.OpenReader(bytes.NewReader(content), limits)
	if err != nil {
		if errors.Is(err, excelize.ErrWorkbookFileFormat) || bytes.Contains(content[:min(len(content), 100)], []byte("opendocument")) {
			return nil, errors.New("it is a zip file and no Excel workbook: give .xlsx, CSV, or a file packed by gzip")
		}
		return nil, fmt.Errorf("the workbook cannot be read: %w", err)
	}
	defer f.Close()
	sheets := f.GetSheetList()
	if len(sheets) == 0 {
		return nil, errors.New("the workbook has no sheet")
	}
	sheet := sheets[0]
	if o.Sheet != "" {
		i := slices.IndexFunc(sheets, func(s string) bool { return fold(s) == fold(o.Sheet) })
		if i < 0 {
			return nil, option.Errorf("%s: there is no such sheet%s", option.Setting{Name: "sheet", Value: o.Sheet}, usage.Suggest(o.Sheet, sheets))
		}
		sheet = sheets[i]
	}
	rows, err := readSheet(f, sheet)
	if err != nil {
		return nil, fmt.Errorf("sheet %q: %w", sheet, err)
	}
	g = &grid{format: Format{Kind: excelKind, Sheet: sheet}, read: func(body) iter.Seq[row] { return slices.Values(rows) }}
	g.findHeader(o)
	return g, nil
}

func readSheet(f *excelize.File, sheet string) ([]row, error) {
	const most = 1 << 26 // cells
	cursor, err := f.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer cursor.Close()
	var rows []row
	all := 0
	for cursor.Next() {
		cells, err := cursor.Columns()
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(rows)+1, err)
		}
		r := row{line: len(rows) + 1, lines: 1}
		for i := range cells {
			cells[i] = clean(cells[i])
		}
		r.cells = slices.Clone(trimEmpty(cells))
		if all += len(r.cells); len(r.cells) > maxColumns || all > most {
			return nil, fmt.Errorf("row %d: it has too many cells: save the part with the measurements as CSV", r.line)
		}
		switch {
		case len(r.cells) == 0:
			r.kind = empty
		case strings.HasPrefix(r.cells[0], "#") && len(r.cells) == 1:
			r.kind = comment
		}
		rows = append(rows, r)
	}
	return rows, cursor.Error()
}
