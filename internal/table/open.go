package table

import (
	"cmp"
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
	body       body                     // empty for a workbook
	read       func(body) iter.Seq[row] // the rows of a body, that of the header too
	headerLine int                      // 0 if there is none, or if it is no row
	start      int                      // rows of data above this line are comments
	header     []string                 // one for each column; empty where it has no name
	width      int                      // number of columns
	whole      bool                     // all rows that were looked at have a cell for each column of a header
	blocks     bool                     // blockColumn holds molblocks
	typed      bool                     // numbers are stored as such
	sample     [][]string               // the first rows of data, to find out what columns hold
	facts
}

// sampled is how many rows tell what columns hold.
const sampled = 500

// open reads the beginning of a file, or all of it, and finds its format and header.
func open(s *source, o Options) (*grid, error) {
	var g *grid
	if s.workbook {
		content, err := s.all()
		if err == nil {
			g, err = openExcel(content, o)
		}
		if err != nil {
			return nil, err
		}
	} else {
		begin, err := s.next()
		if err != nil && err != io.EOF {
			return nil, err
		}
		if clean(begin) == "" {
			return nil, errors.New("it is empty")
		}
		if o.Sheet != "" {
			return nil, fmt.Errorf("--sheet %s: it is not an Excel workbook", o.Sheet)
		}
		b := body{begin: begin}
		if !s.ended {
			b.more = s
		}
		if g, err = openText(b, o); err != nil {
			return nil, err
		}
		g.format.Encoding = s.encoding
	}
	g.format.Gzip = s.zipped
	g.preamble()
	return g, nil
}

func openText(b body, o Options) (*grid, error) {
	switch {
	case isSDF(b.begin):
		return openSDF(b)
	case isFASTA(b.begin):
		return openFASTA(b), nil
	}
	return openLines(b, o), nil
}

// openLines reads text with one row per line, or several lines where cells are quoted.
func openLines(b body, o Options) *grid {
	hash := o.NoComments || mostlyHashes(b.begin)
	sep, ok := announced(b.begin)
	if !ok && isExport(b.begin) {
		sep = comma
	} else if !ok {
		sep = sniff(b.begin, hash, o)
	}
	g := &grid{format: Format{Kind: "CSV", Separator: sep.name}, body: b}
	g.read = func(b body) iter.Seq[row] { return scan(b, sep, hash) }
	if sep == wholeLines {
		g.format.Kind = "lines"
	}
	if ok { // the line sep=; is Excel's, and no row
		g.start = 2
	}
	g.findHeader(o)
	return g
}

// rows returns the rows of the file. They can be ranged over once if the file is scanned, and again if it is in memory.
func (g *grid) rows() iter.Seq[row] { return g.above(g.body) }

// again returns the rows of the file, or those at its beginning if it is scanned.
func (g *grid) again() iter.Seq[row] {
	if g.body.more != nil {
		return g.begin()
	}
	return g.rows()
}

// begin returns the rows at the beginning of the file.
func (g *grid) begin() iter.Seq[row] { return g.above(body{begin: g.body.begin}) }

// about returns about how many rows of data a file in memory has.
func (g *grid) about() int {
	mark := map[string]string{"SDF": "\n$$$$", "FASTA": "\n>"}[g.format.Kind]
	return strings.Count(g.body.begin, cmp.Or(mark, "\n"))
}

// above returns the rows of a body, with those above the table as comments.
func (g *grid) above(b body) iter.Seq[row] {
	return func(yield func(row) bool) {
		for r := range g.read(b) {
			if r.line < g.start && r.kind == data {
				r.kind = comment
			}
			if !yield(r) {
				return
			}
		}
	}
}

// mostlyHashes reports whether lines that begin with # are rows, as in a file that numbers its compounds #1, #2, ...
func mostlyHashes(text string) bool {
	n, all := 0, 0
	for r := range scan(body{begin: text}, wholeLines, true) {
		if r.kind == data {
			all++
			if cell := r.cells[0]; cell[0] == '#' && len(cell) > 1 && cell[1] != ' ' {
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
		if share := regular(head(scan(body{begin: text}, sep, hash), 200)); share >= 0.5 {
			all = append(all, candidate{sep, share})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return int(1e6*b.share) - int(1e6*a.share) })
	for _, c := range all {
		rows := head(scan(body{begin: text}, c.separator, hash), 30)
		if o.Normalize == nil || headerRow(rows, o) >= 0 {
			return c.separator
		}
		if n := accepted(rows, o); 2*n >= len(rows) {
			if accepted(firstWords(head(scan(body{begin: text}, wholeLines, hash), 30)), o) > n { // some lines have blanks before a name
				return namedLines
			}
			return c.separator
		}
	}
	if len(all) > 0 && hasMutants(head(scan(body{begin: text}, all[0].separator, hash), 30)) {
		return all[0].separator
	}
	return sniffBlanks(text, hash, o)
}

// sniffBlanks tells strings that contain blanks from strings with names, and tables with blanks.
func sniffBlanks(text string, hash bool, o Options) separator {
	rows := head(scan(body{begin: text}, words, hash), 200)
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
	whole := slices.DeleteFunc(head(scan(body{begin: text}, wholeLines, hash), sampled), func(cells []string) bool { return len(strings.Fields(cells[0])) < 2 })
	whole = whole[:min(len(whole), 50)]
	if o.Normalize != nil && accepted(firstWords(whole), o) > accepted(whole, o) || namesSequences(rows) {
		return split
	}
	return wholeLines
}

// firstWords returns the first words of lines.
func firstWords(lines [][]string) [][]string {
	words := make([][]string, len(lines))
	for i, cells := range lines {
		words[i] = namedLines.split(nil, cells[0])[:1]
	}
	return words
}

// namesSequences reports whether rows are sequences in capital letters, and some of them have a name that is none.
func namesSequences(rows [][]string) bool {
	const shortest = 5
	isSequence := func(s string) bool {
		return len(s) >= shortest && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*-") == ""
	}
	named := 0
	for _, cells := range rows {
		if !isSequence(cells[0]) {
			return false
		}
		if len(cells) > 1 && !isSequence(cells[1]) {
			named++
		}
	}
	return named > 0
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
	g.sample = head(g.begin(), sampled)
	if len(g.sample) == 0 {
		return
	}
	at, last, first := headerRow(g.sample, o), row{}, row{}
	n := 0
	for r := range g.begin() {
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
		g.start = g.headerLine
	}
	g.format.Header = g.header != nil
	columns := len(g.header)
	g.header = slices.Clone(trimEmpty(g.header))
	for i, name := range g.header {
		g.header[i] = unguard(name)
	}
	if g.header == nil {
		width := 0
		for _, cells := range g.sample {
			width = max(width, len(trimEmpty(cells)))
		}
		g.header = make([]string, width)
	}
	g.width = len(g.header)
	if rows := g.sample[:max(0, len(g.sample)-1)]; g.format.Header { // the last may be cut
		g.whole = !slices.ContainsFunc(rows, func(cells []string) bool { return len(cells) != columns })
	}
}

// headerRow returns the index of the row that names the columns, -1 if none does: one of the first that has a known name, or
// the first of all, if none of its cells is a number where those below it mostly are.
func headerRow(rows [][]string, o Options) int {
	if len(rows) > 0 && exportLayout(rows[0]) != nil {
		return 0
	}
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
		if rank(inputNames, name) >= 0 && (len(cells) > 1 || len(name) > 1 || o.CSV) { // x may be a string
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
