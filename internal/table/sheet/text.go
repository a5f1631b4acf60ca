package sheet

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
)

// The characters with which a spreadsheet takes a cell of CSV for a formula, in full width, too, and those that end a
// value of an SD file. An apostrophe before them makes them text.
const (
	formulas   = "=+-@＝＋－＠\t\r"
	properties = ">$"
)

// guarded matches a text that begins with such a character, perhaps behind quotes and blanks.
var guarded = regexp.MustCompile(`^[\s"']*[=+\-@＝＋－＠\t\r>$]`)

// plainNumber matches a number, which a spreadsheet shows as such.
var plainNumber = regexp.MustCompile(`^[-+]?[0-9]+([.,][0-9]+)?([eE][-+]?[0-9]+)?$`)

// guard puts an apostrophe before a text that begins with one of some characters, or that would lose its own apostrophe
// in Unguard.
func guard(text, characters string) string {
	if plainNumber.MatchString(text) {
		return text
	}
	if start := guarded.FindString(text); start != "" && (strings.ContainsAny(start, characters) || text[0] == '\'') {
		return "'" + text
	}
	return text
}

// Unguard returns a cell without the apostrophe that the writers of this package put before it.
func Unguard(text string) string {
	if rest, ok := strings.CutPrefix(text, "'"); ok && guarded.MatchString(rest) {
		return rest
	}
	return text
}

// Guarded returns cells of CSV as a spreadsheet shows them as text, but for numbers, also several such as those of a
// point, and as they read back the same.
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

// quote returns a text that some format would change, as with control characters or white space around it, quoted as in
// Go; others as they are.
func quote(text string) string {
	if text == unquote(text) && text == whitespace.Trim(text) && utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl) && !strings.ContainsAny(text, lineEnds) && usage.Visible(text) == text {
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

// ReadText returns the text of a cell as it was before it was written, whatever the format. quoted says that the Sheet
// was Quoted.
func ReadText(cell string, quoted bool) string {
	text := Unguard(cell)
	if quoted || hides(text) {
		text = unquote(text)
	}
	return text
}

// readable returns a text without what no reader gets back.
func readable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
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
