package task

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/study"
)

// mutationCount is the name of the number of mutations of a variant of a wild type.
const mutationCount = "mutations"

// SetComputed has the program compute the objectives that it can and that no column of the data holds: properties of
// molecules, and the number of mutations of variants of a wild type. The note, which may be empty, says which columns
// do. Without an oracle or a laboratory that measures, the program computes them all the same.
func (o *Options) SetComputed(t Task, data ...File) (note string, _ error) {
	o.Computed = nil
	computes := func(name string) (bool, error) { return name == mutationCount, nil }
	notation := AnyStrings()
	if t.Is(KindMolecules) {
		notation = Molecules(table.Strip{KeepSalts: true, KeepCharges: true})
		computes = func(name string) (bool, error) {
			p, err := molecules.PropertyNamed(name)
			return p != nil, err
		}
	}
	if !t.Is(KindOwn) && !t.Is(LandscapeTask) {
		return "", nil
	}
	var notes []string
	measures := o.Measured || o.External != (External{})
	for _, objective := range o.Objectives {
		if known, err := computes(objective.Name); err != nil {
			return "", option.Errorf("%s: %w", option.Name("objective"), err)
		} else if !known {
			continue
		}
		column := ""
		for _, f := range data {
			if !f.Given() {
				continue
			}
			opened, err := notation.Open(f, table.Options{Score: []string{table.NoScores}, WildType: o.WildType, Offset: o.Offset}, nil)
			if err != nil {
				return "", err
			}
			if found, ok := opened.Find(objective.Name); ok && column == "" && !opened.Mutants(found) { // which are counted
				column = fmt.Sprintf("the column %s of %s", found, f.Source())
			}
		}
		counted := t.Is(KindMolecules) || o.WildType != ""
		switch {
		case column == "" && !counted && o.Measured: // an oracle may know them
			return "", option.Errorf("%s: %s are counted from a wild type: give %s, or a column of that name", option.Name("objective"), objective.Name, option.Name("wild-type"))
		case !counted:
		case column == "":
			o.Computed = append(o.Computed, objective.Name)
		case measures:
			notes = append(notes, fmt.Sprintf("%s holds the objective %s, which the program does not compute then", column, objective.Name))
		default:
			o.Computed = append(o.Computed, objective.Name)
			notes = append(notes, fmt.Sprintf("%s is not read: the program computes the objective %s", column, objective.Name))
		}
	}
	if o.Measured && o.calculates() {
		return "", option.Errorf("%s: the program computes all objectives, and there is nothing to measure; take invbo run", option.Name("objective"))
	}
	if o.calculates() && o.External != (External{}) && len(o.Constraints) == 0 {
		return "", option.Errorf("%s: the program computes all objectives, and has nothing to ask an oracle for; leave out %s and what belongs to it", option.Name("objective"), option.Name("oracle-cmd"))
	}
	return strings.Join(notes, "\n"), nil
}

// SetPoolBounds makes constraints on columns of the pool that no data hold, such as prices, bounds of what is proposed:
// nothing measures them.
func (o *Options) SetPoolBounds(t Task, data ...File) error {
	o.PoolBounds = nil
	if !o.Pool.Given() || len(o.Constraints) == 0 {
		return nil
	}
	notation := AnyStrings()
	if t.Is(KindMolecules) {
		notation = Molecules(table.Strip{KeepSalts: true, KeepCharges: true})
	}
	open := func(f File) (*Opened, error) {
		return notation.Open(f, table.Options{Score: []string{table.NoScores}, WildType: o.WildType, Offset: o.Offset}, nil)
	}
	pool, err := open(o.Pool)
	if err != nil {
		return option.Errorf("%s: %w", option.Name("pool"), err)
	}
	var held []*Opened
	for _, f := range data {
		if !f.Given() {
			continue
		}
		opened, err := open(f)
		if err != nil {
			return err
		}
		held = append(held, opened)
	}
	var measured []study.Constraint
	for _, c := range o.Constraints {
		_, inPool := pool.Find(c.Outcome)
		if inPool && !slices.ContainsFunc(held, func(f *Opened) bool { _, ok := f.Find(c.Outcome); return ok }) {
			o.PoolBounds = append(o.PoolBounds, c)
		} else {
			measured = append(measured, c)
		}
	}
	o.Constraints = measured
	return nil
}

// calculates reports whether the program computes all objectives.
func (o Options) calculates() bool {
	return len(o.Objectives) > 0 && len(o.Computed) == len(o.Objectives)
}

// properties returns the properties that are Computed.
func (o Options) properties() ([]molecules.Property, error) {
	properties := make([]molecules.Property, len(o.Computed))
	for i, name := range o.Computed {
		p, err := molecules.PropertyNamed(name)
		if err == nil && p == nil {
			err = usage.Errorf("this version computes no property %s", name)
		}
		if err != nil {
			return nil, option.Errorf("%s: %w", option.Name("objective"), err)
		}
		properties[i] = p
	}
	return properties, nil
}

// compute returns a function that computes the Computed objectives of an input.
func (o Options) compute() (func(x string) (map[string]float64, error), error) {
	if o.WildType != "" {
		mutations := o.counter()
		return func(x string) (map[string]float64, error) {
			return map[string]float64{mutationCount: mutations(x)}, nil
		}, nil
	}
	properties, err := o.properties()
	return func(smiles string) (map[string]float64, error) {
		values := map[string]float64{}
		err := molecule.Look(smiles, func(m *molecule.Molecule) {
			for i, property := range properties {
				values[o.Computed[i]] = property(m)
			}
		})
		return values, err
	}, err
}

var residue = regexp.MustCompile(`[(\[][^)\]]*[)\]]|.`)

// residues splits a sequence into its characters and groups in brackets.
func residues(x string) []string {
	if !strings.ContainsAny(x, "([") {
		return strings.Split(x, "")
	}
	return residue.FindAllString(x, -1)
}

// counter returns a function that counts the positions at which a sequence differs from the wild type; those that one
// of them lacks differ. A residue of several letters is one position: a token of the alphabet, or without one a group
// in brackets.
func (o Options) counter() func(x string) float64 {
	split := residues
	if o.Alphabet != "" {
		if a, err := readAlphabet(o.Alphabet); err == nil {
			split = func(x string) []string {
				tokens, err := a.Tokens(x)
				if err != nil { // not of the space
					return residues(x)
				}
				return tokens
			}
		}
	}
	wild := split(o.WildType)
	return func(x string) float64 {
		tokens := split(x)
		n := max(len(tokens), len(wild))
		for i := range min(len(tokens), len(wild)) {
			if tokens[i] == wild[i] {
				n--
			}
		}
		return float64(n)
	}
}

// know has a space of variants know the number of their mutations, if that is an objective.
func (o Options) know(s *Space) {
	read := s.Read
	if len(o.Computed) == 0 || read == nil {
		return
	}
	mutations := o.counter()
	s.Knows = o.Computed
	s.Read = func(x string) (evolve.Description, error) {
		d, err := read(x)
		d.Known = []float64{mutations(x)}
		return d, err
	}
}

// first returns an oracle of the first objective, where all are computed.
func (o Options) first() (oracle.Oracle, error) {
	compute, err := o.compute()
	return oracle.Func(func(x string) oracle.Result {
		values, err := compute(x)
		if err != nil {
			return oracle.Result{Score: math.NaN(), Reason: err.Error()}
		}
		return oracle.Result{Score: values[o.Objectives[0].Name]}
	}), err
}

// withoutComputed is an oracle that must not report what the program computes: nobody could tell which of the two
// values is meant. What it reports so is left out, and the next call is an error, so that no answer is lost.
type withoutComputed struct {
	oracle.Oracle
	computed []string
	reported atomic.Pointer[string] // one of these; nil: none was
}

func (u *withoutComputed) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	if name := u.reported.Load(); name != nil {
		return nil, oracle.Permanent(option.Errorf("the oracle reports %s, and the program computes the objective of this name; have the oracle report it under another one", *name))
	}
	results, err := u.Oracle.Score(ctx, x)
	for _, r := range results {
		for _, name := range u.computed {
			if _, ok := r.Others[name]; ok {
				delete(r.Others, name)
				u.reported.Store(&name)
			}
		}
	}
	return results, err
}
