package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/usage"
)

// reading says what text without a header is.
type reading int

const (
	aTable   reading = iota
	aList            // of strings, one on each line
	doubtful         // either
)

// settle returns the separator of text without a header that sep would divide: another one if that makes a table, or none if the lines are strings,
// which contain the separator. It is an error if both may be.
func (o Options) settle(look func(sep separator, n int) []row, sep separator) (separator, error) {
	if sep.char == ' ' || sep == wholeLines {
		return o.settleBlanks(look, sep)
	}
	candidates := []separator{sep}
	for _, other := range marked {
		if other != sep && regular(cellsOf(look(other, 200))) >= 0.5 {
			candidates = append(candidates, other)
		}
	}
	lines := look(wholeLines, sampled)
	var unclear separator
	for _, s := range candidates {
		divided := slices.DeleteFunc(slices.Clone(lines), func(r row) bool { return strings.IndexByte(r.cells[0], s.char) < 0 })
		switch o.readingOf(look(s, sampled), s, 2*accepted(cellsOf(divided), o) >= len(divided)) {
		case aTable:
			return s, nil
		case doubtful:
			if unclear == (separator{}) {
				unclear = s
			}
		}
	}
	if unclear != (separator{}) {
		return unclear, unclear.doubt()
	}
	return wholeLines, nil
}

// doubt is the error of text without a header that may be a list or a table.
func (sep separator) doubt() error {
	return usage.Errorf("there is no header, and the %ss may separate columns or be part of the strings: add a header such as string,score, and quote cells that contain the separator", sep.name)
}

// readingOf says what rows without a header are. whole says that Normalize, if there is one, accepts the lines as they are.
func (o Options) readingOf(rows []row, sep separator, whole bool) reading {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return len(r.cells) < 2 && !slices.Contains(r.quoted, true) })
	most := func(is func(r row) bool) bool { return 2*count(rows, is) > len(rows) }
	if most(func(r row) bool { return slices.Contains(r.quoted, true) }) && !most(row.isTorn) { // as CSV has it
		return aTable
	}
	width := 0
	for _, r := range rows {
		width = max(width, len(trimEmpty(r.cells)))
	}
	var numbers, texts, strings []int // columns; strings are some of texts
	for i := range width {
		cells := without(mapped(rows, func(r row) string { return field(r.cells, i) }), []string{""})
		switch {
		case len(cells) == 0:
		case mostly(cells, isValue):
			numbers = append(numbers, i)
		default:
			texts = append(texts, i)
			if o.areStrings(cells, !whole) {
				strings = append(strings, i)
			}
		}
	}
	different := func(column int) bool {
		seen := map[string]bool{}
		for _, r := range rows {
			seen[field(r.cells, column)] = true
		}
		return 2*len(seen) > len(rows)
	}
	const nearly = 0.9 // of the rows of a table
	even := float64(count(rows, func(r row) bool { return len(r.cells) == width })) >= nearly*float64(len(rows))
	one := len(strings) == 1 && (len(numbers) > 0 || len(texts) > 1 && different(strings[0]))
	last := func(r row) string { return r.cells[len(r.cells)-1] }
	switch {
	case most(row.isTorn) && !most(func(r row) bool { return isValue(last(r)) }):
		return aList
	case most(row.isTorn):
		return doubtful
	case one, width == 1 && most(func(r row) bool { return len(r.cells) > 2 }): // with empty columns
		return aTable
	case even && len(numbers) == 1 && len(texts) > 0 && (numbers[0] == 1 && (width == 2 || different(0)) || len(texts) == 1 && different(texts[0])):
		return aTable
	case sep == tabs, most(func(r row) bool { return last(r) == "" || isValue(last(r)) }), len(strings) == 1 && len(texts) > 1:
		return doubtful
	}
	return aList
}

// areStrings reports whether cells without a name hold strings by their content: long sequences, mutants of a wild type or, if that tells cells from
// whole lines, what Normalize accepts.
func (o Options) areStrings(cells []string, choosy bool) bool {
	const long = 5
	switch {
	case o.Normalize != nil && choosy:
		return mostly(cells, o.accepts)
	case o.WildType != "" && mostly(cells, mutation.IsPlain):
		return true
	}
	return len(strings.Join(cells, "")) >= long*len(cells) && areSequences(cells)
}

// isTorn reports whether brackets around a separator are in different cells.
func (r row) isTorn() bool {
	if !balanced(strings.Join(r.cells, "")) {
		return false
	}
	for i, cell := range r.cells {
		if !field(r.quoted, i) && !balanced(cell) {
			return true
		}
	}
	return false
}

// balanced reports whether each opening bracket of a text has a closing one behind it.
func balanced(text string) bool {
	open := 0
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			if open--; open < 0 {
				return false
			}
		}
	}
	return open == 0
}

// settleBlanks is settle for lines with blanks, of which sep may take the first words for strings.
func (o Options) settleBlanks(look func(sep separator, n int) []row, sep separator) (separator, error) {
	lines := cellsOf(look(wholeLines, sampled))
	several := slices.DeleteFunc(slices.Clone(lines), func(cells []string) bool { return len(strings.Fields(cells[0])) < 2 })
	if len(several) == 0 {
		return sep, nil
	}
	first := firstWords(several)
	words := map[string]bool{}
	for _, cells := range first {
		words[cells[0]] = true
	}
	all := func(is func(words []string) bool) bool {
		return !slices.ContainsFunc(several, func(cells []string) bool { return !is(strings.Fields(cells[0])) })
	}
	scored := all(func(words []string) bool { return len(words) == 2 && isScore(words[1]) && !isScore(words[0]) })
	named := areSequences(mapped(firstWords(lines), func(cells []string) string { return cells[0] })) && 2*len(words) > len(several)
	if o.Normalize != nil {
		if n := accepted(first, o); n > accepted(several, o) && (named || scored && 2*n > len(several)) {
			return namedLines, nil
		}
		return wholeLines, nil
	}
	const long = 8 // letters of a sequence that is hardly a word
	letters := 0
	for _, cells := range first {
		letters += len(cells[0])
	}
	certain := letters >= long*len(several) || all(func(words []string) bool { return len(words) == 2 })
	switch {
	case named && sep.char == ' ' && certain:
		return sep, nil
	case named, scored && len(several) == len(lines):
		return sep, namedLines.doubt()
	}
	return wholeLines, nil
}

// quotedColumn returns a separator that leaves each row one cell, where cells are quoted as in CSV: nearly all, or those that contain a separator.
func quotedColumn(look func(sep separator, n int) []row) (separator, bool) {
	for _, sep := range []separator{comma, marked[1], marked[2], tabs} {
		rows := look(sep, sampled)
		quoted, needed := 0, 0
		for _, r := range rows {
			if len(r.cells) > 1 {
				quoted, needed = 0, 0
				break
			}
			if !field(r.quoted, 0) {
				continue
			}
			if quoted++; strings.ContainsAny(r.cells[0], string(sep.char)+`"`) {
				needed++
			}
		}
		if needed > 0 || quoted > 0 && 2*quoted >= len(rows) {
			return sep, true
		}
	}
	return separator{}, false
}

// isNamedByQuotes reports whether the first row names the only column, as it is the only one without quotes.
func isNamedByQuotes(rows []row) bool {
	const fewest = 3
	return len(rows) >= fewest && len(rows[0].cells) == 1 && !slices.ContainsFunc(rows, func(r row) bool { return len(r.cells) > 1 }) &&
		!field(rows[0].quoted, 0) && !slices.ContainsFunc(rows[1:], func(r row) bool { return !field(r.quoted, 0) })
}

// cellsOf returns the cells of rows.
func cellsOf(rows []row) [][]string { return mapped(rows, func(r row) []string { return r.cells }) }

// noteBlanks notes strings that are one only because blanks around them are left out.
func (t *Table) noteBlanks() {
	bare := map[string]bool{} // whether a text is written without blanks
	for _, r := range t.Records {
		bare[r.Text] = bare[r.Text] || !r.trimmed
	}
	n, first := 0, 0
	for _, r := range t.Records {
		if r.trimmed && bare[r.Text] && r.State != Invalid {
			if n++; n == 1 {
				first = r.Line
			}
		}
	}
	if n > 0 {
		t.Remarks = append(t.Remarks, fmt.Sprintf("strings that differ from another only in surrounding white space, which is ignored: %d, the first in line %d", n, first))
	}
}
