// Package guacamol scores molecules for the goal-directed benchmarks of GuacaMol (Brown, Fiscato, Segler & Vaucher 2019), like
// its Python package, version 0.5.5, and for logP and drug-likeness. The tasks are in tasks.go.
//
// It requires RDKit: see package molecule.
package guacamol

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
)

// Oracle scores SMILES for a Task. Higher is better. It is safe for concurrent use.
type Oracle struct {
	Task Task

	score measure
}

// ErrNoTask says that there is no task of the requested name.
var ErrNoTask = errors.New("no such molecule task")

// New returns the Oracle of the task with the given Name or Title, ignoring case.
//
// The error is molecule.ErrNoRDKit, or wraps ErrNoTask and lists the names of all tasks.
func New(name string) (*Oracle, error) {
	var names []string
	for _, t := range Tasks() {
		names = append(names, t.Name)
		if !strings.EqualFold(name, t.Name) && !strings.EqualFold(name, t.Title) {
			continue
		}
		if err := molecule.Available(); err != nil {
			return nil, err
		}
		score, err := t.score()
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
		return &Oracle{Task: t, score: score}, nil
	}
	return nil, fmt.Errorf("%w: %q; the tasks are %s", ErrNoTask, name, strings.Join(names, ", "))
}

// Score scores SMILES. A SMILES that RDKit rejects has no score, and RDKit's reason; GuacaMol gives it −1.
func (o *Oracle) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	return oracle.Each(1, o.scoreSMILES).Score(ctx, x)
}

func (o *Oracle) scoreSMILES(_ context.Context, smiles string) (oracle.Result, error) {
	m, err := molecule.Parse(smiles)
	if invalid, ok := errors.AsType[*molecule.InvalidError](err); ok {
		return oracle.Result{Score: math.NaN(), Reason: invalid.Reason}, nil
	} else if err != nil {
		return oracle.Result{}, err
	}
	defer m.Close()
	return oracle.Result{Score: o.ScoreMolecule(m)}, nil
}

// ScoreMolecule scores a molecule.
func (o *Oracle) ScoreMolecule(m *molecule.Molecule) float64 { return o.score(m) }
