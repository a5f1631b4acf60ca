package task

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/molecules"
)

// SetComputed has the program compute the objectives of molecules that it can, and that no column of the data holds. The note, which may be
// empty, says which columns do. Without an oracle or a laboratory that measures, the program computes them all the same.
func (o *Options) SetComputed(t Task, data ...File) (note string, _ error) {
	o.Computed = nil
	if !t.external || !t.Is(KindMolecules) {
		return "", nil
	}
	var notes []string
	measures := o.Measured || o.External != (External{})
	for _, objective := range o.Objectives {
		property, err := molecules.PropertyNamed(objective.Name)
		if err != nil {
			return "", option.Errorf("%s: %w", option.Name("objective"), err)
		}
		if property == nil {
			continue
		}
		column := ""
		for _, f := range data {
			if !f.Given() {
				continue
			}
			opened, err := Molecules(true).Open(f, table.Options{Score: []string{table.NoScores}}, nil)
			if err != nil {
				return "", err
			}
			if found, ok := opened.Find(objective.Name); ok && column == "" {
				column = fmt.Sprintf("the column %s of %s", found, f.Source())
			}
		}
		switch {
		case column == "":
			o.Computed = append(o.Computed, objective.Name)
		case measures:
			notes = append(notes, fmt.Sprintf("%s holds the objective %s, which the program does not compute then", column, objective))
		default:
			o.Computed = append(o.Computed, objective.Name)
			notes = append(notes, fmt.Sprintf("%s is not read: the program computes the objective %s", column, objective))
		}
	}
	if o.Measured && o.calculates() {
		return "", option.Errorf("%s: the program computes all objectives, and there is nothing to measure; take invbo run", option.Name("objective"))
	}
	return strings.Join(notes, "\n"), nil
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

// first is an oracle of the first objective, where all are computed.
func (o Options) first(smiles string) oracle.Result {
	properties, err := o.properties()
	if err != nil {
		return oracle.Result{Score: math.NaN(), Reason: err.Error()}
	}
	r := oracle.Result{}
	if err := read(smiles, func(m *molecule.Molecule) { r.Score = properties[0](m) }); err != nil {
		return oracle.Result{Score: math.NaN(), Reason: err.Error()}
	}
	return r
}

// unlike is an oracle that must not report what the program computes: nobody could tell which of the two values is meant.
type unlike struct {
	oracle.Oracle
	computed []string
}

func (u unlike) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	results, err := u.Oracle.Score(ctx, x)
	for _, r := range results {
		for name := range r.Others {
			if slices.Contains(u.computed, name) {
				return nil, oracle.Permanent(option.Errorf("the oracle reports %s, and the program computes the objective of this name; have the oracle report it under another one", name))
			}
		}
	}
	return results, err
}
