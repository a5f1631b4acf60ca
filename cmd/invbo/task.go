package main

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/oracle/synthetic"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// task is something that can be searched: its strings, its score and its defaults.
type task struct {
	defaults
	group    string // that it is listed in, whose tasks have the same defaults
	name     string
	also     string // another name that it goes by; may be empty
	about    string
	score    string // what it is, in words, for figures
	minimize bool
	scores   []string     // names of the columns of a CSV file that may hold its score, by preference
	flags    []string     // those that not every task has
	model    string       // built-in, in whose place --weights names another; empty: it has none
	needs    func() error // why it cannot be run in this build; nil: it always can

	oracle func(context.Context, taskFlags) (oracle.Oracle, error) // of molecules; nil for others
	build  func(context.Context, task, taskFlags) (parts, error)
	listed int                                                          // how many of the best are printed
	draw   func(f taskFlags, r result) (name string, _ figure, _ error) // of what was found; nil: it has no picture
}

// defaults are what a task takes for flags that are not given.
type defaults struct {
	method                   string
	init, budget, batch, top int
	transform                string      // of the scores for the surrogate; empty: the profile's
	updateRate               float64     // of the VAE; 0: as published
	region                   regionFlags // 0: as published
}

// figure is a picture and its numbers.
type figure interface {
	WriteSVG(io.Writer) error
	WriteCSV(io.Writer) error
}

// taskFlags are the flags of single tasks.
type taskFlags struct {
	target    string
	dim       int
	weights   string
	plausible bool
	docking   dockingFlags
}

// parts is what a task is made of, once its flags are known.
type parts struct {
	notation
	model     vae.Model
	oracle    oracle.Oracle
	generate  func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) // distinct strings to start from
	plausible func(input string) (bool, error)                                   // it looks like what is known; nil: nobody can say
	feasible  func(input string) (bool, error)                                   // what --plausible asks for; nil where there is no such flag
	features  func(x string) (gp.Counts, error)                                  // for a surrogate on structure; nil: runs of tokens
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
	return append(moleculeTasks(),
		task{
			name: "expression", about: "an arithmetic expression in x that fits a target curve",
			score: "log(1 + mean squared error)", minimize: true,
			scores: []string{"score", "expression"}, flags: []string{"target", "weights"}, model: "expressions",
			defaults: defaults{method: "cobo+invbo", init: 100, budget: 500, batch: 5, top: 10},
			group:    "Expressions",
			build:    buildExpression, listed: 1,
			draw: func(f taskFlags, r result) (string, figure, error) {
				return "fit", report.ExpressionFit{Found: r.Best, Target: f.target, Score: *r.BestScore}, nil
			},
		},
		task{
			name: "ackley", about: "the minimum of the Ackley function of many numbers",
			score: "Ackley function", minimize: true,
			scores: []string{"score", "ackley"}, flags: []string{"dim"},
			defaults: defaults{method: "turbo+pas", init: 80, budget: 1000, batch: 4, top: 10, transform: "standardise"},
			group:    "Numbers",
			build:    buildAckley, listed: 1,
		},
	)
}

// taskNamed returns the row of tasks with that name.
func taskNamed(name string) (task, error) {
	if name == "" {
		return task{}, usagef("give a task: --task expression, for one; see invbo tasks")
	}
	return taskAmong(tasks(), name)
}

// taskAmong returns the one of some tasks with that name.
func taskAmong(all []task, name string) (task, error) {
	names := make([]string, len(all))
	for i, t := range all {
		if same(t.name, name) || t.also != "" && same(t.also, name) {
			return t, nil
		}
		names[i] = t.name
	}
	return task{}, usagef("there is no task %q%s", name, suggest(name, names))
}

// refuse refuses flags of other tasks.
func (t task) refuse(f *pflag.FlagSet) error {
	for _, other := range tasks() {
		for _, name := range other.flags {
			if f.Changed(name) && !slices.Contains(t.flags, name) {
				return usagef("--%s is not for the task %s; leave it out", name, t.name)
			}
		}
	}
	return nil
}

// same compares names as people write them: Median molecules 2 is median_molecules_2.
func same(a, b string) bool {
	blank := strings.NewReplacer("_", " ", "-", " ")
	return strings.EqualFold(blank.Replace(a), blank.Replace(b))
}

func buildExpression(_ context.Context, t task, f taskFlags) (parts, error) {
	o, err := expression.New(f.target)
	if err != nil {
		return parts{}, usagef("--target: %w", err)
	}
	if !finite(f.target) {
		return parts{}, usagef("--target %s: it is finite nowhere from %g to %g; give another", f.target, expression.Lower, expression.Upper)
	}
	m, err := loadModel(t.model, f.weights)
	if err != nil {
		return parts{}, err
	}
	if m.translate != nil {
		return parts{}, usagef("%s holds a model of molecules, and this task needs one of expressions", f.weights)
	}
	return parts{notation: m.notation, model: m.Tunable, oracle: o, generate: func(_ context.Context, rng *rand.Rand, n int) ([]string, error) {
		xs, err := cfg.RandomExpressions(rng, n)
		for _, x := range xs {
			if err := m.Check(x); err != nil {
				return nil, usagef("the model does not write expressions such as those that a run starts from (%w); give strings of its own with --init FILE", err)
			}
		}
		return xs, err
	}}, nil
}

// finite says that an expression has a value somewhere: one that has none anywhere is a target that all miss alike.
func finite(target string) bool {
	const n = 1000
	xs := make([]float64, n+1)
	for i := range xs {
		xs[i] = expression.Lower + (expression.Upper-expression.Lower)*float64(i)/n
	}
	ys, err := expression.Eval(target, xs)
	return err == nil && slices.ContainsFunc(ys, func(y float64) bool { return y-y == 0 }) // of NaN and infinities it is NaN
}

func buildAckley(_ context.Context, _ task, f taskFlags) (parts, error) {
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
	return parts{notation: verbatim("x", "string"), model: m, oracle: synthetic.Ackley{Dim: f.dim}, generate: func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
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
