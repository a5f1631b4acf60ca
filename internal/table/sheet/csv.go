package sheet

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// WriteCSV writes the table with commas. Texts that a spreadsheet would take for formulas begin with an apostrophe.
func (s *Sheet) WriteCSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	cells := make([]string, len(s.Columns))
	for i, c := range s.header() {
		cells[i] = c.plain(formulas)
	}
	writeCSV(b, cells)
	for _, row := range s.Rows {
		clear(cells)
		for i, c := range row {
			cells[i] = s.cell(c, formulas)
		}
		writeCSV(b, cells)
	}
	return b.Flush() // with the error of any of the writes
}

// writeCSV writes a line of cells.
func writeCSV(b *bufio.Writer, cells []string) {
	for i, cell := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		// A first cell with # would be a comment.
		if strings.ContainsAny(cell, ",\"\r\n") || i == 0 && strings.HasPrefix(cell, "#") || len(cells) == 1 && cell == "" {
			cell = inQuotes(cell)
		}
		b.WriteString(cell)
	}
	b.WriteByte('\n')
}

// inQuotes returns a cell in the quotes of CSV.
func inQuotes(cell string) string { return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` }

// WriteList writes the rows that have a score, or all if none has one, as lines of string, name, score and what that is
// made of, with tabs between them, below a comment that names these columns. Line ends and tabs of names become blanks.
func (s *Sheet) WriteList(w io.Writer) error {
	b := bufio.NewWriter(w)
	columns := []int{s.columnOf(Strings), s.columnOf(Names), s.columnOf(Scores)}
	for i, c := range s.Columns {
		if c.Kind == Outcomes {
			columns = append(columns, i)
		}
	}
	line := func(row []Cell) []string {
		cells := make([]string, len(columns))
		for i, column := range columns {
			cells[i] = oneLine(cellOf(row, column).plain(""))
		}
		return cells
	}
	b.WriteString("#" + strings.Join(line(s.header()), "\t") + "\n")
	scored := func(row []Cell) bool { return cellOf(row, columns[2]) != (Cell{}) }
	none := !slices.ContainsFunc(s.Rows, scored)
	for _, row := range s.Rows {
		if scored(row) || none {
			cells := line(row)
			for i, cell := range cells { // where quotes would be taken away, or the line for a comment
				if strings.HasPrefix(whitespace.Trim(cell), `"`) || i == 0 && strings.HasPrefix(cell, "#") {
					cells[i] = inQuotes(cell)
				}
			}
			b.WriteString(strings.Join(cells, "\t") + "\n")
		}
	}
	return b.Flush() // with the error of any of the writes
}
