package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/usage"
)

// reading says what text without a header is.
type reading int

const (
	aTable   reading = iota
	aList            // of strings, one on each line
	doubtful         // either
)

// settle returns the separator of text without a header that sep would divide: another one if that makes a table, or
// none if the lines are strings, which contain the separator. It is an error if both may be.
func (o Options) settle(look func(sep rawfile.Separator, n int) []rawfile.Row, sep rawfile.Separator) (rawfile.Separator, error) {
	if !slices.Contains(marked, sep) {
		return o.settleBlanks(look, sep)
	}
	candidates := []rawfile.Separator{sep}
	for _, other := range marked {
		if other != sep && regular(cellsOf(look(other, 200))) >= 0.5 {
			candidates = append(candidates, other)
		}
	}
	lines := look(rawfile.WholeLines, sampled)
	var unclear rawfile.Separator
	for _, s := range candidates {
		divided := slices.DeleteFunc(slices.Clone(lines), func(r rawfile.Row) bool { return strings.IndexByte(r.Cells[0], s.Char()) < 0 })
		switch o.readingOf(look(s, sampled), s, 2*accepted(cellsOf(divided), o) >= len(divided)) {
		case aTable:
			return s, nil
		case doubtful:
			if unclear == rawfile.WholeLines {
				unclear = s
			}
		}
	}
	if unclear != rawfile.WholeLines {
		return unclear, doubt(unclear)
	}
	return rawfile.WholeLines, nil
}

// doubt is the error of text without a header that may be a list or a table.
func doubt(sep rawfile.Separator) error {
	return usage.Errorf("there is no header, and the %ss may separate columns or be part of the strings: add a header such as string,score, and quote cells that contain the separator", sep)
}

// readingOf says what rows without a header are. whole says that Normalize, if there is one, accepts the lines as they are.
func (o Options) readingOf(rows []rawfile.Row, sep rawfile.Separator, whole bool) reading {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r rawfile.Row) bool { return len(r.Cells) < 2 && !slices.Contains(r.Quoted, true) })
	most := func(is func(r rawfile.Row) bool) bool { return 2*stats.Count(rows, is) > len(rows) }
	if most(func(r rawfile.Row) bool { return slices.Contains(r.Quoted, true) }) && !most(isTorn) { // as CSV has it
		return aTable
	}
	width := 0
	for _, r := range rows {
		width = max(width, len(rawfile.TrimEmpty(r.Cells)))
	}
	var numbers, texts, strings []int // columns; strings are some of texts
	for i := range width {
		cells := without(stats.Map(rows, func(r rawfile.Row) string { return field(r.Cells, i) }), []string{""})
		switch {
		case len(cells) == 0:
		case mostly(cells, numeral.IsValue):
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
			seen[field(r.Cells, column)] = true
		}
		return 2*len(seen) > len(rows)
	}
	const nearly = 0.9 // of the rows of a table
	even := float64(stats.Count(rows, func(r rawfile.Row) bool { return len(r.Cells) == width })) >= nearly*float64(len(rows))
	one := len(strings) == 1 && (len(numbers) > 0 || len(texts) > 1 && different(strings[0]))
	last := func(r rawfile.Row) string { return r.Cells[len(r.Cells)-1] }
	switch {
	case most(isTorn) && !most(func(r rawfile.Row) bool { return numeral.IsValue(last(r)) }):
		return aList
	case most(isTorn):
		return doubtful
	case one, width == 1 && most(func(r rawfile.Row) bool { return len(r.Cells) > 2 }): // with empty columns
		return aTable
	case even && len(numbers) == 1 && len(texts) > 0 && (numbers[0] == 1 && (width == 2 || different(0)) || len(texts) == 1 && different(texts[0])):
		return aTable
	case sep == rawfile.Tab, most(func(r rawfile.Row) bool { return last(r) == "" || numeral.IsValue(last(r)) }), len(strings) == 1 && len(texts) > 1:
		return doubtful
	}
	return aList
}

// areStrings reports whether cells without a name hold strings by their content: long sequences, mutants of a wild type
// or, if that tells cells from whole lines, what Normalize accepts.
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
func isTorn(r rawfile.Row) bool {
	if !balanced(strings.Join(r.Cells, "")) {
		return false
	}
	for i, cell := range r.Cells {
		if !field(r.Quoted, i) && !balanced(cell) {
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

// settleBlanks is settle for lines with blanks, where sep may take the first words for strings.
func (o Options) settleBlanks(look func(sep rawfile.Separator, n int) []rawfile.Row, sep rawfile.Separator) (rawfile.Separator, error) {
	lines := cellsOf(look(rawfile.WholeLines, sampled))
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
	scored := all(func(words []string) bool {
		return len(words) == 2 && numeral.IsNumber(words[1]) && !numeral.IsNumber(words[0])
	})
	named := areSequences(stats.Map(firstWords(lines), func(cells []string) string { return cells[0] })) && 2*len(words) > len(several)
	if o.Normalize != nil {
		if n := accepted(first, o); n > accepted(several, o) && (named || scored && 2*n > len(several)) {
			return rawfile.FirstBlank, nil
		}
		return rawfile.WholeLines, nil
	}
	const long = 8 // letters of a sequence that is hardly a word
	letters := 0
	for _, cells := range first {
		letters += len(cells[0])
	}
	certain := letters >= long*len(several) || all(func(words []string) bool { return len(words) == 2 })
	switch {
	case named && sep != rawfile.WholeLines && certain:
		return sep, nil
	case named, scored && len(several) == len(lines):
		return sep, doubt(rawfile.FirstBlank)
	}
	return rawfile.WholeLines, nil
}

// quotedColumn returns a separator that leaves each row one cell, where cells are quoted as in CSV: nearly all, or
// those that contain a separator.
func quotedColumn(look func(sep rawfile.Separator, n int) []rawfile.Row) (rawfile.Separator, bool) {
	for _, sep := range []rawfile.Separator{rawfile.Comma, rawfile.Semicolon, rawfile.Pipe, rawfile.Tab} {
		rows := look(sep, sampled)
		quoted, needed := 0, 0
		for _, r := range rows {
			if len(r.Cells) > 1 || !field(r.Quoted, 0) && strings.HasPrefix(r.Cells[0], `"`) { // which another separator may close
				quoted, needed = 0, 0
				break
			}
			if !field(r.Quoted, 0) {
				continue
			}
			if quoted++; strings.ContainsAny(r.Cells[0], string(sep.Char())+`"`) {
				needed++
			}
		}
		if needed > 0 || quoted > 0 && 2*quoted >= len(rows) {
			return sep, true
		}
	}
	return rawfile.WholeLines, false
}

// isNamedByQuotes reports whether the first row names the only column, as it is the only one without quotes.
func isNamedByQuotes(rows []rawfile.Row) bool {
	const fewest = 3
	return len(rows) >= fewest && len(rows[0].Cells) == 1 && !slices.ContainsFunc(rows, func(r rawfile.Row) bool { return len(r.Cells) > 1 }) &&
		!field(rows[0].Quoted, 0) && !slices.ContainsFunc(rows[1:], func(r rawfile.Row) bool { return !field(r.Quoted, 0) })
}

// cellsOf returns the cells of rows.
func cellsOf(rows []rawfile.Row) [][]string {
	return stats.Map(rows, func(r rawfile.Row) []string { return r.Cells })
}

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

// noteNumberedComments notes lines that are left out as comments, and may be rows whose name is a number after #, as #9.
func (t *Table) noteNumberedComments(g *grid) {
	n, line, example := 0, 0, ""
	for r := range g.rows(g.begin()) {
		cells := rawfile.TrimEmpty(r.Cells)
		if r.Kind != rawfile.Comment || !g.format.Header || r.Line < g.headerLine || len(cells) < 2 || len(cells) > len(g.header) || !numeral.IsDigits(cells[0]) || !numeral.IsValue(cells[len(cells)-1]) {
			continue
		}
		if n++; n == 1 {
			line, example = r.Line, cells[0]
		}
	}
	if n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s, the first #%s in line %d; write %[2]s without # if it is the name of a row", plural(n, "line is left out as a comment", "lines are left out as comments"), example, line))
	}
}
