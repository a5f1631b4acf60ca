package task

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// catalogue is a library of molecules: to start from, to cross with and to screen.
type catalogue struct {
	source string
	pool   *molecules.Pool
	smiles []string // of the pool, if they are from a file
	lines  []int32  // of the file
}

// readCatalogue reads a file of molecules, or returns the built-in library if it is not given.
func readCatalogue(f File) (*catalogue, error) {
	if f.Path == "" {
		pool, err := molecules.BuiltIn()
		return &catalogue{source: "the built-in library", pool: pool}, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, usage.Errorf("--library: %w", err)
	}
	defer r.Close()
	c := &catalogue{source: f.Source()}
	if err = c.read(r, f.IsTable()); err == nil && len(c.smiles) == 0 {
		err = errors.New("it contains no molecules")
	}
	if err != nil {
		return nil, usage.Errorf("--library %s: %w", c.source, err)
	}
	c.pool = molecules.NewPool(c.smiles)
	return c, nil
}

// read reads SMILES, one per line, or a table.
func (c *catalogue) read(r io.Reader, isTable bool) error {
	text, err := plain(r)
	if err != nil {
		return err
	}
	if isTable {
		return c.readTable(text)
	}
	return eachLine(text, Molecules(), c.add)
}

// readTable reads the column of SMILES row by row. Malformed rows are left to be refused as molecules. A quote that is not closed
// spoils its own line only.
func (c *catalogue) readTable(r *bufio.Reader) error {
	comma := delimiter(r)
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	table := func(text []byte, lazy bool) *csv.Reader {
		rows := csv.NewReader(bytes.NewReader(text))
		rows.Comma = comma
		rows.ReuseRecord, rows.LazyQuotes, rows.FieldsPerRecord = true, lazy, -1
		return rows
	}
	rows := table(text, true)
	header, err := rows.Read()
	if err == io.EOF {
		return nil // readCatalogue says that it is empty
	}
	if err != nil {
		return err
	}
	columns := Molecules().plain.columns
	at := find(header, columns)
	if at < 0 {
		return fmt.Errorf("no column is named %s; it has %s: rename the one with the molecules", columns[0], list(header))
	}
	add := func(row []string, line int) {
		smiles := ""
		if at < len(row) {
			smiles = strings.TrimSpace(row[at])
		}
		c.add(smiles, line)
	}
	for {
		from := rows.InputOffset()
		row, err := rows.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := rows.FieldPos(0)
		whole := bytes.Trim(text[from:rows.InputOffset()], "\r\n")
		if !bytes.Contains(whole, []byte("\n")) {
			add(row, line)
			continue
		}
		if row, err := table(whole, false).Read(); err == nil {
			add(row, line)
			continue
		}
		for part := range bytes.Lines(whole) { // each by itself
			if row, err := table(part, true).Read(); err != io.EOF { // a blank line
				add(row, line)
			}
			line++
		}
	}
}

func (c *catalogue) add(text string, line int) {
	c.smiles, c.lines = append(c.smiles, strings.Clone(text)), append(c.lines, int32(line)) // a clone keeps no row in memory
}

// checked is how many lines of a catalogue are looked at before a run.
const checked = 10_000

// check says how many lines are no molecules, of all or, if there are many, of some throughout the file. If none is a molecule
// that is an error.
func (c *catalogue) check() (note string, _ error) {
	if c.lines == nil {
		return "", nil
	}
	at := rand.New(rand.NewPCG(0, 0)).Perm(len(c.smiles))
	at = at[:min(len(at), checked)]
	slices.Sort(at)
	good := make([]bool, len(at))
	parallel.For(len(at), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_, err := molecule.Canonical(c.smiles[at[i]])
			good[i] = err == nil
		}
	})
	bad, first := 0, -1
	for i, ok := range good {
		if ok {
			continue
		}
		if bad++; first < 0 {
			first = at[i]
		}
	}
	if bad == 0 {
		return "", nil
	}
	_, err := Molecules().plain.parse(c.smiles[first])
	which := fmt.Sprintf("%d lines are", bad)
	if len(at) < len(c.smiles) {
		which = fmt.Sprintf("of %d lines looked at %d are", len(at), bad)
	}
	if bad == len(at) {
		none := "no line holds"
		if len(at) < len(c.smiles) {
			none = fmt.Sprintf("of %d lines looked at none holds", len(at))
		}
		return "", usage.Errorf("--library %s: %s a molecule; the first is line %d: %w", c.source, none, c.lines[first], err)
	}
	return fmt.Sprintf("%s: %s no molecules and left out; the first is line %d: %v", c.source, which, c.lines[first], err), nil
}
