package table

import (
	"iter"
	"regexp"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// kind says what a row of a file is.
type kind int

const (
	data kind = iota
	comment
	empty
	columnNames
)

// row is a row of a file. Its cells are valid until the next row is read.
type row struct {
	line, lines int // the first line, from 1, and how many it takes
	kind        kind
	cells       []string // without white space around them
	quoted      []bool   // by cell; nil if none can be
	numbers     []bool   // by cell of a workbook: it is stored as a number; nil if none is
	formulas    []bool   // by cell of a workbook, of an empty row too: it is a formula without its value; nil if none is
	trimmed     bool     // white space around the line, or around a quoted cell, is left out
	problem     string   // why it cannot be read
	cut         bool     // the last row of a file, without a line end: the rest may be missing
}

// field returns a cell of a row; empty if there is none, or no column.
func field[T any](cells []T, column int) (cell T) {
	if 0 <= column && column < len(cells) {
		cell = cells[column]
	}
	return cell
}

// trimEmpty returns the cells up to the last that is not empty.
func trimEmpty(cells []string) []string {
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// A separator is what cells are separated by.
type separator struct {
	char byte // ' ' for any blanks; 0 for none: a line is a cell
	two  bool // with blanks: a second cell takes the rest of the line
	name string
}

var (
	tabs       = separator{char: '\t', name: "tab"}
	comma      = separator{char: ',', name: "comma"}
	wholeLines = separator{}
	namedLines = separator{char: ' ', two: true, name: "blank"}
	words      = separator{char: ' ', name: "blank"}
)

// marked lists separators by preference, where a file might be read with several. The comma may be before decimals.
var marked = []separator{tabs, {char: ';', name: "semicolon"}, {char: '|', name: "pipe"}, comma}

// excelError matches a row that begins with an error of Excel, which is no comment.
var excelError = regexp.MustCompile(`^#(?:N/A|REF!|VALUE!|NAME\?|DIV/0!|NULL!|NUM!)`)

// scanner reads rows of text.
type scanner struct {
	body
	sep  separator
	hash bool // rows that begin with # are rows, not comments

	text     string // what is in memory of the body
	at, line int
	cells    []string
	quotes   []bool // of cells
	trimmed  bool   // see row
}

// scan returns the rows of a body, which can be ranged over once if it has more than is in memory.
func scan(b body, sep separator, hash bool) iter.Seq[row] {
	return func(yield func(row) bool) {
		s := scanner{body: b, text: b.begin, sep: sep, hash: hash}
		for s.fill(ahead); s.at < len(s.text); s.fill(ahead) {
			if !yield(s.next()) {
				return
			}
		}
	}
}

// ahead is how much of a body is in memory from the row that is read, unless the body ends before.
const ahead = 1 << 20

// fill reads on until n bytes are in memory from s.at, or all.
func (s *scanner) fill(n int) {
	for !s.ended() && len(s.text)-s.at < n {
		s.text, s.at = s.text[s.at:]+s.more.next(), 0
	}
}

// next reads a row. One that ends where its quotes might be read otherwise with more text is read again.
func (s *scanner) next() row {
	for need := 2 * ahead; ; need *= 2 {
		at, line := s.at, s.line
		r := s.row()
		if s.ended() || s.at+maxField < len(s.text) || s.sep.char == 0 || s.sep.char == ' ' {
			return r
		}
		if need > maxRow {
			s.more.failed, s.more.ended = tooLong(), true
			return r
		}
		s.at, s.line = at, line
		s.fill(need)
	}
}

func (s *scanner) row() row {
	s.line++
	r := row{line: s.line, lines: 1}
	line := s.text[s.at:s.end(s.at)]
	switch {
	case strings.HasPrefix(line, "#") && !s.hash && !excelError.MatchString(line):
		named := scanner{text: whitespace.Trim(line[1:]), sep: s.sep, hash: true} // perhaps columns
		r.kind, r.cells = comment, named.row().cells
		s.at += len(line) + 1
		return r
	case s.sep.char == 0 || s.sep.char == ' ':
		bare := whitespace.Trim(line)
		s.cells = s.sep.split(s.cells[:0], bare)
		r.trimmed = len(bare) < len(line)
		s.at += len(line) + 1
	default:
		r.problem = s.marked()
		r.lines, r.quoted, r.trimmed = s.line-r.line+1, s.quotes, s.trimmed
	}
	r.cut = s.at > len(s.text)
	if r.cells = s.cells; len(trimEmpty(r.cells)) == 0 && r.problem == "" {
		r.kind = empty
	}
	return r
}

// end returns the index of the end of the line at i.
func (s *scanner) end(i int) int {
	if n := strings.IndexByte(s.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s.text)
}

// split appends the cells of a line that are separated by blanks, or the line.
func (sep separator) split(cells []string, line string) []string {
	if sep.char == 0 {
		return append(cells, line)
	}
	if !sep.two {
		return append(cells, strings.Fields(line)...)
	}
	i := strings.IndexFunc(line, unicode.IsSpace)
	if i < 0 {
		return append(cells, line)
	}
	return append(cells, line[:i], whitespace.Trim(line[i:]))
}

// marked reads the cells of a row, some of which may be quoted, with separators and line ends. A quote that is not closed is part of its cell.
func (s *scanner) marked() (problem string) {
	s.cells, s.quotes, s.trimmed = s.cells[:0], s.quotes[:0], false
	for {
		cell, after, ok := s.quoted()
		if !ok {
			after = len(s.text)
			if n := strings.IndexAny(s.text[s.at:], string(s.sep.char)+"\n"); n >= 0 {
				after = s.at + n
			}
			cell = s.text[s.at:after]
		}
		bare := whitespace.Trim(cell)
		s.cells, s.quotes = append(s.cells, bare), append(s.quotes, ok)
		s.trimmed = s.trimmed || ok && len(bare) < len(cell)
		s.line += strings.Count(s.text[s.at:after], "\n")
		s.at = after + 1
		if after == len(s.text) || s.text[after] == '\n' {
			return ""
		}
		if len(s.cells) == maxColumns {
			s.at = s.end(s.at) + 1
			return "the row has too many cells"
		}
	}
}

// quoted returns the cell at s.at and the index of the separator after it if it is quoted correctly.
func (s *scanner) quoted() (cell string, after int, ok bool) {
	from := s.blanks(s.at)
	if from == len(s.text) || s.text[from] != '"' {
		return "", 0, false
	}
	n := quotes(s.text, from)
	last := from + n - 1 // the closing quote, if the cell begins with the others
	if n%2 == 1 {
		// Every search ends at the next run of an odd number, where the next one may begin: together they take linear time.
		odd := oddQuotes(s.text, from+n)
		if odd == len(s.text) {
			return "", 0, false
		}
		last = odd + quotes(s.text, odd) - 1
	}
	after = s.blanks(last + 1)
	if last-from > maxField || after < len(s.text) && s.text[after] != s.sep.char && s.text[after] != '\n' {
		return "", 0, false
	}
	return strings.ReplaceAll(s.text[from+1:last], `""`, `"`), after, true
}

// blanks returns the index after blanks at i, which are not the separator.
func (s *scanner) blanks(i int) int {
	for i < len(s.text) && s.text[i] != s.sep.char && (s.text[i] == ' ' || s.text[i] == '\t' || s.text[i] == '\r') {
		i++
	}
	return i
}

// quotes returns how many quotes there are at i.
func quotes(text string, i int) int {
	return len(text[i:]) - len(strings.TrimLeft(text[i:], `"`))
}

// oddQuotes returns the index of the first run of an odd number of quotes at or after i, or the length of the text.
func oddQuotes(text string, i int) int {
	for i < len(text) {
		next := strings.IndexByte(text[i:], '"')
		if next < 0 {
			break
		}
		i += next
		n := quotes(text, i)
		if n%2 == 1 {
			return i
		}
		i += n
	}
	return len(text)
}
