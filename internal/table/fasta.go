package table

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/table/whitespace"
)

// isFASTA reports whether a text is FASTA: titles, which begin with >, and below them a sequence, with ends or several chains perhaps. The first records
// may be empty.
func isFASTA(text string) bool {
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

// openFASTA returns FASTA as a table of ids, descriptions and sequences, which may have blanks and line ends, and of the numbers that titles name.
func openFASTA(b body) *grid {
	names := titled(b)
	g := &grid{
		format: Format{Kind: "FASTA", Header: true}, header: append([]string{"id", "description", "sequence"}, names...), body: b,
		read: func(b body) iter.Seq[row] { return fastaRows(b, names) },
	}
	g.look()
	return g
}

// pair matches a name with its value in a title: activity=1.2.
var pair = regexp.MustCompile(`(^|[\s|;,])([A-Za-z][^\s|;,=]*)\s*=\s*([^\s|;,=]+)`)

// databaseNames are of pairs that databases and programs write into titles: organisms, versions, and how often a sequence was read.
var databaseNames = []string{"OS", "OX", "GN", "PE", "SV", "size"}

// titled returns the names of numbers that all titles at the beginning of a file have.
func titled(b body) (names []string) {
	n := 0
	var of, numbers tally[string]
	for r := range fastaRows(body{begin: b.begin}, nil) {
		if r.kind != data || r.cells[2] == "" {
			continue
		}
		var own []string // a title may have a name twice
		for _, m := range pair.FindAllStringSubmatch(r.cells[0]+" "+r.cells[1], -1) {
			if slices.Contains(own, m[2]) {
				continue
			}
			own = append(own, m[2])
			of.add(m[2])
			if isValue(m[3]) {
				numbers.add(m[2])
			}
		}
		if n++; n == sampled {
			break
		}
	}
	return slices.DeleteFunc(of.order, func(name string) bool {
		return of.n[name] < n || 2*numbers.n[name] < n || slices.Contains(databaseNames, name)
	})
}

// fastaCells returns the id, the description and an empty sequence of a title, and the values of names, which are left out of these.
func fastaCells(title string, names []string) []string {
	cells := make([]string, 3+len(names))
	if len(names) > 0 {
		title = pair.ReplaceAllStringFunc(title, func(text string) string {
			m := pair.FindStringSubmatch(text)
			i := slices.Index(names, m[2])
			if i < 0 {
				return text
			}
			cells[3+i] = cmp.Or(cells[3+i], m[3])
			return ""
		})
	}
	id, description, _ := strings.Cut(whitespace.Trim(title), " ")
	cells[0], cells[1] = id, whitespace.Trim(description)
	return cells
}

// fastaRows returns the rows of FASTA: id, description and sequence, and the values of names.
func fastaRows(b body, names []string) iter.Seq[row] {
	return func(yield func(row) bool) {
		line := 0
		var r row // the sequence so far; none before the first
		var sequence strings.Builder
		whole := func() bool {
			if r.lines > 0 {
				r.cells[2] = sequence.String()
			}
			return r.lines == 0 || yield(r)
		}
		for text := range b.lines() {
			line++
			text = whitespace.Trim(text)
			title, titled := strings.CutPrefix(text, ">")
			switch {
			case titled:
				if !whole() {
					return
				}
				r = row{line: line, lines: 1, cells: fastaCells(title, names)}
				sequence.Reset()
			case r.lines == 0:
				above := row{line: line, lines: 1, kind: comment}
				if text == "" {
					above.kind = empty
				}
				if !yield(above) {
					return
				}
			default:
				r.lines++
				if !strings.HasPrefix(text, ";") {
					sequence.WriteString(strings.Join(strings.Fields(text), ""))
				}
			}
		}
		whole()
	}
}
