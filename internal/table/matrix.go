package table

import (
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/rawfile"
)

// isMatrix reports whether a table has the scores of single mutants as a matrix: a row for each position and a column
// for each residue, or the reverse.
func (g *grid) isMatrix() bool {
	const fewest, most = 3, 10 // residues or positions
	words := g.where(func(i int) bool { return g.share(i, numeral.IsNumber) < 0.5 && g.filled(i) && !g.lacks(i) })
	names := g.header
	if !g.format.Header && len(g.sample) > 1 {
		names = g.sample[0].Cells
	}
	var letters, positions []string // columns
	for i, name := range names {
		switch {
		case slices.Contains(words, i):
		case isResidueName(name):
			letters = append(letters, name)
		case numberedResidue.MatchString(name), numeral.IsDigits(name) && !g.format.Header:
			positions = append(positions, name)
		}
	}
	labels := func(is func(cell string) bool) bool { // of the rows, in the only column of words, but of a table that has most residues as columns
		return (len(words) == 1 || len(distinct(letters)) > most) && slices.ContainsFunc(words, func(i int) bool {
			return len(distinct(g.cells(i, sampled))) >= fewest-1 && mostly(g.cells(i, sampled), is)
		})
	}
	numbered := len(words) == 0 || labels(numberedResidue.MatchString) || labels(isResidueName) && g.positions() >= 0
	switch {
	case len(distinct(letters)) > fewest && 2*len(letters) > len(names):
		return numbered
	case len(distinct(positions)) >= fewest && (numeral.IsDigits(positions[0]) || len(distinct(stats.Map(positions, func(p string) string { return p[:1] }))) > 1):
		return labels(isResidueName)
	}
	return false
}

// numberedResidue matches a position with what the wild type has there: K2, Lys2.
var numberedResidue = regexp.MustCompile(`^(?:[ACDEFGHIKLMNPQRSTVWY]|[A-Z][a-z]{2})-?\d{1,5}$`)

// isLetter reports whether a cell is a residue in one letter, or a stop.
func isLetter(cell string) bool {
	return len(cell) == 1 && strings.Contains(notation.AminoAcids+"*", cell)
}

// isResidueName reports whether a cell is a residue in one letter or three, or a stop.
func isResidueName(cell string) bool {
	return isLetter(cell) || len(cell) == 3 && notation.AminoAcid(cell) != 0
}

// positions returns the column that numbers the rows of a matrix; -1 if there is none.
func (g *grid) positions() int {
	return g.one(func(i int) bool { return !isResidueName(g.header[i]) && g.share(i, isWhole) == 1 })
}

// distinct returns values without those that are repeated.
func distinct(values []string) []string { return slices.Compact(slices.Sorted(slices.Values(values))) }

// matrix says which mutants the cells of a matrix are. The columns or the rows of the matrix are residues.
type matrix struct {
	at, wildType int                          // columns of positions such as K2, or 2 beside one of what the wild type has there; -1: there is none
	residue      int                          // column of residues, if other columns are positions; -1: there is none
	columns      map[int]string               // residues or positions
	letters      func(position string) string // letter of a wild type that is given, where the matrix has positions alone; nil: it says them
}

// letterAt returns the letter of the wild type at a position. Outside of it any letter does: the mutant is refused for
// its position.
func (o Options) letterAt(position string) string {
	n, err := strconv.Atoi(position)
	if i := n - o.first(); err == nil && i >= 0 && i < len(o.WildType) {
		return o.WildType[i : i+1]
	}
	return "A"
}

// matrix returns how a matrix is read; ok is false if neither it nor the options say what the wild type has at each
// position.
func (g *grid) matrix(o Options) (m matrix, ok bool) {
	if !g.format.Header || !g.isMatrix() {
		return m, false
	}
	words := func(is func(cell string) bool) int {
		return g.one(func(i int) bool { return g.share(i, numeral.IsNumber) < 0.5 && g.share(i, is) > 0.9 })
	}
	m = matrix{at: words(numberedResidue.MatchString), wildType: -1, residue: -1, columns: map[int]string{}}
	is := isResidueName
	if letters := words(isResidueName); m.at < 0 && letters >= 0 {
		if at := g.positions(); at >= 0 && slices.ContainsFunc(g.header, isResidueName) {
			m.at, m.wildType = at, letters
		} else {
			m.residue, is = letters, numberedResidue.MatchString
		}
	}
	if at := g.positions(); m.at < 0 && m.residue < 0 && at >= 0 && o.WildType != "" {
		m.at, m.letters = at, o.letterAt
	}
	for i, name := range g.header {
		if is(name) && i != m.at && i != m.wildType && i != m.residue {
			m.columns[i] = name
		}
	}
	return m, (m.at >= 0 || m.residue >= 0) && !g.contradicts(m)
}

// contradicts reports whether the only empty cells of rows are mostly at other residues than those of a wild type that
// is given: a matrix has no mutant there.
func (g *grid) contradicts(m matrix) bool {
	if m.letters == nil {
		return false
	}
	agree, differ := 0, 0
	for _, r := range g.sample {
		var blank []string
		for i, name := range m.columns {
			if numeral.IsMissing(field(r.Cells, i)) {
				blank = append(blank, name)
			}
		}
		switch own := m.letters(field(r.Cells, m.at)); {
		case len(blank) != 1:
		case notation.AminoAcid(blank[0]) == own[0]:
			agree++
		default:
			differ++
		}
	}
	return differ > agree
}

// mutant returns the mutant of a cell; "" if its row or column is a stop, or says nothing.
func (m matrix) mutant(cells []string, column int) string {
	place, to := m.columns[column], field(cells, m.residue)
	if m.residue < 0 {
		place, to = field(cells, m.wildType)+field(cells, m.at), m.columns[column]
	}
	if m.letters != nil {
		place = m.letters(place) + place
	}
	if !numberedResidue.MatchString(place) || !isResidueName(to) || notation.AminoAcid(to) == '*' {
		return ""
	}
	return place + to
}

// readMatrix has the cells of a matrix of single mutants read as rows, each with a mutant and its score. Empty cells
// are not measured. A cell of the wild type's own residue is a score of the wild type, unless it is equal to the one
// before: the same value at each position only marks these cells.
func (g *grid) readMatrix(o Options) {
	if o.Normalize != nil || o.namesColumns() || o.Known != nil {
		return
	}
	m, ok := g.matrix(o)
	if !ok {
		return
	}
	read := g.read
	g.read = func(b rawfile.Text) iter.Seq[rawfile.Row] {
		return func(yield func(rawfile.Row) bool) {
			own := "" // score of the wild type
			for r := range read(b) {
				if r.Kind != rawfile.Data || r.Line == g.headerLine || r.Line < g.start {
					if !yield(r) {
						return
					}
					continue
				}
				for _, one := range m.rows(r, &own) {
					if !yield(one) {
						return
					}
				}
			}
		}
	}
	g.matrixRead, g.header, g.headings, g.stated = true, []string{mutantNames[0], scoreNames[0][0]}, nil, nil
	g.sample = nil
	g.look()
}

// rows returns the rows of mutants and scores that a row of a matrix is, at least one. own is the score of the wild
// type that was read last.
func (m matrix) rows(r rawfile.Row, own *string) (all []rawfile.Row) {
	for i, cell := range r.Cells {
		mutant := ""
		if m.columns[i] != "" && !numeral.IsMissing(cell) {
			mutant = m.mutant(r.Cells, i)
		}
		if mutant == "" {
			continue
		}
		if s, err := mutation.Parse(mutant); err == nil && s[0].From == s[0].To {
			before := *own
			if *own = cell; cell == before {
				continue
			}
		}
		all = append(all, rawfile.Row{Line: r.Line, Kind: rawfile.Data, Cells: []string{mutant, cell}, Numbers: []bool{false, field(r.Numbers, i)}})
	}
	if len(all) == 0 {
		all = []rawfile.Row{{Line: r.Line, Kind: rawfile.Empty}}
	}
	all[0].Lines, all[0].Problem, all[0].Cut = r.Lines, r.Problem, r.Cut
	return all
}
