package table

import (
	"iter"
	"strings"
)

// isFASTA reports whether a text is FASTA: titles, which begin with >, and below them a sequence. The first records may be empty.
func isFASTA(text string) bool {
	titled := false
	for line := range strings.Lines(text) {
		switch line = clean(line); {
		case line == "" || strings.HasPrefix(line, ";"):
		case line[0] == '>':
			titled = true
		default:
			return titled && strings.IndexFunc(line, notResidue) < 0
		}
	}
	return false
}

// notResidue reports whether a sequence cannot contain r: others than letters, gaps, the stop * and blanks.
func notResidue(r rune) bool {
	return !('A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || strings.ContainsRune("*-. \t", r))
}

// openFASTA returns FASTA as a table of ids, descriptions and sequences, which may have blanks and line ends.
func openFASTA(b body) *grid {
	g := &grid{format: Format{Kind: "FASTA", Header: true}, header: []string{"id", "description", "sequence"}, body: b, read: fastaRows}
	g.look()
	return g
}

func fastaRows(b body) iter.Seq[row] {
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
			text = clean(text)
			title, titled := strings.CutPrefix(text, ">")
			switch {
			case titled:
				if !whole() {
					return
				}
				id, description, _ := strings.Cut(clean(title), " ")
				r = row{line: line, lines: 1, cells: []string{id, clean(description), ""}}
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
