package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

// Grid is runs for a table or a figure: every method on every task with every seed.
type Grid struct {
	Spec    RunSpec     // what all runs share
	Tasks   []task.Task // each once
	Methods []string    // each once; none: the task's default
	Seeds   []uint64
	Results string       // the file that finished runs are added to
	Jobs    int          // runs at a time
	NoRuns  bool         // show what Results holds, and run nothing
	Say     func(string) // shows a note
}

// MethodRow is a method's finished runs on a task.
type MethodRow struct {
	Method  string
	Budget  int
	Runs    []Result // in the order of seeds
	Missing int      // runs that failed, or were not carried out
}

// ParseSeeds reads "0-4,7" as 0 1 2 3 4 7, each once.
func ParseSeeds(text string) ([]uint64, error) {
	var seeds []uint64
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		first, err1 := strconv.ParseUint(low, 10, 64)
		last, err2 := strconv.ParseUint(high, 10, 64)
		if err1 != nil || err2 != nil || last < first || last-first >= 10000 {
			return nil, usage.Errorf("--seeds %s: %q is neither a number nor a range such as 0-9", text, part)
		}
		for i := range last - first + 1 {
			seeds = append(seeds, first+i)
		}
	}
	slices.Sort(seeds)
	return slices.Compact(seeds), nil
}

// Complete carries out the runs that the results lack and returns, for each task, a row per method. If runs failed, it returns
// the rows there are and an error.
func (g Grid) Complete(ctx context.Context) ([][]MethodRow, error) {
	if g.Results == "" {
		return nil, usage.Errorf("give a file for the finished runs: --results FILE.jsonl")
	}
	if err := g.Spec.Rereadable(); err != nil {
		return nil, err
	}
	done, err := ReadResults(g.Results)
	if err != nil {
		return nil, err
	}
	g.Say(done.Note)
	specs := make([][]RunSpec, len(g.Tasks)) // (task, method), of any seed
	for i, t := range g.Tasks {
		for _, method := range g.methodsOf(t) {
			s := g.Spec
			s.Task, s.Method = t.Name, method
			if s, err = s.Resolve(); err != nil {
				return nil, err
			}
			specs[i] = append(specs[i], s)
		}
	}
	var missing []RunSpec
	for _, seed := range g.Seeds { // seed by seed: an interrupted grid has as many of each method
		for _, s := range slices.Concat(specs...) {
			s.Seed = seed
			if _, ok := done.Get(s); !ok {
				missing = append(missing, s)
			}
		}
	}
	var failed error
	if !g.NoRuns && len(missing) > 0 {
		if err := g.try(ctx, missing); err != nil {
			return nil, err
		}
		if err := done.Open(); err != nil {
			return nil, err
		}
		defer done.file.Close()
		errs, err := g.runAll(ctx, missing, done)
		if err != nil {
			return nil, fmt.Errorf("%w; finished runs are in %s: the same command continues from there", err, g.Results)
		}
		if len(errs) > 0 {
			failed = fmt.Errorf("%d of %d runs failed, and the same command tries them again; the first error: %w", len(errs), len(missing), errs[0])
		}
	}
	found := 0
	rows := make([][]MethodRow, len(g.Tasks))
	for i := range g.Tasks {
		for k, s := range specs[i] {
			row := MethodRow{Method: g.methodsOf(g.Tasks[i])[k], Budget: s.Budget}
			for _, seed := range g.Seeds {
				s.Seed = seed
				if run, ok := done.Get(s); ok {
					row.Runs = append(row.Runs, run)
					found++
				} else {
					row.Missing++
				}
			}
			rows[i] = append(rows[i], row)
		}
	}
	if g.NoRuns && found == 0 {
		return nil, usage.Errorf("--results %s has none of these runs, which it tells apart by their options and by the content of their files; leave out --no-runs to carry them out", g.Results)
	}
	return rows, failed
}

func (g Grid) methodsOf(t task.Task) []string {
	if len(g.Methods) == 0 {
		return []string{t.Method}
	}
	return g.Methods
}

// try builds one run of every task and method, so that an error in one is reported before any is carried out, and shows the
// first note on the initial design.
func (g Grid) try(ctx context.Context, runs []RunSpec) error {
	tried := map[[2]string]bool{}
	note := ""
	for _, s := range runs {
		kind := [2]string{s.Task, s.Method}
		if tried[kind] {
			continue
		}
		tried[kind] = true
		e, err := s.Build(ctx)
		if err != nil && len(g.Tasks) > 1 {
			return fmt.Errorf("task %s: %w", s.Task, err)
		}
		if err != nil {
			return err
		}
		note = cmp.Or(note, e.Note)
	}
	g.Say(note)
	return nil
}

// runAll carries out runs, several at a time, and adds each to the results when it ends. It returns the errors of runs that
// failed, which do not stop the others, and an error that ended all of them.
func (g Grid) runAll(ctx context.Context, runs []RunSpec, results *Results) (failed []error, _ error) {
	p := progress.New("runs ", len(runs), false)
	defer p.Stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex // of done, failed and results
	done := 0
	err := parallel.Ordered(len(runs), g.Jobs, func(i int) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s := runs[i]
		e, err := s.Build(ctx)
		var r Outcome
		if err == nil {
			r, err = e.Run(ctx, Observer{})
		}
		mu.Lock()
		defer mu.Unlock()
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name, outcome := fmt.Sprintf("%s, %s, seed %d", s.Task, s.Method, s.Seed), r.BestScore.String()
		if err != nil {
			outcome = "failed"
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		} else if err := results.Add(s, r.Result); err != nil {
			cancel(err)
			return err
		}
		done++
		p.Set(done, name+": "+outcome)
		return nil
	}, func(_ int, err error) error { return err })
	return failed, err
}
