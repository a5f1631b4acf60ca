// Package paper reproduces published results: grids of runs, tables and figures of them, the experiments of Chu et al.
// 2024 on the surrogate, and PMO (Gao et al. 2022).
package paper

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/task"
)

// Grid is runs for a table or a figure: every method on every task with every seed.
type Grid struct {
	Spec    experiment.RunSpec // what all runs share
	Tasks   []task.Task        // each once
	Methods []string           // each once; none: the task's default
	Seeds   []uint64
	Results *Results           // where finished runs are, and new ones are added
	Jobs    int                // runs at a time
	NoRuns  bool               // show what Results holds, and run nothing
	Say     func(option.Notes) // shows notes
}

// Row is a method's finished runs on a task.
type Row struct {
	Method string
	Budget int
	Runs   []experiment.Result // in the order of seeds
	Wanted int                 // Runs, and those that failed or were not carried out
	spec   experiment.RunSpec  // of any seed
}

// count returns how many runs there are: "5", or "3 of 5".
func (r Row) count() string {
	if len(r.Runs) < r.Wanted {
		return fmt.Sprintf("%d of %d", len(r.Runs), r.Wanted)
	}
	return fmt.Sprint(len(r.Runs))
}

// ErrNoRuns is the error of a grid that runs nothing where the results hold none of its runs.
var ErrNoRuns = errors.New("none of these runs, which it tells apart by their options and by the content of their files")

// Complete carries out the runs that the results lack and returns, for each task, a row per method. If runs failed, it
// returns the rows there are and an error.
func (g Grid) Complete(ctx context.Context) ([][]Row, error) {
	if err := g.Spec.Rereadable(); err != nil {
		return nil, err
	}
	rows := make([][]Row, len(g.Tasks))
	var all []*Row
	for i, t := range g.Tasks {
		methods := g.Methods
		if len(methods) == 0 {
			methods = []string{t.Method}
		}
		for _, method := range methods {
			s := g.Spec
			s.Task, s.Method = t.Name, method
			s, err := s.Resolve()
			if err != nil {
				return nil, err
			}
			rows[i] = append(rows[i], Row{Method: method, Budget: s.Budget, Wanted: len(g.Seeds), spec: s})
		}
		for k := range rows[i] {
			all = append(all, &rows[i][k])
		}
	}
	var missing []experiment.RunSpec
	for _, seed := range g.Seeds { // seed by seed: an interrupted grid has as many of each method
		for _, row := range all {
			row.spec.Seed = seed
			if _, ok := g.Results.Get(row.spec); !ok {
				missing = append(missing, row.spec)
			}
		}
	}
	if g.NoRuns && len(missing) == len(g.Seeds)*len(all) {
		return nil, ErrNoRuns
	}
	var failed error
	if !g.NoRuns && len(missing) > 0 {
		if err := g.try(ctx, missing); err != nil {
			return nil, err
		}
		if err := g.Results.open(); err != nil {
			return nil, err
		}
		defer g.Results.file.Close()
		errs, err := g.runAll(ctx, missing)
		if err != nil {
			return nil, fmt.Errorf("%w; finished runs are in %s: the same command continues from there", err, g.Results.name)
		}
		if len(errs) > 0 {
			failed = fmt.Errorf("%d of %d runs failed, and the same command tries them again; the first error: %w", len(errs), len(missing), errs[0])
		}
	}
	for _, row := range all {
		for _, seed := range g.Seeds {
			row.spec.Seed = seed
			if run, ok := g.Results.Get(row.spec); ok {
				row.Runs = append(row.Runs, run)
			}
		}
	}
	return rows, failed
}

// try builds one run of every task and method, so that an error in one is reported before any is carried out, and shows the
// first note on the initial design.
func (g Grid) try(ctx context.Context, runs []experiment.RunSpec) error {
	tried := map[[2]string]bool{}
	var notes option.Notes
	for _, s := range runs {
		kind := [2]string{s.Task, s.Method}
		if tried[kind] {
			continue
		}
		tried[kind] = true
		p, err := s.Build(ctx)
		if err != nil && len(g.Tasks) > 1 {
			err = fmt.Errorf("task %s: %w", s.Task, err)
		}
		if err != nil {
			return err
		}
		if len(notes) == 0 {
			notes = p.Notes
		}
	}
	g.Say(notes)
	return nil
}

// runAll carries out runs, several at a time, and adds each to the results when it ends. It returns the errors of runs that
// failed, which do not stop the others, and an error that ended all of them.
func (g Grid) runAll(ctx context.Context, runs []experiment.RunSpec) (failed []error, _ error) {
	p := progress.New("runs ", len(runs), false)
	defer p.Stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex // of done, failed and Results
	done := 0
	err := parallel.Ordered(len(runs), g.Jobs, func(i int) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s := runs[i]
		r, err := carryOut(ctx, s)
		mu.Lock()
		defer mu.Unlock()
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name, outcome := fmt.Sprintf("%s, %s, seed %d", s.Task, s.Method, s.Seed), r.BestScore.String()
		if err != nil {
			outcome = "failed"
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		} else if err := g.Results.add(s, r.Result); err != nil {
			cancel(err)
			return err
		}
		done++
		p.Set(done, name+": "+outcome)
		return nil
	}, func(_ int, err error) error { return err })
	return failed, err
}

// carryOut carries out a run, with PMO's score if it starts from the library.
func carryOut(ctx context.Context, s experiment.RunSpec) (experiment.Outcome, error) {
	p, err := s.Build(ctx)
	if err != nil {
		return experiment.Outcome{}, err
	}
	r, err := p.Run(ctx, experiment.Observer{})
	if start := s.Init.Library; start > 0 {
		r.AUC = experiment.Number(topAUC(r.Trials, start+s.Budget))
	}
	return r, err
}
