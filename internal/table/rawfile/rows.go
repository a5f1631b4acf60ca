package rawfile

import (
	"iter"
	"regexp"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// Kind says what a row of a file is.
type Kind int

const (
	Data Kind = iota
	Comment
	Empty
	Header // it names columns; for callers, as no reader knows that
)

// Row is a row of a file. Its cells are valid until the next row is read.
type Row struct {
	Line, Lines int // the first line, from 1, and how many it takes
	Kind        Kind
	Cells       []string // without white space around them
	Quoted      []bool   // by cell; nil if none can be
	Numbers     []bool   // by cell of a workbook: it is stored as a number; nil if none is
	Dates       []bool   // likewise: its format makes it a date; nil if none is
	Formulas    []bool   // by cell of a workbook, of an empty row too: it is a formula without its value; nil if none is
	Trimmed     bool     // white space around the line, or around a quoted cell, is left out
	Problem     string   // why it cannot be read
	Cut         bool     // the last row of a file, without a line end: the rest may be missing
}

// TrimEmpty returns the cells up to the last that is not empty.
func TrimEmpty(cells []string) []string {
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// Separator is what separates the cells of a line.
type Separator int

const (
	WholeLines Separator = iota // none: a line is a cell
	Tab
	Comma
	Semicolon
	Pipe
	Blanks     // any number of blanks
	FirstBlank // the blanks behind the first word: the rest of the line is the second cell
)

// separators holds the character and the name of each.
var separators = [...]struct {
	char byte
	name string
}{Tab: {'\t', "tab"}, Comma: {',', "comma"}, Semicolon: {';', "semicolon"}, Pipe: {'|', "pipe"}, Blanks: {' ', "blank"}, FirstBlank: {' ', "blank"}}

// Char returns the character: ' ' for any blanks, 0 for WholeLines.
func (sep Separator) Char() byte { return separators[sep].char }

// String returns the name of the character, such as comma or blank; "" for WholeLines.
func (sep Separator) String() string { return separators[sep].name }

// excelError matches a row that begins with an error of Excel, which is no comment.
var excelError = regexp.MustCompile(`^#(?:N/A|REF!|VALUE!|NAME\?|DIV/0!|NULL!|NUM!)`)

// scanner reads rows of text.
type scanner struct {
	of   Text
	sep  Separator
	char byte // of sep
	hash bool // rows that begin with # are rows, not comments

	text     string // what is in memory of the file's text
	at, line int
	cells    []string
	quotes   []bool // of cells
	trimmed  bool   // see Row
}

// Scan returns the rows of a text with cells between separators. With hash, a line that begins with # is a row and no
// comment. The rows can be ranged over once if not all of the text is in memory.
func Scan(t Text, sep Separator, hash bool) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		s := scanner{of: t, text: t.Begin, sep: sep, char: sep.Char(), hash: hash}
		for s.fill(ahead); s.at < len(s.text); s.fill(ahead) {
			if !yield(s.next()) {
				return
			}
		}
	}
}

// ahead is how many bytes of a text are in memory from the row that is read, unless the text ends before.
const ahead = 1 << 20

// fill reads on until n bytes are in memory from s.at, or all.
func (s *scanner) fill(n int) {
	for !s.of.ended() && len(s.text)-s.at < n {
		s.text, s.at = s.text[s.at:]+s.of.rest.next(), 0
	}
}

// next reads a row. One that ends where its quotes might be read otherwise with more text is read again.
func (s *scanner) next() Row {
	for need := 2 * ahead; ; need *= 2 {
		at, line := s.at, s.line
		r := s.row()
		if s.of.ended() || s.at+MaxCell < len(s.text) || s.char == 0 || s.char == ' ' {
			return r
		}
		if need > maxRow {
			s.of.rest.failed, s.of.rest.ended = tooLong(), true
			return r
		}
		s.at, s.line = at, line
		s.fill(need)
	}
}

func (s *scanner) row() Row {
	s.line++
	r := Row{Line: s.line, Lines: 1}
	line := s.text[s.at:s.end(s.at)]
	switch {
	case strings.HasPrefix(line, "#") && !s.hash && !excelError.MatchString(line):
		named := scanner{text: whitespace.Trim(line[1:]), sep: s.sep, char: s.char, hash: true} // perhaps columns
		r.Kind, r.Cells = Comment, named.row().Cells
		s.at += len(line) + 1
		return r
	case s.char == 0 || s.char == ' ':
		bare := whitespace.Trim(line)
		s.cells = s.sep.split(s.cells[:0], bare)
		r.Trimmed = len(bare) < len(line)
		s.at += len(line) + 1
	default:
		r.Problem = s.marked()
		r.Lines, r.Quoted, r.Trimmed = s.line-r.Line+1, s.quotes, s.trimmed
	}
	r.Cut = s.at > len(s.text)
	if r.Cells = s.cells; len(TrimEmpty(r.Cells)) == 0 && r.Problem == "" {
		r.Kind = Empty
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

// split appends the cells of a line that no character can be quoted in: with blanks as separators, or none.
func (sep Separator) split(cells []string, line string) []string {
	switch sep {
	case Blanks:
		return append(cells, strings.Fields(line)...)
	case FirstBlank:
		if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
			return append(cells, line[:i], whitespace.Trim(line[i:]))
		}
	}
	return append(cells, line)
}

// marked reads the cells of a row. Some of them may be quoted and have separators and line ends. A quote that is not
// closed is part of its cell.
func (s *scanner) marked() (problem string) {
	s.cells, s.quotes, s.trimmed = s.cells[:0], s.quotes[:0], false
	for {
		cell, after, ok := s.quoted()
		if !ok {
			after = len(s.text)
			if n := strings.IndexAny(s.text[s.at:], string(s.char)+"\n"); n >= 0 {
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
		if len(s.cells) == MaxColumns {
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
	if last-from > MaxCell || after < len(s.text) && s.text[after] != s.char && s.text[after] != '\n' {
		return "", 0, false
	}
	return strings.ReplaceAll(s.text[from+1:last], `""`, `"`), after, true
}

// blanks returns the index after blanks at i, which are not the separator.
func (s *scanner) blanks(i int) int {
	for i < len(s.text) && s.text[i] != s.char && (s.text[i] == ' ' || s.text[i] == '\t' || s.text[i] == '\r') {
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
