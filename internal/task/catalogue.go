package task

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule/library"
)

// catalogue is a library of molecules: to start from, to cross with and to screen. It may be long, so that a molecule is not
// parsed before it is drawn.
type catalogue struct {
	source    string
	smiles    []string
	lines     []int32 // of the file that they are from; nil: they are canonical, and molecules all
	normalize func(text string) (input, note string, err error)
	bad       []table.Record // rows without a string, which say why
}

// readCatalogue reads a file of molecules, or returns the built-in library if it is not given.
func readCatalogue(ctx context.Context, f File) (*catalogue, error) {
	if f.Path == "" {
		all, err := library.SMILES()
		return &catalogue{source: "the built-in library", smiles: all}, err
	}
	o, err := Molecules(false).normalize()
	if err != nil {
		return nil, usage.Wrap(err)
	}
	r, err := f.Open()
	if err != nil {
		return nil, usage.Errorf("--library: %w", err)
	}
	defer r.Close()
	c := &catalogue{source: f.Source(), normalize: o.Normalize}
	err = table.Scan(ctx, r, o, func(r table.Record) bool {
		if r.State == table.Invalid { // clones keep no row in memory
			c.bad = append(c.bad, table.Record{Line: r.Line, State: r.State, Note: strings.Clone(r.Note)})
		} else {
			c.smiles, c.lines = append(c.smiles, strings.Clone(r.Input)), append(c.lines, int32(r.Line))
		}
		return len(c.bad) < checked || len(c.bad) < len(c.smiles) // otherwise check will refuse it
	})
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err == nil && len(c.smiles)+len(c.bad) == 0 {
		err = errors.New("it contains no molecules")
	}
	if err != nil {
		return nil, usage.Errorf("--library %s: %w", c.source, err)
	}
	return c, nil
}

// checked is how many molecules of a catalogue are parsed before a run.
const checked = 10_000

// check says how many rows are no molecules, of all or, if there are many, of some throughout the file. It is an error if most are
// none.
func (c *catalogue) check(ctx context.Context) (note string, _ error) {
	if c.lines == nil {
		return "", nil
	}
	at := draw(len(c.smiles), checked, rand.New(rand.NewPCG(0, 0)))
	slices.Sort(at)
	looked := &table.Table{Records: make([]table.Record, len(at))}
	errs := make([]error, len(at))
	parallel.For(len(at), 16, func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			looked.Records[i] = table.Record{Line: int(c.lines[at[i]]), Text: c.smiles[at[i]]}
			_, _, errs[i] = c.normalize(c.smiles[at[i]])
		}
	})
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	for i, err := range errs {
		if err != nil {
			looked.Refuse(i, err)
		}
	}
	looked.Records = append(looked.Records, c.bad...)
	slices.SortFunc(looked.Records, func(a, b table.Record) int { return a.Line - b.Line })
	if err := looked.MostlyUsable(); err != nil {
		return "", usage.Errorf("--library %s: %w", c.source, err)
	}
	if note = looked.LeftOut(); note == "" {
		return "", nil
	}
	if len(at) < len(c.smiles) {
		note += fmt.Sprintf("; of %d molecules %d were looked at", len(c.smiles), len(at))
	}
	return c.source + ": " + note, nil
}

// canonical returns the canonical SMILES of molecules, "" for those that are none.
func (c *catalogue) canonical(at []int) []string {
	all := make([]string, len(at))
	parallel.For(len(at), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if all[i] = c.smiles[at[i]]; c.lines != nil {
				all[i], _, _ = c.normalize(all[i]) // "" with an error
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
