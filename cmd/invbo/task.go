package main

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/oracle/synthetic"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// task is something that can be searched: its strings, its score and its defaults.
type task struct {
	name     string
	about    string
	score    string // what it is, in words, for figures
	minimize bool
	columns  []string // names of the column with its strings in a CSV file
	flags    []string // those that not every task has

	// Defaults.
	method              string
	init, budget, batch int
	transform           string // of the scores for the surrogate; empty: the profile's

	build func(taskFlags) (parts, error)
	fit   func(f taskFlags, best string, score float64) figure // nil: the best string has no picture
}

// figure is a picture and its numbers.
type figure interface {
	WriteSVG(io.Writer) error
	WriteCSV(io.Writer) error
}

// taskFlags are the flags of single tasks.
type taskFlags struct {
	target  string
	dim     int
	weights string
}

// parts is what a task is made of, once its flags are known.
type parts struct {
	model    vae.Model
	oracle   oracle.Oracle
	generate func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) // distinct strings to start from
}

// better says that score a beats score b.
func (t task) better(a, b float64) bool {
	if t.minimize {
		return a < b
	}
	return a > b
}

// sense says which scores are better, in words.
func (t task) sense() string {
	if t.minimize {
		return "lower is better"
	}
	return "higher is better"
}

// tasks returns all tasks, a row each.
func tasks() []task {
	return []task{
		{
			name: "expression", about: "an arithmetic expression in x that fits a target curve",
			score: "log(1 + mean squared error)", minimize: true,
			columns: []string{"x", "expression", "string"}, flags: []string{"target", "weights"},
			method: "cobo+invbo", init: 100, budget: 500, batch: 5,
			build: buildExpression,
			fit: func(f taskFlags, best string, score float64) figure {
				return report.ExpressionFit{Found: best, Target: f.target, Score: score}
			},
		},
		{
			name: "ackley", about: "the minimum of the Ackley function of many numbers",
			score: "Ackley function", minimize: true,
			columns: []string{"x", "string"}, flags: []string{"dim"},
			method: "turbo+pas", init: 80, budget: 1000, batch: 4, transform: "standardise",
			build: buildAckley,
		},
	}
}

// taskNamed returns the row of tasks with that name.
func taskNamed(name string) (task, error) {
	all := tasks()
	names := make([]string, len(all))
	for i, t := range all {
		if t.name == name {
			return t, nil
		}
		names[i] = t.name
	}
	if name == "" {
		return task{}, usagef("give a task: --task %s; see invbo tasks", names[0])
	}
	return task{}, usagef("there is no task %q%s", name, suggest(name, names))
}

func buildExpression(f taskFlags) (parts, error) {
	o, err := expression.New(f.target)
	if err != nil {
		return parts{}, usagef("--target: %w", err)
	}
	m, err := loadModel(f.weights)
	if err != nil {
		return parts{}, err
	}
	return parts{m, o, func(_ context.Context, rng *rand.Rand, n int) ([]string, error) {
		return cfg.RandomExpressions(rng, n)
	}}, nil
}

func buildAckley(f taskFlags) (parts, error) {
	const maxDim = 10_000
	if f.dim < 1 || f.dim > maxDim {
		return parts{}, usagef("--dim %d: give a number of dimensions from 1 to %d", f.dim, maxDim)
	}
	upper := slices.Repeat([]float64{synthetic.AckleyBound}, f.dim)
	lower := slices.Repeat([]float64{-synthetic.AckleyBound}, f.dim)
	m, err := vae.NewIdentity(lower, upper)
	if err != nil {
		return parts{}, &usageError{err}
	}
	return parts{m, synthetic.Ackley{Dim: f.dim}, func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
		cube := make([][]float64, n)
		for i := range cube {
			cube[i] = make([]float64, f.dim)
			for j := range cube[i] {
				cube[i][j] = rng.Float64()
			}
		}
		return m.Decode(ctx, cube)
	}}, nil
}

// loadModel reads a Grammar VAE; an empty name stands for the built-in model of expressions.
func loadModel(name string) (*grammar.Model, error) {
	if name == "" {
		return grammar.Expression()
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("%w; `invbo train` makes such a file", err)
	}
	defer f.Close()
	m, err := grammar.Load(f)
	if err != nil {
		return nil, usagef("%s: %w", name, err)
	}
	return m, nil
}
