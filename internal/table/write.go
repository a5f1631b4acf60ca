package table

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// Sheet is a table to be written. Numbers and text read back as they were, but for white space around it, NUL and what is not UTF-8.
type Sheet struct {
	Columns   []Column
	Rows      [][]Cell // at most one cell for each column; further cells are empty
	Molecules bool     // the strings are SMILES

	Quoted bool // texts with control characters or white space around them are quoted as in Go; see Unquote
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
	Plain   Kind = iota // numbers or text
	Names               // what people call the rows: the title in an SD file, the second column of a list
	Strings             // SMILES, sequences: the structure in an SD file, the first column of a list
	Scores              // the third column of a list
)

// Cell is a number, perhaps as a bound, or text. The zero value is empty.
type Cell struct {
	number string // as it is written, with the sign of a bound; empty: there is none
	text   string
}

// String returns what the cell shows to people.
func (c Cell) String() string { return cmp.Or(c.number, usage.Visible(c.text)) }

// IsNumber reports whether the cell is a number, perhaps as a bound.
func (c Cell) IsNumber() bool { return c.number != "" }

// Text returns a cell of text, which stays text even if it looks like a number or a formula.
func Text(text string) Cell { return Cell{text: text} }

// Number returns a cell with a number to so many significant digits, 0 for all; empty for NaN.
func Number(v float64, digits int) Cell {
	format := byte('g')
	if digits == 0 {
		digits = -1
		if size := math.Abs(v); v == 0 || 1e-4 <= size && size < 1e15 {
			format = 'f' // 1000000 and not 1e+06
		}
	}
	switch {
	case math.IsNaN(v):
		return Cell{}
	case v == 0:
		v = 0 // not −0
	}
	return Cell{number: strconv.FormatFloat(v, format, digits, 64)}
}

// Bounded returns a cell with a number to all digits, or one that the true value is greater (bound is 1) or less than (-1); empty for NaN.
func Bounded(v float64, bound int) Cell {
	c := Number(v, 0)
	switch {
	case c.number == "":
	case bound > 0:
		c.number = ">" + c.number
	case bound < 0:
		c.number = "<" + c.number
	}
	return c
}

// formats are what a Sheet can be written as, by the ending of a file's name.
var formats = map[string]func(*Sheet, io.Writer) error{
	".csv": (*Sheet).WriteCSV, ".xlsx": (*Sheet).WriteExcel, ".sdf": (*Sheet).WriteSDF, ".smi": (*Sheet).WriteList,
}

// format is the ending of a file's name that tells one.
var format = regexp.MustCompile(`(?i)\.[a-z]+$`)

// CheckName returns an error if no table, or none of these strings, can be written to a file of that name. Names without an ending, or with
// .txt, are written as CSV.
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

// WriteFile writes the table in the format of the name's ending; see CheckName. The file is replaced as a whole or stays as it was.
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

// The characters with which a spreadsheet takes a cell of CSV for a formula, in full width, too, and those that end a value of an SD
// file. An apostrophe before them makes them text.
const (
	formulas   = "=+-@＝＋－＠\t\r"
	properties = ">$"
)

// guarded matches a text that begins with such a character, perhaps behind quotes and blanks.
var guarded = regexp.MustCompile(`^[\s"']*[=+\-@＝＋－＠\t\r>$]`)

// plainNumber matches a number, which a spreadsheet shows as such.
var plainNumber = regexp.MustCompile(`^[-+]?[0-9]+([.,][0-9]+)?([eE][-+]?[0-9]+)?$`)

// guard puts an apostrophe before a text that begins with one of some characters, or that would lose its own apostrophe in unguard.
func guard(text, characters string) string {
	if plainNumber.MatchString(text) {
		return text
	}
	if start := guarded.FindString(text); start != "" && (strings.ContainsAny(start, characters) || text[0] == '\'') {
		return "'" + text
	}
	return text
}

// unguard undoes guard, whatever the characters were.
func unguard(text string) string {
	if rest, ok := strings.CutPrefix(text, "'"); ok && guarded.MatchString(rest) {
		return rest
	}
	return text
}

// Guarded returns cells of CSV as a spreadsheet shows them as text, but for numbers, also several such as those of a point, and as they
// read back the same.
func Guarded(cells []string) []string {
	isText := func(field string) bool { _, err := strconv.ParseFloat(field, 64); return err != nil }
	safe := slices.Clone(cells)
	for i, cell := range cells {
		if slices.ContainsFunc(strings.Fields(cell), isText) {
			safe[i] = guard(usage.Visible(readable(cell)), formulas)
		}
	}
	return safe
}

// readable returns a text without what no reader gets back.
func readable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
}

// plain returns a cell as text, guarded against characters with which a text must not begin.
func (c Cell) plain(characters string) string {
	return cmp.Or(c.number, guard(readable(c.text), characters))
}

// cell is plain for the cells of rows, which may be quoted.
func (s *Sheet) cell(c Cell, characters string) string {
	if c.number == "" && (s.Quoted || conceals(c.text) || hides(c.text)) {
		return guard(quote(c.text), characters)
	}
	return c.plain(characters)
}

// header returns the names of the columns.
func (s *Sheet) header() []Cell {
	names := make([]Cell, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = Text(c.header())
	}
	return names
}

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

// WriteExcel writes the table as an Excel workbook of one sheet. Numbers are stored as such, to all digits, and texts as text.
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

// WriteList writes the rows that have a score, or all if none has one, as lines of string, name and score with tabs between them, below a comment
// that names these columns. Line ends and tabs of names become blanks.
func (s *Sheet) WriteList(w io.Writer) error {
	b := bufio.NewWriter(w)
	columns := [...]int{s.columnOf(Strings), s.columnOf(Names), s.columnOf(Scores)}
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
				if strings.HasPrefix(clean(cell), `"`) || i == 0 && strings.HasPrefix(cell, "#") {
					cells[i] = inQuotes(cell)
				}
			}
			b.WriteString(strings.Join(cells, "\t") + "\n")
		}
	}
	return b.Flush() // with the error of any of the writes
}

// lineEnds are the characters at which some reader may begin a line.
const lineEnds = "\n\v\f\r\u0085\u2028\u2029"

// oneLine replaces line ends and tabs by blanks.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || strings.ContainsRune(lineEnds, r) {
			return ' '
		}
		return r
	}, text)
}

// WriteSDF writes the table as an SD file: each row as a record with the structure of its string, its name as the title, and all cells
// as properties. Line ends and tabs of texts become blanks. A string that is no molecule has a structure without atoms.
func (s *Sheet) WriteSDF(w io.Writer) error {
	if err := CheckName(".sdf", s.Molecules); err != nil {
		return usage.Wrap(err)
	}
	for rows := range slices.Chunk(s.Rows, 1024) {
		texts := make([]string, len(rows))
		parallel.For(len(rows), 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				texts[i] = s.sdfRecord(rows[i])
			}
		})
		for _, text := range texts {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// sdfRecord returns a row as a record of an SD file.
func (s *Sheet) sdfRecord(row []Cell) string {
	var b bytes.Buffer
	b.WriteString(oneLine(s.cell(cellOf(row, s.columnOf(Names)), properties)) + "\n")
	block, err := molblock(cellOf(row, s.columnOf(Strings)).text)
	if err != nil {
		block = "\n     InvBO\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"
	}
	_, rest, _ := strings.Cut(block, "\n") // the first line is the title
	b.WriteString(rest)
	for i, c := range s.Columns {
		fmt.Fprintf(&b, ">  <%s>\n", noAngles.Replace(oneLine(readable(c.header()))))
		if text := oneLine(s.cell(cellOf(row, i), properties)); text != "" {
			b.WriteString(text + "\n")
		}
		b.WriteByte('\n')
	}
	b.WriteString("$$$$\n")
	return b.String()
}

// molblock returns the molblock of a SMILES.
func molblock(smiles string) (string, error) {
	if smiles == "" {
		return "", errors.New("no molecule")
	}
	m, err := molecule.Parse(smiles)
	if err != nil {
		return "", err
	}
	defer m.Close()
	return m.Block()
}

// noAngles drops what ends the name of a property.
var noAngles = strings.NewReplacer("<", "", ">", "")

// quote returns text that no format keeps as it is, quoted as in Go: with control characters, or white space around it.
func quote(text string) string {
	if text == unquote(text) && text == clean(text) && utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl) && !strings.ContainsAny(text, lineEnds) && usage.Visible(text) == text {
		return text
	}
	return strconv.Quote(text)
}

// conceals reports whether a text has characters, other than blanks, that would change what a terminal shows.
func conceals(text string) bool { return usage.Visible(blanks.Replace(text)) != blanks.Replace(text) }

// blanks are not shown, and change nothing that stands on a line before.
var blanks = strings.NewReplacer("\t", "", "\r", "", "\n", "", "\x00", "", "\ufffd", "")

// hides reports whether a text is what quote makes of one with characters that would change what a terminal shows.
func hides(text string) bool {
	plain := unquote(text)
	return plain != text && conceals(plain) && strconv.Quote(plain) == text
}

// unquote undoes quote.
func unquote(text string) string {
	if all, err := strconv.Unquote(text); err == nil && text[0] == '"' {
		return all
	}
	return text
}
