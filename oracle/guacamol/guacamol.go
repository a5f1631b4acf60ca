// Package guacamol scores molecules for the goal-directed benchmarks of GuacaMol (Brown, Fiscato, Segler & Vaucher
// 2019), like its Python package, version 0.5.5, and for logP, drug-likeness and synthetic accessibility. The tasks are
// in tasks.go.
//
// It requires RDKit: see package molecule.
package guacamol

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
)

// Oracle scores SMILES for a Task. Higher is better, unless the Task says otherwise. It is safe for concurrent use.
type Oracle struct {
	Task Task

	score measure
	parts []measure // which the score is the geometric mean of, and which are reported, too; nil: none are
}

// New returns the Oracle of the task with the given Name or Title, ignoring case.
//
// The error is molecule.ErrNoRDKit, or lists the names of all tasks.
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
		if t.parts == nil {
			return &Oracle{Task: t, score: t.score()}, nil
		}
		return &Oracle{Task: t, score: geometric(t.parts()...)}, nil
	}
	return nil, fmt.Errorf("no such molecule task: %q; the tasks are %s", name, strings.Join(names, ", "))
}

// WithComponents returns o, which reports the Components of its task beside the score.
func (o *Oracle) WithComponents() *Oracle {
	if o.Task.parts == nil {
		return o
	}
	return &Oracle{Task: o.Task, score: o.score, parts: o.Task.parts()}
}

// Score scores SMILES. A SMILES that RDKit rejects has no score, and RDKit's reason; GuacaMol gives it −1.
func (o *Oracle) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	return oracle.Func(o.scoreSMILES).Score(ctx, x)
}

func (o *Oracle) scoreSMILES(smiles string) oracle.Result {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return oracle.Result{Score: math.NaN(), Reason: err.Error()}
	}
	defer m.Close()
	if o.parts == nil {
		return oracle.Result{Score: o.score(m)}
	}
	x, others := make([]float64, len(o.parts)), map[string]float64{}
	for i, part := range o.parts {
		x[i] = part(m)
		others[o.Task.Components[i]] = x[i]
	}
	return oracle.Result{Score: geometricMean(x), Others: others}
}
