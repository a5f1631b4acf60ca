package table

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
)

// grid is a table whose columns have names but no meaning yet.
type grid struct {
	format     Format
	text       rawfile.Text                             // empty for a workbook
	read       func(rawfile.Text) iter.Seq[rawfile.Row] // the rows of a text, that of the header too
	headerLine int                                      // 0 if there is none, or if it is no row
	start      int                                      // rows of data above this line are comments
	lines      map[rawfile.Kind]int                     // of the file by kind of row, as far as each has read them
	header     []string                                 // one for each column; empty where it has no name
	whole      bool                                     // all rows that were looked at have a cell for each column of a header
	blocks     bool                                     // rawfile.MolblockColumn holds molblocks
	sample     []rawfile.Row                            // the first of data, to find out what columns hold

	headings         []quantity.Heading // by column, when asked for
	stated           []quantity.Unit    // by column, in a row below the header; nil if there is none
	relations, units []int              // columns of these
	joined           []int              // columns whose cells make mutants or sequences, in the last of them
	sites            []int              // columns of residues at one position each, which make sequences
	matrixRead       bool               // rows are the cells of a matrix
	kinds            *kinds             // nil: each column has values of one kind
	sheets           []rawfile.Preview  // of the workbook, but the one that is read
	struck           []int              // lines of a workbook's cells that are struck through, which are read as empty
	merged           []rawfile.Range    // ranges of the sheet of a workbook
	groups, labels   []string           // what names are joined of in a header of several rows, by column; empty of others
	beside           []int              // lines with a cell beside the table of a workbook, under no heading
}

// sampled is how many rows tell what columns hold.
const sampled = 500

// open finds the format and the header of a file, which rawfile.Open or rawfile.OpenLarge begins to read.
func open(r io.Reader, begin func(r io.Reader, encoding string) (*rawfile.File, error), o Options) (g *grid, err error) {
	f, err := begin(r, o.Encoding)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	switch text := f.Text.Begin; {
	case f.Workbook:
		g, err = openExcel(f, o)
	case whitespace.Trim(text) == "":
		err = errors.New("it is empty")
	case o.Sheet != "":
		err = option.Errorf("%s: it is not an Excel workbook", option.Setting{Name: "sheet", Value: o.Sheet})
	case rawfile.IsSDF(text):
		g, err = openSDF(f.Text)
	case rawfile.IsFASTA(text):
		g = openFASTA(f.Text)
	default:
		g, err = openLines(f.Text, o)
	}
	if err != nil {
		return nil, usage.Wrap(err)
	}
	g.format.Gzip, g.format.Encoding = f.Gzip, f.Encoding
	g.preamble()
	g.readMatrix(o)
	g.joinMutants(o)
	g.joinSites(o)
	g.spreadKinds(o)
	return g, nil
}

// openSDF returns an SD file as a table of molblocks, titles and properties.
func openSDF(t rawfile.Text) (*grid, error) {
	header, read, err := rawfile.SDF(t)
	if err != nil {
		return nil, err
	}
	g := &grid{format: Format{Kind: "SDF", Header: true}, header: header, blocks: true, text: t, read: read}
	g.look()
	return g, nil
}

// openFASTA returns FASTA as a table of ids, descriptions, sequences, and the numbers that titles name.
func openFASTA(t rawfile.Text) *grid {
	header, read := rawfile.FASTA(t)
	g := &grid{format: Format{Kind: "FASTA", Header: true}, header: header, text: t, read: read}
	g.look()
	return g
}

// openLines reads text with one row per line, or several lines where cells are quoted.
func openLines(t rawfile.Text, o Options) (*grid, error) {
	hash := o.NoComments || mostlyHashes(t.Begin)
	g := &grid{text: t}
	look := func(sep rawfile.Separator, n int) []rawfile.Row {
		return head(rawfile.Scan(rawfile.Text{Begin: t.Begin}, sep, hash), n)
	}
	sep, announced := announced(t.Begin)
	known := announced || isExport(t.Begin)
	switch column, quoted := quotedColumn(look); {
	case announced:
		g.start = 2 // the line sep=; is Excel's, and no row
	case known:
		sep = rawfile.Comma
	case quoted:
		sep, known, o.CSV = column, true, true
	default:
		sep = sniff(func(sep rawfile.Separator, n int) [][]string { return cellsOf(look(sep, n)) }, o)
	}
	g.divide(sep, hash, o)
	if known || g.format.Header || o.Molecules || o.namesColumns() || g.sample == nil || g.isMatrix() {
		return g, nil
	}
	settled, err := o.settle(look, sep)
	if err == nil && settled != sep {
		*g = grid{text: t}
		g.divide(settled, hash, o)
	}
	return g, err
}

// divide reads the rows with a separator, and finds the header.
func (g *grid) divide(sep rawfile.Separator, hash bool, o Options) {
	g.format = Format{Kind: "CSV", Separator: sep.String()}
	if sep == rawfile.WholeLines {
		g.format.Kind = "lines"
	}
	g.read = func(b rawfile.Text) iter.Seq[rawfile.Row] { return rawfile.Scan(b, sep, hash) }
	g.findHeader(o)
}

// namesColumns reports whether the options name columns, so that the file is a table.
func (o Options) namesColumns() bool {
	return slices.ContainsFunc(append([]string{o.Input, o.ID, o.SE, o.SD}, o.Score...), func(name string) bool { return name != "" && name != NoScores })
}

// rows returns the rows of a text, with those above the table as comments. Those that are not in memory can be ranged
// over once.
func (g *grid) rows(b rawfile.Text) iter.Seq[rawfile.Row] {
	return func(yield func(rawfile.Row) bool) {
		for r := range g.read(b) {
			switch {
			case r.Line == g.headerLine:
				r.Kind = rawfile.Header
			case r.Line < g.start && r.Kind == rawfile.Data:
				r.Kind = rawfile.Comment
			}
			if !yield(r) {
				return
			}
		}
	}
}

// begin is what is in memory of the file.
func (g *grid) begin() rawfile.Text { return rawfile.Text{Begin: g.text.Begin} }

// dataRows returns the rows of data or, if the file is scanned, those at its beginning. Their cells are valid until the
// next.
func (g *grid) dataRows() iter.Seq[rawfile.Row] {
	return func(yield func(rawfile.Row) bool) {
		for r := range g.rows(g.begin()) {
			if r.Kind == rawfile.Data && !yield(r) {
				return
			}
		}
	}
}

// data returns the cells of the rows that dataRows returns.
func (g *grid) data() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for r := range g.dataRows() {
			if !yield(r.Cells) {
				return
			}
		}
	}
}

// about returns about how many rows of data a file in memory has.
func (g *grid) about() int {
	mark := map[string]string{"SDF": "\n$$$$", "FASTA": "\n>"}[g.format.Kind]
	return strings.Count(g.text.Begin, cmp.Or(mark, "\n"))
}

// name returns the name of a column, for people; "" if there is none.
func (g *grid) name(i int) string {
	return cmp.Or(field(g.header, i), when(i >= 0, strconv.Itoa(i+1)))
}

// head returns the first n rows of data.
func head(rows iter.Seq[rawfile.Row], n int) []rawfile.Row {
	var first []rawfile.Row
	for r := range rows {
		if len(first) == n {
			break
		}
		if r.Kind == rawfile.Data && r.Problem == "" {
			r.Cells, r.Quoted = slices.Clone(r.Cells), slices.Clone(r.Quoted)
			first = append(first, r)
		}
	}
	return first
}

// mostlyHashes reports whether lines that begin with # are rows, as in a file that numbers its compounds #1, #2, ...
func mostlyHashes(text string) bool {
	lines := cellsOf(head(rawfile.Scan(rawfile.Text{Begin: text}, rawfile.WholeLines, true), sampled))
	return 2*stats.Count(lines, func(cells []string) bool { line := cells[0]; return line[0] == '#' && len(line) > 1 && line[1] != ' ' }) > len(lines)
}

// marked lists separators by preference, where a file might be read with several. The comma may be before decimals.
var marked = []rawfile.Separator{rawfile.Tab, rawfile.Semicolon, rawfile.Pipe, rawfile.Comma}

// announced returns the separator that Excel is told of by a first line such as sep=;
func announced(text string) (rawfile.Separator, bool) {
	line, _, _ := strings.Cut(text, "\n")
	i := slices.IndexFunc(marked, func(sep rawfile.Separator) bool { return strings.TrimRight(line, "\r") == "sep="+string(sep.Char()) })
	if i < 0 {
		return rawfile.WholeLines, false
	}
	return marked[i], true
}

// sniff returns the separator of a text: that which gives most rows the cells that the first row has. If no cell is
// then what Normalize accepts, the next one is tried; text without any separator is read as lines, or as strings and
// names. look returns the first n rows.
func sniff(look func(sep rawfile.Separator, n int) [][]string, o Options) rawfile.Separator {
	share := map[rawfile.Separator]float64{}
	for _, sep := range marked {
		share[sep] = regular(look(sep, 200))
	}
	all := slices.DeleteFunc(slices.Clone(marked), func(sep rawfile.Separator) bool { return share[sep] < 0.5 })
	slices.SortStableFunc(all, func(a, b rawfile.Separator) int { return int(1e6*share[b]) - int(1e6*share[a]) })
	for _, sep := range all {
		rows := look(sep, 30)
		if o.Normalize == nil || headerRow(rows, o) >= 0 {
			return sep
		}
		if n := accepted(rows, o); 2*n >= len(rows) {
			if accepted(firstWords(look(rawfile.WholeLines, 30)), o) > n { // some lines have blanks before a name
				return rawfile.FirstBlank
			}
			return sep
		}
	}
	if len(all) > 0 {
		rows := look(all[0], 30)
		if 2*stats.Count(rows, func(cells []string) bool { return slices.ContainsFunc(cells, mutation.Is) }) > len(rows) {
			return all[0]
		}
	}
	return sniffBlanks(look, o)
}

// sniffBlanks tells strings that contain blanks from strings with names, and tables with blanks.
func sniffBlanks(look func(sep rawfile.Separator, n int) [][]string, o Options) rawfile.Separator {
	rows := look(rawfile.Blanks, 200)
	if !slices.ContainsFunc(rows, func(cells []string) bool { return len(cells) > 1 }) {
		return rawfile.WholeLines
	}
	split := rawfile.FirstBlank
	if len(rows[0]) > 2 && regular(rows) == 1 {
		split = rawfile.Blanks
	}
	if long := slices.DeleteFunc(slices.Clone(rows[0]), func(s string) bool { return len(s) == 1 }); len(long) > 1 && names(long, o) {
		return split // x may be a variable
	}
	lines := slices.DeleteFunc(look(rawfile.WholeLines, sampled), func(cells []string) bool { return len(strings.Fields(cells[0])) < 2 })
	lines = lines[:min(len(lines), 50)]
	if o.Normalize != nil && accepted(firstWords(lines), o) > accepted(lines, o) || namesSequences(rows) {
		return split
	}
	return rawfile.WholeLines
}

// firstWords returns the first words of lines.
func firstWords(lines [][]string) [][]string {
	return stats.Map(lines, func(cells []string) []string { return strings.Fields(cells[0])[:1] })
}

// namesSequences reports whether rows are sequences in capital letters, and some of them have a name that is none.
func namesSequences(rows [][]string) bool {
	const shortest = 5
	isSequence := func(s string) bool {
		return len(s) >= shortest && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*-") == ""
	}
	return !slices.ContainsFunc(rows, func(cells []string) bool { return !isSequence(cells[0]) }) &&
		slices.ContainsFunc(rows, func(cells []string) bool { return len(cells) > 1 && !isSequence(cells[1]) })
}

// regular returns the share of rows that have several cells, as many as most or fewer.
func regular(rows [][]string) float64 {
	widths := map[int]int{}
	for _, cells := range rows {
		if len(cells) > 1 {
			widths[len(cells)]++
		}
	}
	usual := 0
	for width, n := range widths {
		if cmp.Or(cmp.Compare(n, widths[usual]), cmp.Compare(width, usual)) > 0 {
			usual = width
		}
	}
	n := stats.Count(rows, func(cells []string) bool { return len(cells) > 1 && len(rawfile.TrimEmpty(cells)) <= usual })
	return float64(n) / float64(max(len(rows), 1))
}

// accepted counts rows with a cell that Normalize accepts.
func accepted(rows [][]string, o Options) int {
	return stats.Count(rows, func(cells []string) bool { return slices.ContainsFunc(cells[:min(len(cells), 20)], o.accepts) })
}

// accepts reports whether a cell, other than a number, is one that Normalize accepts.
func (o Options) accepts(cell string) bool {
	if cell == "" || len(cell) > rawfile.MaxCell || numeral.IsNumber(cell) {
		return false
	}
	if o.Normalize == nil {
		return true
	}
	_, _, err := o.Normalize(cell)
	return err == nil
}

// look sets the sample, and returns the last comment above it.
func (g *grid) look() (above rawfile.Row) {
	for r := range g.rows(g.begin()) {
		r.Cells, r.Quoted = slices.Clone(r.Cells), slices.Clone(r.Quoted)
		switch {
		case r.Kind == rawfile.Data && r.Problem == "":
			g.sample = append(g.sample, r)
		case r.Kind == rawfile.Comment && g.sample == nil:
			above = r
		}
		if len(g.sample) == sampled {
			break
		}
	}
	return above
}

// findHeader sets the sample and the header: one of the first rows, or the last comment before them. Rows above it are
// comments.
func (g *grid) findHeader(o Options) {
	above := g.look()
	if g.sample == nil {
		return
	}
	rows := stats.Map(g.sample, func(r rawfile.Row) []string { return r.Cells })
	at := headerRow(rows, o)
	if at < 0 && isNamedByQuotes(g.sample) {
		at = 0
	}
	if at >= 0 {
		above = g.sample[at]
		below := 0
		if exportLayout(above.Cells) == nil {
			below = g.joinHeader(at)
		}
		if at > 0 {
			g.start = above.Line
		}
		if below > 0 {
			last := g.sample[at+below]
			g.start = last.Line + last.Lines
		}
		g.sample = g.sample[at+1+below:]
	} else if len(above.Cells) != len(rows[0]) || !names(above.Cells, o) {
		above = rawfile.Row{}
	}
	g.headerLine, g.format.Header = above.Line, above.Cells != nil
	if g.format.Header {
		if g.header == nil {
			g.header = stats.Map(rawfile.TrimEmpty(above.Cells), func(name string) string { return plainName(sheet.Unguard(name)) })
		}
		for len(g.header) < len(above.Cells) && stats.Count(g.sample, func(r rawfile.Row) bool { return field(r.Cells, len(g.header)) != "" }) > len(g.sample)/2 {
			g.header = append(g.header, "") // a column without a name
		}
		cut := max(0, len(g.sample)-1) // the last may be
		g.whole = !slices.ContainsFunc(g.sample[:cut], func(r rawfile.Row) bool { return len(r.Cells) != len(above.Cells) })
	} else {
		width := 0
		for _, cells := range rows {
			width = max(width, len(rawfile.TrimEmpty(cells)))
		}
		g.header = make([]string, width)
	}
}

// headerRow returns the index of the row that names the columns, -1 if none does: one of the first that has a known name, or
// the first of all, if what it has is not like what is below it.
func headerRow(rows [][]string, o Options) int {
	if len(rows) > 0 && exportLayout(rows[0]) != nil {
		return 0
	}
	for i, cells := range rows[:min(len(rows), 20)] {
		below := rows[i+1 : min(len(rows), i+101)]
		if names(cells, o) && (i == 0 || len(rawfile.TrimEmpty(cells)) > 1) && !o.mayBeStrings(cells, below) && !o.isAmong(rows[:i], below, cells) {
			if i+1 < len(rows) && o.namesRest(cells, rows[i+1]) {
				return i + 1
			}
			return i
		}
	}
	if len(rows) > 1 && o.isHeader(rows[0], rows[1:min(len(rows), 100)]) {
		return 0
	}
	return -1
}

// namesRest reports whether the row below one that names columns of numbers names the strings, where that has no name:
// ,Activity above Sequence,(U/mg).
func (o Options) namesRest(above, cells []string) bool {
	input := func(cell string) bool {
		name := quantity.Fold(cell)
		given := slices.ContainsFunc([]string{o.Input, o.Like.Input}, func(n string) bool { return n != "" && quantity.Fold(n) == name })
		return given || len(name) > 1 && rankOf(inputNames, name) >= 0
	}
	if slices.ContainsFunc(above, input) || slices.ContainsFunc(cells, numeral.IsNumber) {
		return false
	}
	for i, cell := range cells {
		if input(cell) && field(above, i) == "" {
			return true
		}
	}
	return false
}

// isAmong reports whether a row stands among rows of strings, such as "bad mol" in a list of molecules and their names:
// a column has strings above and below it, and in it neither a string nor the name of such a column.
func (o Options) isAmong(above, below [][]string, cells []string) bool {
	if o.Normalize == nil {
		return false
	}
	for i, cell := range cells {
		column := func(rows [][]string) []string {
			return without(stats.Map(rows, func(cells []string) string { return field(cells, i) }), []string{""})
		}
		if up, down := column(above), column(below); rankOf(inputNames, quantity.Fold(cell)) < 0 && !o.accepts(cell) && len(up) > 0 && len(down) > 0 && mostly(up, o.accepts) && mostly(down, o.accepts) {
			return true
		}
	}
	return false
}

// mayBeStrings reports whether a row that has a letter for the name of a column, such as x, may be one of strings:
// nothing else in it is a known name, and no cell is above numbers.
func (o Options) mayBeStrings(cells []string, below [][]string) bool {
	long := slices.DeleteFunc(slices.Clone(cells), func(cell string) bool { return len(quantity.Fold(cell)) == 1 })
	if o.CSV || len(long) == len(cells) || names(long, o) {
		return false
	}
	for i, cell := range cells {
		under := without(stats.Map(below, func(cells []string) string { return field(cells, i) }), []string{""})
		known := len(cell) > 1 && rankOf(slices.Concat(scoreNames, idNames), quantity.Fold(cell)) >= 0
		if known || !numeral.IsNumber(cell) && len(under) > 0 && mostly(under, isMeasurement) {
			return false
		}
	}
	return true
}

// isHeader reports whether the first row names the columns, by its content: a cell is a word where those below it
// mostly are numbers, or is called as sequences are where they are such, and no cell is a number or a string like those
// below it.
func (o Options) isHeader(first []string, rows [][]string) bool {
	header := false
	accepted := stats.Count(first, o.accepts)
	for i, cell := range first {
		below := without(stats.Map(rows, func(cells []string) string { return field(cells, i) }), []string{""})
		_, failed := numeral.Failure(cell)
		units := mostly(below, func(cell string) bool { return numeral.IsValue(cell) && !numeral.IsNumber(cell) }) // without them, 10 nM is a name
		switch {
		case numeral.IsNumber(cell), numeral.IsValue(cell) && units:
			return false
		case numeral.IsMissing(cell) && cell != "", failed:
			continue
		case o.isLike(cell, below, accepted < len(first)):
			return false
		}
		header = header || mostly(below, isMeasurement) || o.Sequences == Detect && ofSequences(cell) && areSequences(below)
	}
	return header
}

// isLike reports whether a cell is a string like most of those below it: a sequence, a mutant or, if Normalize is
// choosy, what it accepts.
func (o Options) isLike(cell string, below []string, choosy bool) bool {
	if o.Normalize != nil {
		return choosy && o.accepts(cell) && mostly(below, o.accepts)
	}
	if o.Sequences == bioseq.None || ofSequences(cell) {
		return false
	}
	if mutation.IsPlain(cell) {
		return mostly(below, mutation.IsPlain)
	}
	kind := bioseq.Detect(below, bioseq.CalledSequences)
	if kind == bioseq.None || strings.Trim(cell, kind.Letters()) != "" {
		return false
	}
	lengths := stats.Map(below, func(s string) int { return len(s) })
	return slices.Min(lengths) <= len(cell) && len(cell) <= slices.Max(lengths)
}

// areSequences reports whether most cells are sequences, by their content.
func areSequences(cells []string) bool {
	return bioseq.Detect(cells, bioseq.CalledSequences) != bioseq.None
}

// mostly reports whether something holds for most of the cells that do not say that there is no value.
func mostly(cells []string, is func(cell string) bool) bool {
	filled := slices.DeleteFunc(slices.Clone(cells), func(cell string) bool {
		_, failed := numeral.Failure(cell)
		return failed || numeral.IsMissing(cell)
	})
	return 2*stats.Count(filled, is) > len(filled)
}

// isMeasurement reports whether a cell is a number, perhaps with a relation, a unit or an error.
func isMeasurement(cell string) bool {
	n, ok := numeral.Parse(cell)
	return ok || numeral.Explain(n.Written).Kind == numeral.WithError && strings.ContainsAny(n.Written, "0123456789")
}

// names reports whether a cell is a known name of a column of strings, or the name that an option or an earlier table gives.
func names(cells []string, o Options) bool {
	for _, name := range cells {
		if rankOf(inputNames, quantity.Fold(name)) >= 0 && (len(cells) > 1 || len(quantity.Fold(name)) > 1 || o.CSV) { // x may be a string
			return true
		}
		for _, option := range slices.Concat([]string{o.Input, o.ID, o.SE, o.Like.Input, o.Like.ID, o.Like.Filled()}, o.Score, o.Others) {
			if _, err := strconv.Atoi(option); err != nil && option != "" && option != NoScores && quantity.Fold(name) == quantity.Fold(option) {
				return true
			}
		}
	}
	return false
}

// preamble finds the rows between the header and the data that say what columns hold: those of PubChem, or one with
// units. They are no rows of data, and their units are those of the columns.
func (g *grid) preamble() {
	n := 0
	for n < len(g.sample) && n < 10 && g.format.Header && !g.blocks && g.format.Kind != "FASTA" {
		cells := g.sample[n].Cells
		switch {
		case g.isPubChem(cells):
			g.format.Layout = "PubChem"
			if cells[0] == "RESULT_UNIT" {
				g.takeUnits(cells)
			}
		case g.isUnitsRow(cells, g.sample[n+1:]):
			g.takeUnits(cells)
		case !isTypesRow(cells):
			g.passOver(n)
			return
		}
		n++
	}
	g.passOver(n)
}

// isPubChem reports whether a row of PubChem's says what its columns hold, by its first cell: RESULT_TYPE, RESULT_UNIT
// and so on.
func (g *grid) isPubChem(cells []string) bool {
	return strings.HasPrefix(cells[0], "RESULT_") && slices.ContainsFunc(g.header, func(name string) bool { return strings.HasPrefix(name, "PUBCHEM_") })
}

// withNumber matches a value with its unit, such as 1 nM: the unit of all that is below is nM.
var withNumber = regexp.MustCompile(`^[<>=~≤≥]*\s*\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?\s*[A-Za-zµμ%]`)

// isUnitsRow reports whether a row has units, and below them are numbers. It has none itself.
func (g *grid) isUnitsRow(cells []string, below []rawfile.Row) bool {
	below = below[:min(len(below), 100)]
	units := 0
	for i, cell := range cells {
		if cell == "" {
			continue
		}
		if numeral.IsNumber(cell) || withNumber.MatchString(cell) {
			return false
		}
		all := stats.Count(below, func(r rawfile.Row) bool { return !numeral.IsMissing(field(r.Cells, i)) })
		numbers := stats.Count(below, func(r rawfile.Row) bool {
			cell := field(r.Cells, i)
			return !numeral.IsMissing(cell) && numeral.IsValue(cell)
		})
		_, ok := unitCell(cell)
		switch {
		case all == 0 || 2*numbers <= all:
			if i < len(g.header) && g.rank(inputNames, i) >= 0 && len(cell) > 12 { // it has a string
				return false
			}
		case ok:
			units++
		}
	}
	return units > 0
}

// isTypesRow reports whether a row has nothing but the types of columns.
func isTypesRow(cells []string) bool {
	types := []string{"string", "str", "text", "float", "double", "number", "numeric", "int", "integer", "real"}
	cells = without(cells, []string{""})
	return len(cells) > 1 && !slices.ContainsFunc(cells, func(cell string) bool { return !slices.Contains(types, strings.ToLower(cell)) })
}

// unitCell reads a unit in a cell of its own: nM, (nM), [nM].
func unitCell(cell string) (quantity.Unit, bool) {
	return quantity.ParseUnit(strings.Trim(cell, "()[]{} "))
}

// takeUnits takes the units of columns from a row.
func (g *grid) takeUnits(cells []string) {
	g.stated = make([]quantity.Unit, len(g.header))
	for i := range g.stated {
		g.stated[i], _ = unitCell(field(cells, i))
	}
}

// passOver makes comments of the first n rows of data.
func (g *grid) passOver(n int) {
	if n > 0 {
		last := g.sample[n-1]
		g.start = last.Line + last.Lines
		g.sample, g.headings = g.sample[n:], nil // names have units now
	}
}
