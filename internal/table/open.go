package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// grid is a table whose columns have names but no meaning yet.
type grid struct {
	format     Format
	rows       iter.Seq[row] // all, that of the header too; it can be ranged over again
	headerLine int           // 0 if there is none, or if it is no row
	header     []string      // one for each column; empty where it has no name
	width      int           // number of columns
	blocks     bool          // blockColumn holds molblocks
	typed      bool          // numbers are stored as such
	sample     [][]string    // the first rows of data, to find out what columns hold
	facts
}

// sampled is how many rows tell what columns hold.
const sampled = 500

// open reads a file as rows.
func open(r io.Reader, o Options) (*grid, error) {
	content, zipped, err := load(r)
	if err != nil {
		return nil, err
	}
	if err := refuse(content); err != nil {
		return nil, err
	}
	var g *grid
	if bytes.HasPrefix(content, []byte("PK\x03\x04")) {
		g, err = openExcel(content, o)
	} else if o.Sheet != "" {
		err = fmt.Errorf("--sheet %s: it is not an Excel workbook", o.Sheet)
	} else {
		g, err = openText(content, o)
	}
	if err != nil {
		return nil, err
	}
	g.format.Gzip = zipped
	return g, nil
}

func openText(content []byte, o Options) (*grid, error) {
	text, encoding, err := decode(content)
	if err != nil {
		return nil, err
	}
	if clean(text) == "" {
		return nil, errors.New("it is empty")
	}
	var g *grid
	switch {
	case isSDF(text):
		g, err = openSDF(text)
	case isFASTA(text):
		g = openFASTA(text)
	default:
		g = openLines(text, o)
	}
	if err != nil {
		return nil, err
	}
	g.format.Encoding = encoding
	return g, nil
}

// openLines reads text with one row per line, or several lines where cells are quoted.
func openLines(text string, o Options) *grid {
	hash := mostlyHashes(text)
	sep, ok := announced(text)
	if !ok {
		sep = sniff(text, hash, o)
	}
	g := &grid{format: Format{Kind: "CSV", Separator: sep.name}, rows: scan(text, sep, hash)}
	if sep == wholeLines {
		g.format.Kind = "lines"
	}
	if ok { // the line sep=; is Excel's, and no row
		all := g.rows
		g.rows = func(yield func(row) bool) {
			for r := range all {
				if r.line == 1 {
					r.kind = comment
				}
				if !yield(r) {
					return
				}
			}
		}
	}
	g.findHeader(o)
	return g
}

// mostlyHashes reports whether lines that begin with # are rows, as in a file that numbers its compounds #1, #2, ...
func mostlyHashes(text string) bool {
	n, all := 0, 0
	for r := range scan(text, wholeLines, true) {
		if r.kind == data {
			all++
			if r.cells[0][0] == '#' {
				n++
			}
		}
		if all == sampled {
			break
		}
	}
	return 2*n > all
}

// announced returns the separator that Excel is told of by a first line such as sep=;
func announced(text string) (separator, bool) {
	line, _, _ := strings.Cut(text, "\n")
	if char, ok := strings.CutPrefix(strings.TrimRight(line, "\r"), "sep="); ok {
		for _, sep := range marked {
			if char == string(sep.char) {
				return sep, true
			}
		}
	}
	return separator{}, false
}

// sniff returns the separator of a text: that which gives most rows the cells that the first row has. If no cell is then what
// Normalize accepts, the next one is tried; text without any separator is read as lines, or as strings and names.
func sniff(text string, hash bool, o Options) separator {
	type candidate struct {
		separator
		share float64
	}
	var all []candidate
	for _, sep := range marked {
		if share := regular(head(scan(text, sep, hash), 200)); share >= 0.5 {
			all = append(all, candidate{sep, share})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return int(1e6*b.share) - int(1e6*a.share) })
	for _, c := range all {
		rows := head(scan(text, c.separator, hash), 30)
		if o.Normalize == nil || headerRow(rows, o) >= 0 || 2*accepted(rows, o) >= len(rows) {
			return c.separator
		}
	}
	if len(all) > 0 && hasMutants(head(scan(text, all[0].separator, hash), 30)) {
		return all[0].separator
	}
	return sniffBlanks(text, hash, o)
}

// sniffBlanks tells strings that contain blanks from strings with names, and tables with blanks.
func sniffBlanks(text string, hash bool, o Options) separator {
	rows := head(scan(text, words, hash), 200)
	if len(rows) == 0 || !slices.ContainsFunc(rows, func(cells []string) bool { return len(cells) > 1 }) {
		return wholeLines
	}
	split := namedLines
	if len(rows[0]) > 2 && regular(rows) == 1 {
		split = words
	}
	if short := slices.DeleteFunc(slices.Clone(rows[0]), func(s string) bool { return len(s) == 1 }); len(short) > 1 && names(short, o) {
		return split // x may be a variable
	}
	whole := slices.DeleteFunc(head(scan(text, wholeLines, hash), sampled), func(cells []string) bool { return len(strings.Fields(cells[0])) < 2 })
	whole = whole[:min(len(whole), 50)]
	parts := make([][]string, len(whole))
	for i, cells := range whole {
		parts[i] = namedLines.split(nil, cells[0])[:1]
	}
	if o.Normalize != nil && accepted(parts, o) > accepted(whole, o) {
		return split
	}
	return wholeLines
}

// head returns the cells of the first n rows of data.
func head(rows iter.Seq[row], n int) [][]string {
	var first [][]string
	for r := range rows {
		if len(first) == n {
			break
		}
		if r.kind == data && r.problem == "" {
			first = append(first, slices.Clone(r.cells))
		}
	}
	return first
}

// regular returns the share of rows that have several cells, as many as most or fewer.
func regular(rows [][]string) float64 {
	count := map[int]int{}
	for _, cells := range rows {
		count[len(cells)]++
	}
	usual, n := 0, 0
	for cells, rows := range count {
		if cells > 1 && (rows > count[usual] || usual == 0 || rows == count[usual] && cells > usual) {
			usual = cells
		}
	}
	for _, cells := range rows {
		if len(cells) > 1 && len(trimEmpty(cells)) <= usual {
			n++
		}
	}
	return float64(n) / float64(max(len(rows), 1))
}

// accepted counts rows with a cell that Normalize accepts.
func accepted(rows [][]string, o Options) int {
	n := 0
	for _, cells := range rows {
		if slices.ContainsFunc(cells[:min(len(cells), 20)], o.accepts) {
			n++
		}
	}
	return n
}

// accepts reports whether a cell, other than a number, is one that Normalize accepts.
func (o Options) accepts(cell string) bool {
	if cell == "" || len(cell) > maxField || isScore(cell) {
		return false
	}
	if o.Normalize == nil {
		return true
	}
	_, _, err := o.Normalize(cell)
	return err == nil
}

// findHeader sets the header: a row among the first, or the last comment before them that names the columns. Rows above it are
// comments.
func (g *grid) findHeader(o Options) {
	g.sample = head(g.rows, sampled)
	if len(g.sample) == 0 {
		return
	}
	at, last, first := headerRow(g.sample, o), row{}, row{}
	n := 0
	for r := range g.rows {
		if r.kind == comment && n == 0 {
			last = r
			last.cells = slices.Clone(r.cells)
		}
		if r.kind != data || r.problem != "" {
			continue
		}
		if first = r; n == max(at, 0) {
			break
		}
		n++
	}
	if at >= 0 {
		g.headerLine, g.header = first.line, g.sample[at]
		g.sample = g.sample[at+1:]
	} else if len(last.cells) == len(g.sample[0]) && names(last.cells, o) {
		g.headerLine, g.header = last.line, last.cells
	}
	if at > 0 {
		all := g.rows
		g.rows = func(yield func(row) bool) {
			for r := range all {
				if r.line < g.headerLine && r.kind == data {
					r.kind = comment
				}
				if !yield(r) {
					return
				}
			}
		}
	}
	g.format.Header = g.header != nil
	if g.header = trimEmpty(g.header); g.header == nil {
		width := 0
		for _, cells := range g.sample {
			width = max(width, len(trimEmpty(cells)))
		}
		g.header = make([]string, width)
	}
	g.width = len(g.header)
}

// headerRow returns the index of the row that names the columns, -1 if none does: one of the first that has a known name, or
// the first of all, if none of its cells is a number where those below it mostly are.
func headerRow(rows [][]string, o Options) int {
	for i, cells := range rows[:min(len(rows), 20)] {
		if names(cells, o) && (i == 0 || len(trimEmpty(cells)) > 1) {
			return i
		}
	}
	if len(rows) == 0 || slices.ContainsFunc(rows[0], isScore) {
		return -1
	}
	for i := range rows[0] {
		numbers := 0
		for _, cells := range rows[1:] {
			if i < len(cells) && isScore(cells[i]) {
				numbers++
			}
		}
		if 2*numbers > len(rows)-1 {
			return 0
		}
	}
	return -1
}

// names reports whether a cell is a known name of a column of strings, or the name that an option gives.
func names(cells []string, o Options) bool {
	for _, name := range cells {
		if rank(inputNames, name) >= 0 && (len(cells) > 1 || len(name) > 1) {
			return true
		}
		for _, option := range append([]string{o.Input, o.ID, o.SE}, o.Score...) {
			if _, err := strconv.Atoi(option); err != nil && option != "" && option != NoScores && fold(name) == fold(option) {
				return true
			}
		}
	}
	return false
}

// hasMutants reports whether most rows have a cell of mutants.
func hasMutants(rows [][]string) bool {
	n := 0
	for _, cells := range rows {
		if slices.ContainsFunc(cells, isMutant) {
			n++
		}
	}
	return 2*n > len(rows)
}

// name returns the name of a column, for people.
func (g *grid) name(i int) string {
	if g.header[i] != "" {
		return g.header[i]
	}
	return strconv.Itoa(i + 1)
}
