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
	"github.com/invbo/invbo/molecule/library"
)

// catalogue is a library of molecules: to start from, to cross with and to screen. It may be long, so that a molecule is not
// read before it is drawn.
type catalogue struct {
	source string
	smiles []string
	lines  []int32 // of the file that they are from; nil: they are canonical, and molecules all
}

// readCatalogue reads a file of molecules, or returns the built-in library if it is not given.
func readCatalogue(f File) (*catalogue, error) {
	if f.Path == "" {
		all, err := library.SMILES()
		return &catalogue{source: "the built-in library", smiles: all}, err
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
	at := draw(len(c.smiles), checked, rand.New(rand.NewPCG(0, 0)))
	slices.Sort(at)
	bad, first := 0, -1
	for i, smiles := range c.canonical(at) {
		if smiles != "" {
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

// canonical returns the canonical SMILES of molecules, "" for those that are none.
func (c *catalogue) canonical(at []int) []string {
	all := make([]string, len(at))
	parallel.For(len(at), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if all[i] = c.smiles[at[i]]; c.lines != nil {
				all[i], _ = molecule.Canonical(all[i]) // "" with an error
			}
		}
	})
	return all
}

// sample returns at most n molecules, drawn at random, as canonical SMILES.
func (c *catalogue) sample(n int, rng *rand.Rand) []string {
	all := c.canonical(draw(len(c.smiles), n, rng))
	return slices.DeleteFunc(all, func(smiles string) bool { return smiles == "" })
}

// design returns n different molecules, drawn at random. They are good ones as long as a few thousand draws give enough of these.
func (c *catalogue) design(n int, rng *rand.Rand, good func(smiles string) (bool, error)) ([]string, error) {
	var found, others []string
	seen := map[string]bool{}
	drawn := draw(len(c.smiles), max(20*n, 2_000), rng)
	for part := range slices.Chunk(drawn, n) {
		all := c.canonical(part)
		ok := make([]bool, len(all))
		parallel.For(len(all), 4, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				ok[i], _ = good(all[i]) // not if it is no molecule
			}
		})
		for i, smiles := range all {
			switch {
			case smiles == "" || seen[smiles]:
			case ok[i]:
				found = append(found, smiles)
			default:
				others = append(others, smiles)
			}
			seen[smiles] = true
		}
		if len(found) >= n {
			return found[:n], nil
		}
	}
	all := append(found, others...)
	if len(all) < n {
		return nil, usage.Errorf("%s has only %d different molecules; take fewer, or give a file", c.source, len(all))
	}
	return all[:n], nil
}

// draw returns n different numbers below size in random order, or all if there are no more.
func draw(size, n int, rng *rand.Rand) []int {
	if n >= size {
		return rng.Perm(size)
	}
	drawn := make([]int, 0, n)
	seen := make(map[int]bool, n)
	for len(drawn) < n {
		if i := rng.IntN(size); !seen[i] {
			seen[i] = true
			drawn = append(drawn, i)
		}
	}
	return drawn
}
