package rawfile

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/whitespace"
)

// The columns of FASTA before those of numbers in titles.
const (
	idColumn = iota
	descriptionColumn
	SequenceColumn
	numberColumns // and after it
)

// IsFASTA reports whether a text is FASTA: titles, which begin with >, and below them a sequence, with ends or several
// chains perhaps. The first records may be empty.
func IsFASTA(text string) bool {
	titled := false
	for line := range strings.Lines(text) {
		switch line = whitespace.Trim(line); {
		case line == "" || strings.HasPrefix(line, ";"):
		case line[0] == '>':
			titled = true
		default:
			if _, more, _ := notation.ReadParts(line); more {
				return titled
			}
			return titled && strings.IndexFunc(line, notResidue) < 0
		}
	}
	return false
}

// notResidue reports whether a sequence cannot contain r: others than letters, gaps, the stop * and blanks.
func notResidue(r rune) bool {
	return !('A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || strings.ContainsRune("*-. \t", r))
}

// FASTA returns the columns of FASTA, and how its rows are read: id, description and sequence, which may have blanks
// and line ends in the file, and a column for each name that all titles in memory have a value of, mostly a number: kd
// for kd=1.2. The rows can be ranged over once if not all of the text is in memory.
func FASTA(t Text) (columns []string, rows func(Text) iter.Seq[Row]) {
	names := titled(t)
	return append([]string{idColumn: "id", descriptionColumn: "description", SequenceColumn: "sequence"}, names...), func(t Text) iter.Seq[Row] { return fastaRows(t, names) }
}

// pair matches a name with its value in a title: activity=1.2.
var pair = regexp.MustCompile(`(^|[\s|;,])([A-Za-z][^\s|;,=]*)\s*=\s*([^\s|;,=]+)`)

// databaseNames are of pairs that databases and programs write into titles: organisms, versions, and how often a
// sequence was read.
var databaseNames = []string{"OS", "OX", "GN", "PE", "SV", "size"}

// titled returns the names of numbers that all titles at the beginning of a file have.
func titled(t Text) (names []string) {
	const looked = 500 // titles
	n := 0
	of, numbers := map[string]int{}, map[string]int{} // titles and numbers by name
	for r := range fastaRows(Text{Begin: t.Begin}, nil) {
		if r.Kind != Data || r.Cells[SequenceColumn] == "" {
			continue
		}
		var own []string // a title may have a name twice
		for _, m := range pair.FindAllStringSubmatch(r.Cells[idColumn]+" "+r.Cells[descriptionColumn], -1) {
			name := m[2]
			if slices.Contains(own, name) {
				continue
			}
			own = append(own, name)
			if of[name]++; of[name] == 1 {
				names = append(names, name)
			}
			if numeral.IsValue(m[3]) {
				numbers[name]++
			}
		}
		if n++; n == looked {
			break
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return of[name] < n || 2*numbers[name] < n || slices.Contains(databaseNames, name)
	})
}

// fastaCells returns the id, the description and an empty sequence of a title, and the values of names, which are left
// out of these.
func fastaCells(title string, names []string) []string {
	cells := make([]string, numberColumns+len(names))
	if len(names) > 0 {
		title = pair.ReplaceAllStringFunc(title, func(text string) string {
			m := pair.FindStringSubmatch(text)
			i := slices.Index(names, m[2])
			if i < 0 {
				return text
			}
			cells[numberColumns+i] = cmp.Or(cells[numberColumns+i], m[3])
			return ""
		})
	}
	id, description, _ := strings.Cut(whitespace.Trim(title), " ")
	cells[idColumn], cells[descriptionColumn] = id, whitespace.Trim(description)
	return cells
}

// fastaRows returns the rows of FASTA: id, description and sequence, and the values of names.
func fastaRows(t Text, names []string) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		line := 0
		var r Row // the sequence so far; none before the first
		var sequence strings.Builder
		whole := func() bool {
			if r.Lines > 0 {
				r.Cells[SequenceColumn] = sequence.String()
			}
			return r.Lines == 0 || yield(r)
		}
		for text := range t.lines() {
			line++
			text = whitespace.Trim(text)
			title, titled := strings.CutPrefix(text, ">")
			switch {
			case titled:
				if !whole() {
					return
				}
				r = Row{Line: line, Lines: 1, Cells: fastaCells(title, names)}
				sequence.Reset()
			case r.Lines == 0:
				above := Row{Line: line, Lines: 1, Kind: Comment}
				if text == "" {
					above.Kind = Empty
				}
				if !yield(above) {
					return
				}
			default:
				r.Lines++
				if !strings.HasPrefix(text, ";") {
					sequence.WriteString(strings.Join(strings.Fields(text), ""))
				}
			}
		}
		whole()
	}
}
