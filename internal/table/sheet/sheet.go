// Package sheet writes tables as CSV, Excel workbooks, SD files and lists, which package table reads back as they were.
// Start reading at Sheet.
package sheet

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// Sheet is a table to be written. Numbers and text read back as they were, but for white space around it, NUL and what
// is not UTF-8.
type Sheet struct {
	Columns   []Column
	Rows      [][]Cell // at most one cell for each column; further cells are empty
	Molecules bool     // the strings are SMILES
	Quoted    bool     // texts of rows that some format would change, as control characters, are quoted as in Go, but in a list; see ReadText
}

// Column is a column of a Sheet.
type Column struct {
	Name string
	Unit string // of its numbers; written behind the name, unless that ends in it
	Kind Kind
}

// Kind says what a column holds.
type Kind int

const (
	Plain    Kind = iota // numbers or text
	Names                // what people call the rows: the title in an SD file, the second column of a list
	Strings              // SMILES, sequences: the structure in an SD file, the first column of a list
	Scores               // the third column of a list
	Outcomes             // what the scores are made of: the further columns of a list
)

// formats are what a Sheet can be written as, by the ending of a file's name.
var formats = map[string]func(*Sheet, io.Writer) error{
	".csv": (*Sheet).WriteCSV, ".xlsx": (*Sheet).WriteExcel, ".sdf": (*Sheet).WriteSDF, ".smi": (*Sheet).WriteList,
}

// format is the ending of a file's name that tells one.
var format = regexp.MustCompile(`(?i)\.[a-z]+$`)

// CheckName returns an error if no table, or none of these strings, can be written to a file of that name. Names
// without an ending, or with .txt, are written as CSV.
func CheckName(name string, molecules bool) error {
	switch ending := strings.ToLower(format.FindString(name)); {
	case name == "-":
		return errors.New("tables are written to files: give the name of one")
	case ending == "", ending == ".txt":
	case !slices.Contains([]string{".csv", ".xlsx", ".sdf", ".smi"}, ending):
		return fmt.Errorf("%s: tables are written as .csv, .xlsx, .sdf and .smi", ending)
	case ending == ".sdf":
		if !molecules {
			return errors.New(".sdf: an SD file holds molecules, and the strings are others: write .csv, .xlsx or .smi")
		}
		if err := molecule.Available(); err != nil {
			return fmt.Errorf(".sdf: %w", err)
		}
	}
	return nil
}

// WriteFile writes the table in the format of the name's ending; see CheckName. The file is replaced as a whole or
// stays as it was.
func (s *Sheet) WriteFile(name string) error {
	if err := CheckName(name, s.Molecules); err != nil {
		return usage.Errorf("%s: %w", name, err)
	}
	write, ok := formats[strings.ToLower(filepath.Ext(name))]
	if !ok {
		write = (*Sheet).WriteCSV
	}
	return files.WriteWhole(name, func(w io.Writer) error { return write(s, w) })
}

// Visible returns the table for a terminal: control characters of its texts are escaped, as in usage.Visible.
func (s *Sheet) Visible() *Sheet {
	seen := *s
	seen.Columns = slices.Clone(s.Columns)
	for i := range seen.Columns {
		seen.Columns[i].Name = usage.Visible(seen.Columns[i].Name)
	}
	seen.Rows = make([][]Cell, len(s.Rows))
	for i, row := range s.Rows {
		seen.Rows[i] = slices.Clone(row)
		for j := range row {
			seen.Rows[i][j].text = usage.Visible(row[j].text)
		}
	}
	return &seen
}

// header returns the name of a column with its unit.
func (c Column) header() string {
	stated := quantity.ParseHeading(c.Name).Unit // ug/mL is µg/mL
	if unit, ok := quantity.ParseStated(c.Unit); c.Unit == "" || strings.HasSuffix(strings.TrimRight(c.Name, ")] "), c.Unit) || ok && stated.IsSet() && stated.Equal(unit) {
		return c.Name
	}
	return fmt.Sprintf("%s (%s)", c.Name, c.Unit)
}

// header returns the names of the columns.
func (s *Sheet) header() []Cell {
	names := make([]Cell, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = Text(c.header())
	}
	return names
}

// columnOf returns the first column of a kind; -1 if there is none.
func (s *Sheet) columnOf(k Kind) int {
	return slices.IndexFunc(s.Columns, func(c Column) bool { return c.Kind == k })
}

// cellOf returns the cell of a row in a column; empty if there is none, or no column.
func cellOf(row []Cell, column int) Cell {
	if column < 0 || column >= len(row) {
		return Cell{}
	}
	return row[column]
}
