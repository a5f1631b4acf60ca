package rawfile

import (
	"errors"
	"iter"
	"strings"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// The columns of an SD file before those of its properties.
const (
	MolblockColumn = iota
	titleColumn    // its first line
)

// IsSDF reports whether a text is an SD file, or a single molblock.
func IsSDF(text string) bool {
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \r\n")
		if n++; line == "$$$$" || n == 4 && (strings.HasSuffix(line, "V2000") || strings.HasSuffix(line, "V3000")) {
			return true
		}
	}
	return false
}

// SDF returns the columns of an SD file, and how its rows are read: the molblock, its title and the properties. The
// properties are those of all records that are in memory. The rows can be ranged over once if not all of the text is in
// memory.
func SDF(t Text) (columns []string, rows func(Text) iter.Seq[Row], err error) {
	columns = []string{MolblockColumn: "molblock", titleColumn: "title"}
	at := map[string]int{} // of properties among the columns
	for r := range sdfRecords(Text{Begin: t.Begin}) {
		for _, p := range r.properties {
			if _, ok := at[p.name]; !ok {
				at[p.name] = len(columns)
				columns = append(columns, p.name)
			}
		}
		if len(columns) > MaxColumns {
			return nil, nil, errors.New("its records have too many different properties")
		}
	}
	width := len(columns)
	return columns, func(t Text) iter.Seq[Row] {
		return func(yield func(Row) bool) {
			for r := range sdfRecords(t) {
				if r.Kind == Data {
					r.Cells = make([]string, width)
					r.Cells[MolblockColumn], r.Cells[titleColumn] = r.block, r.title
				}
				for _, p := range r.properties {
					if i, ok := at[p.name]; ok && r.Kind == Data {
						r.Cells[i] = whitespace.Trim(p.value)
					}
				}
				if !yield(r.Row) {
					return
				}
			}
		}
	}, nil
}

// sdfRecord is a record of an SD file. Lines without a record at the end are empty.
type sdfRecord struct {
	Row
	block, title string
	properties   []property
}

type property struct{ name, value string }

// sdfRecords returns the records of an SD file. $$$$ ends each of them.
func sdfRecords(t Text) iter.Seq[sdfRecord] {
	return func(yield func(sdfRecord) bool) {
		r := sdfRecord{Row: Row{Line: 1}}
		var text strings.Builder
		for line := range t.lines() {
			r.Lines++
			if strings.TrimRight(line, " \r\n") != "$$$$" {
				text.WriteString(line)
				if t.rest != nil && text.Len() > maxRow {
					t.rest.failed = tooLong()
					return
				}
				continue
			}
			r.read(text.String())
			if !yield(r) {
				return
			}
			r = sdfRecord{Row: Row{Line: r.Line + r.Lines}}
			text.Reset()
		}
		if r.Lines > 0 {
			r.read(text.String())
			switch {
			case whitespace.Trim(text.String()) == "":
				r.Kind = Empty
			case len(r.properties) > 0 && strings.HasSuffix(strings.ReplaceAll(text.String(), "\r", ""), "\n\n"): // some programs omit the last $$$$
			case r.Line > 1 || len(r.properties) > 0: // no molblock alone
				r.Problem = "the last record has no end, a line $$$$: the file may be cut off, and the last value with it"
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
