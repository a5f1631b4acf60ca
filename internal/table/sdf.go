package table

import (
	"errors"
	"iter"
	"strings"
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
	g.width = len(g.header)
	g.read = func(b body) iter.Seq[row] {
		return func(yield func(row) bool) {
			for r := range sdfRecords(b) {
				cells := make([]string, g.width)
				cells[blockColumn], cells[titleColumn] = r.block, r.title
				for _, p := range r.properties {
					if i, ok := at[p.name]; ok {
						cells[i] = p.value
					}
				}
				if r.kind == empty {
					cells = nil
				}
				if !yield(row{line: r.line, lines: r.lines, kind: r.kind, cells: cells}) {
					return
				}
			}
		}
	}
	g.look()
	return g, nil
}

// sdfRecord is a record of an SD file.
type sdfRecord struct {
	line, lines int
	kind        kind // empty: lines without a record at the end
	block       string
	title       string
	properties  []property
}

type property struct{ name, value string }

// sdfRecords returns the records of an SD file, each of which $$$$ ends.
func sdfRecords(b body) iter.Seq[sdfRecord] {
	return func(yield func(sdfRecord) bool) {
		r := sdfRecord{line: 1}
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
			r = sdfRecord{line: r.line + r.lines}
			text.Reset()
		}
		if r.lines > 0 {
			r.read(text.String())
			if clean(text.String()) == "" {
				r.kind = empty
			}
			yield(r)
		}
	}
}

// read reads the lines of a record: the molblock up to M  END, then properties, a line > <NAME> and lines of the value each.
func (r *sdfRecord) read(text string) {
	title, _, _ := strings.Cut(text, "\n")
	r.title = clean(title)
	rest, value := "", []string(nil)
	name, inside := "", false // of the property that is being read
	end := func() {
		if inside {
			r.properties = append(r.properties, property{name, clean(strings.Join(value, " "))})
		}
		inside, value = false, nil
	}
	r.block = text
	if i := strings.Index(text, "\nM  END"); i >= 0 {
		n := strings.IndexByte(text[i+1:], '\n')
		if n < 0 {
			return
		}
		r.block, rest = text[:i+1+n+1], text[i+1+n+1:]
	} else if i := strings.Index(text, "\n>"); i >= 0 {
		r.block, rest = text[:i+1], text[i+1:]
	}
	for line := range strings.Lines(rest) {
		line = clean(line)
		switch {
		case strings.HasPrefix(line, ">") && (!inside || propertyName(line) != ""):
			end()
			name, inside = propertyName(line), true
		case line == "":
			end()
		case inside:
			value = append(value, line)
		}
	}
	end()
}

// propertyName returns NAME of a line > <NAME>; empty if it is no such line, as in a value of >4.5.
func propertyName(line string) string {
	_, name, ok := strings.Cut(line, "<")
	name, _, closed := strings.Cut(name, ">")
	if !ok || !closed {
		return ""
	}
	return clean(name)
}
