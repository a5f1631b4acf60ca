package sheet

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/usage"
)

// WriteExcel writes the table as an Excel workbook of one sheet. Numbers are stored as such, to all digits, and texts
// as text.
func (s *Sheet) WriteExcel(w io.Writer) error {
	const sheet = "Sheet1" // of a new workbook
	f := excelize.NewFile()
	defer f.Close()
	set := func(column, row int, c Cell) error {
		if c == (Cell{}) {
			return nil
		}
		at, err := excelize.CoordinatesToCellName(column+1, row+1)
		if err != nil {
			return usage.Errorf("row %d, column %d: a sheet of Excel has no such cell: write CSV", row+1, column+1)
		}
		if c.number != "" && !strings.ContainsAny(c.number, "<>") {
			return f.SetCellDefault(sheet, at, c.number) // other setters keep 15 digits
		}
		text := s.cell(c, "")
		if len(text) > excelize.TotalCellChars {
			return usage.Errorf("column %s of row %d is too long for a cell of Excel: write CSV", s.Columns[column].Name, row+1)
		}
		return f.SetCellStr(sheet, at, escapeExcel(text))
	}
	for i, row := range slices.Concat([][]Cell{s.header()}, s.Rows) {
		for j, c := range row {
			if err := set(j, i, c); err != nil {
				return err
			}
		}
	}
	return f.Write(w)
}

// notXML matches the characters that XML cannot hold, and what begins an escape of one in a string of Excel, as _x001B_ is.
var notXML = regexp.MustCompile(`[\x01-\x08\x0b\x0c\x0e-\x1f\x{fffe}\x{ffff}]|_x[0-9A-Fa-f]{4}`)

// escapeExcel escapes what a string of Excel cannot hold as it is.
func escapeExcel(text string) string {
	return notXML.ReplaceAllStringFunc(text, func(part string) string {
		first, size := utf8.DecodeRuneInString(part) // of an escape the underscore, so that it is none
		return fmt.Sprintf("_x%04X_", first) + part[size:]
	})
}
