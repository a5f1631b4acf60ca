package table

import (
	"errors"
	"iter"
	"strings"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// The columns of an SD file before those of its properties.
const (
	blockColumn = iota // the molblock
	titleColumn        // its first line
)

// isSDF reports whether a text is an SD file, or a single molblock.
func isSDF(text string) bool {
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \r\n")
		if n++; line == "$$$$" || n == 4 && (strings.HasSuffix(line, "V2000") || strings.HasSuffix(line, "V3000")) {
			return true
		}
	}
	return false
}

// openSDF returns an SD file as a table of molblocks, titles and properties: those of all records that are in memory.
func openSDF(b body) (*grid, error) {
	g := &grid{format: Format{Kind: "SDF", Header: true}, header: []string{"molblock", "title"}, blocks: true, body: b}
	at := map[string]int{} // of properties among the columns
	for r := range sdfRecords(body{begin: b.begin}) {
		for _, p := range r.properties {
			if _, ok := at[p.name]; !ok {
				at[p.name] = len(g.header)
				g.header = append(g.header, p.name)
			}
		}
		if len(g.header) > maxColumns {
			return nil, errors.New("its records have too many different properties")
		}
	}
	g.read = func(b body) iter.Seq[row] {
		return func(yield func(row) bool) {
			for r := range sdfRecords(b) {
				if r.kind == data {
					r.cells = make([]string, len(g.header))
					r.cells[blockColumn], r.cells[titleColumn] = r.block, r.title
				}
				for _, p := range r.properties {
					if i, ok := at[p.name]; ok && r.kind == data {
						r.cells[i] = whitespace.Trim(p.value)
					}
				}
				if !yield(r.row) {
					return
				}
			}
		}
	}
	g.look()
	return g, nil
}

// sdfRecord is a record of an SD file. Lines without a record at the end are empty.
type sdfRecord struct {
	row
	block, title string
	properties   []property
}

type property struct{ name, value string }

// sdfRecords returns the records of an SD file, each of which $$$$ ends.
func sdfRecords(b body) iter.Seq[sdfRecord] {
	return func(yield func(sdfRecord) bool) {
		r := sdfRecord{row: row{line: 1}}
		var text strings.Builder
		for line := range b.lines() {
			r.lines++
			if strings.TrimRight(line, " \r\n") != "$$$$" {
				text.WriteString(line)
				if b.more != nil && text.Len() > maxRow {
					b.more.failed = tooLong()
					return
				}
				continue
			}
			r.read(text.String())
			if !yield(r) {
				return
			}
			r = sdfRecord{row: row{line: r.line + r.lines}}
			text.Reset()
		}
		if r.lines > 0 {
			r.read(text.String())
			if whitespace.Trim(text.String()) == "" {
				r.kind = empty
			}
			yield(r)
		}
	}
}

// read reads the lines of a record: the molblock up to M  END, then properties, a line > <NAME> and lines of the value each.
func (r *sdfRecord) read(text string) {
	title, _, _ := strings.Cut(text, "\n")
	r.title = whitespace.Trim(title)
	end := len(text)
	if i := strings.Index(text, "\nM  END"); i >= 0 {
		if n := strings.IndexByte(text[i+1:], '\n'); n >= 0 {
			end = i + 1 + n + 1
		}
	} else if i := strings.Index(text, "\n>"); i >= 0 {
		end = i + 1
	}
	r.block = text[:end]
	inside := false // a property
	for line := range strings.Lines(text[end:]) {
		line = whitespace.Trim(line)
		name := propertyName(line)
		switch last := len(r.properties) - 1; {
		case strings.HasPrefix(line, ">") && (!inside || name != ""):
			r.properties, inside = append(r.properties, property{name: name}), true
		case line == "":
			inside = false
		case inside:
			r.properties[last].value += " " + line
		}
	}
}

// propertyName returns NAME of a line > <NAME>; empty if it is no such line, as in a value of >4.5.
func propertyName(line string) string {
	_, name, ok := strings.Cut(line, "<")
	name, _, closed := strings.Cut(name, ">")
	if !ok || !closed {
		return ""
	}
	return whitespace.Trim(name)
}
