package task

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/space/molecules"
)

// catalogue is a library of molecules: to start from, to cross with and to screen.
type catalogue struct {
	source string
	pool   *molecules.Pool
	note   string // on rows that are no molecules, for people; may be empty

	// Of a file:
	smiles    []string
	lines     []int32
	normalize func(text string) (input, note string, err error)
	bad       []table.Record // the first rows without a string, which say why
	lacking   int            // all of them
}

// readCatalogue reads a file of molecules, or returns the built-in library if it is not given.
func readCatalogue(ctx context.Context, f File) (*catalogue, error) {
	if f.Path == "" {
		return &catalogue{source: "the built-in library", pool: molecules.BuiltIn()}, nil
	}
	var o table.Options
	if err := Molecules(table.Strip{}).set(&o, nil); err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, option.Errorf("%s: %w", option.Name("library"), err)
	}
	defer r.Close()
	c := &catalogue{source: f.Source(), normalize: o.Normalize}
	err = table.Scan(ctx, r, o, func(r table.Record) bool {
		if r.State != table.Invalid { // clones keep no row in memory
			c.smiles, c.lines = append(c.smiles, strings.Clone(r.Input)), append(c.lines, int32(r.Line))
			return true
		}
		if c.lacking++; c.lacking <= checked+1 { // more than are looked at of the others
			reason := table.Reason{Code: r.Reason.Code, Text: strings.Clone(r.Reason.Text)}
			c.bad = append(c.bad, table.Record{Line: r.Line, Lines: 1, State: r.State, Reason: reason})
		}
		return true
	})
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err == nil && len(c.smiles)+c.lacking == 0 {
		err = errors.New("it contains no molecules")
	}
	if err != nil {
		return nil, option.Errorf("%s: %w", option.Setting{Name: "library", Value: c.source}, err)
	}
	c.pool = molecules.NewPool(c.smiles, func(smiles string) (string, error) {
		canonical, _, err := c.normalize(smiles)
		return canonical, err
	})
	return c, c.check(ctx)
}

// checked is how many molecules of a catalogue are parsed before a run.
const checked = 10_000

// check notes how many rows are no molecules, of all or, if there are many, of some throughout the file. It is an error
// if most are none.
func (c *catalogue) check(ctx context.Context) error {
	at := rand.New(rand.NewPCG(0, 0)).Perm(len(c.smiles))
	at = at[:min(len(at), checked)]
	slices.Sort(at)
	looked := &table.Table{Records: make([]table.Record, len(at))}
	errs := make([]error, len(at))
	err := parallel.ForContext(ctx, len(at), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			looked.Records[i] = table.Record{Line: int(c.lines[at[i]]), Lines: 1, Text: c.smiles[at[i]]}
			_, _, errs[i] = c.normalize(c.smiles[at[i]])
		}
	})
	if err != nil {
		return err
	}
	for i, err := range errs {
		if err != nil {
			looked.Refuse(i, err)
		}
	}
	bad := c.bad
	if len(at) < len(c.smiles) { // as small a share of them
		bad = bad[:min(len(bad), (c.lacking*len(at)+len(c.smiles)-1)/len(c.smiles))]
	}
	looked.Records = append(looked.Records, bad...)
	slices.SortFunc(looked.Records, func(a, b table.Record) int { return a.Line - b.Line })
	if err := looked.MostlyUsable(); err != nil {
		return option.Errorf("%s: %w", option.Setting{Name: "library", Value: c.source}, err)
	}
	if note := looked.LeftOut(); note != "" {
		c.note = c.source + ": " + note
		if len(at) < len(c.smiles) {
			c.note += fmt.Sprintf("; %d of %d were looked at", len(looked.Records), len(c.smiles)+c.lacking)
		}
	}
	return nil
}
