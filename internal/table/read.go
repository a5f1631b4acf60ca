package table

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// Rows is an open file, whose format and header are known.
type Rows struct{ grid *grid }

// Open reads a file into memory. Options that name columns help to find its header.
func Open(r io.Reader, o Options) (*Rows, error) {
	g, err := open(r, rawfile.Open, o)
	if err != nil {
		return nil, err
	}
	return &Rows{g}, nil
}

// Find returns the first of some names of columns that the header has, as it is spelled there: as given, else in
// another case, else folded.
func (r *Rows) Find(names ...string) (column string, ok bool) {
	names = stats.Map(names, plainName)
	for _, same := range []func(a, b string) bool{
		func(a, b string) bool { return a == b }, strings.EqualFold,
		func(a, b string) bool { return quantity.Fold(a) != "" && quantity.Fold(a) == quantity.Fold(b) },
	} {
		for _, name := range names {
			if i := r.grid.one(func(i int) bool { return r.grid.header[i] != "" && same(r.grid.header[i], name) }); i >= 0 {
				return r.grid.header[i], true
			}
		}
	}
	return "", false
}

// Format is what the file is.
func (r *Rows) Format() Format { return r.grid.format }

// Mutants reports whether a column that Find found holds mutants such as K2R.
func (r *Rows) Mutants(column string) bool {
	i := slices.Index(r.grid.header, column)
	return i >= 0 && r.grid.share(i, mutation.Is) > 0.5
}

// LikelyScore names the first column of numbers that is called nothing else than a score; "" if there is none.
func (r *Rows) LikelyScore() string {
	g := r.grid
	return field(g.header, g.one(func(i int) bool {
		return g.header[i] != "" && g.use(i) == measured && g.rank(inputNames, i) < 0 && g.rank(idNames, i) < 0 && g.share(i, numeral.IsValue) > 0.5
	}))
}

// Scan calls take with the strings of a file, row by row, until it returns false. The file may be large: its format and
// columns are found from its beginning, and it is read block by block. Scores are not read, and Normalize only helps to
// find the column of the strings: each Record's Input is its Text, or the SMILES of a SELFIES.
func Scan(ctx context.Context, r io.Reader, o Options, take func(Record) bool) error {
	rows, err := stringsOf(r, o)
	if err != nil {
		return err
	}
	return rows.each(ctx, func(some []Record) bool {
		return !slices.ContainsFunc(some, func(r Record) bool { return !take(r) })
	})
}

// stringsOf returns a reader of the strings of a file that may be large.
func stringsOf(r io.Reader, o Options) (rows reader, _ error) {
	g, err := open(r, rawfile.OpenLarge, o)
	if err != nil {
		return rows, err
	}
	o.Score, o.SE, o.SD, o.Others = []string{NoScores}, "", "", nil
	c, err := g.choose(o)
	if err != nil {
		return rows, usage.Wrap(err)
	}
	o.Normalize = nil
	return reader{g: g, c: c, o: o}, nil
}

// AreMolecules reports whether the strings of a table are meant to be molecules: by the name of their column, or as
// most of its first cells are SMILES. In a build without RDKit nothing is a molecule.
func AreMolecules(r io.Reader, o Options) (bool, error) {
	o.Molecules = true               // if they are none, that shows
	if molecule.Available() == nil { // which helps to tell SMILES from their names
		o.Normalize = func(text string) (string, string, error) {
			smiles, err := molecule.Canonical(text)
			if err != nil { // a CXSMILES
				var r molecule.Reading
				r, err = molecule.Read(text)
				smiles = r.SMILES
			}
			return smiles, "", err
		}
	}
	g, err := open(r, rawfile.OpenLarge, o)
	if err != nil || molecule.Available() != nil {
		return false, err
	}
	input, err := g.named(RoleInput, o.Input, "")
	if err != nil {
		return false, usage.Wrap(err)
	}
	columns := g.namedInputs()
	switch {
	case input >= 0:
		columns = []int{input}
	case g.blocks:
		return true, nil
	case len(columns) == 0:
		columns = g.where(func(int) bool { return true })
	}
	return slices.ContainsFunc(columns, func(i int) bool {
		return g.heading(i).HasAny([]string{"smiles", "cxsmiles", "smi", "smile", "selfies", "selfie"}) || g.share(i, o.accepts) > 0.5
	}), nil
}

// each calls take with the records of the rows, in the order of the file, until it returns false. They are made on all
// processors.
func (r reader) each(ctx context.Context, take func([]Record) bool) error {
	const most = 4096 // rows at a time
	g := r.g
	g.lines = map[rawfile.Kind]int{}
	var rows []rawfile.Row
	flush := func() (more bool, err error) {
		records := make([]Record, len(rows))
		err = parallel.ForContext(ctx, len(rows), 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				records[i] = r.record(rows[i])
				records[i].normalize(r.o.Normalize)
			}
		})
		rows = rows[:0]
		if err != nil {
			return false, err
		}
		return take(records), nil
	}
	for row := range g.rows(g.text) {
		if g.lines[row.Kind] += row.Lines; row.Kind != rawfile.Data {
			continue
		}
		row.Cells = slices.Clone(row.Cells) // valid until the next row
		if rows = append(rows, row); len(rows) < most {
			continue
		}
		if more, err := flush(); !more {
			return err
		}
	}
	if err := g.text.Err(); err != nil {
		return usage.Wrap(err)
	}
	_, err := flush()
	return err
}

// Of returns a table of texts, one on each line.
func Of(texts []string, o Options) *Table {
	t := &Table{Records: make([]Record, len(texts)), Lines: len(texts)}
	for i, text := range texts {
		t.Records[i] = Record{Line: i + 1, Lines: 1, Text: text, Input: whitespace.Trim(text), Score: math.NaN(), State: Missing}
		t.Records[i].normalize(o.Normalize)
	}
	return t
}

// Numbers reads columns of numbers, a slice for each row.
func Numbers(r io.Reader, columns []string) ([][]float64, error) {
	rows, err := Open(r, Options{NoComments: true})
	if err != nil {
		return nil, err
	}
	g := rows.grid
	at := make([]int, len(columns))
	for k, name := range columns {
		if at[k] = slices.Index(g.header, plainName(name)); at[k] < 0 {
			return nil, usage.Errorf("no column is named %s%s", name, suggest(name, g.header))
		}
	}
	s := g.style(at...)
	var all [][]float64
	for r := range g.rows(g.text) {
		if r.Kind != rawfile.Data {
			continue
		}
		values := make([]float64, len(at))
		for k, i := range at {
			cell := field(r.Cells, i)
			if values[k], err = strconv.ParseFloat(cell, 64); err == nil {
				continue
			}
			n, ok := numeral.ParseNumber(cell)
			if !ok {
				err = numeral.Explain(cell)
			} else {
				values[k], err = n.Value(s)
			}
			if err != nil {
				return nil, usage.Errorf("line %d: %s %w", r.Line, columns[k], err)
			}
		}
		all = append(all, values)
	}
	return all, nil
}

// ReadText returns the content of a text file in UTF-8, as Read takes it, whatever its format.
func ReadText(r io.Reader) (string, error) {
	f, err := rawfile.Open(r, "")
	switch {
	case err != nil:
		return "", usage.Wrap(err)
	case f.Workbook:
		return "", usage.Wrap(errors.New("it is a zip file, and no text"))
	}
	return f.Text.Begin, nil
}
