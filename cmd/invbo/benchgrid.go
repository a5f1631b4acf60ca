package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"
)

// grid is runs for a table or a figure: every method on every task with every seed.
type grid struct {
	spec
	methods        []string
	seeds, results string
	jobs           int
	noRuns         bool
}

// gridRow is a method's finished runs on a task.
type gridRow struct {
	method  string
	runs    []finished // in the order of seeds
	missing int        // runs that failed, or were not carried out
}

// add adds the flags of a grid to a group of a command's.
func (g *grid) add(f *pflag.FlagSet, methods string) {
	f.StringSliceVar(&g.methods, "methods", nil, "`NAMES` of methods, separated by commas: see invbo methods (default: "+methods+")")
	f.StringVar(&g.seeds, "seeds", "0-9", "`SEEDS`: numbers and ranges, separated by commas")
	f.StringVar(&g.results, "results", "", "CSV `FILE` that finished runs are added to")
	f.BoolVar(&g.noRuns, "no-runs", false, "carry out nothing: show what --results holds")
	f.IntVar(&g.jobs, "jobs", runtime.GOMAXPROCS(0), "carry out `N` runs at a time")
}

// complete carries out the runs that the results lack and returns, for each task, a row a method. With an
// error that is a failedRuns the rows are what there is.
func (g *grid) complete(ctx context.Context, tasks []task) ([][]gridRow, error) {
	seeds, err := parseSeeds(g.seeds)
	if err != nil {
		return nil, err
	}
	if g.results == "" {
		return nil, usagef("give a file for the finished runs: --results FILE.csv")
	}
	if g.jobs < 1 || g.jobs > most {
		return nil, usagef("--jobs %d: give a number from 1 to %d", g.jobs, most)
	}
	marks, err := newMarks(g.spec, tasks)
	if err != nil {
		return nil, err
	}
	done, err := readResults(g.results, marks)
	if err != nil {
		return nil, err
	}
	var missing []spec
	named := map[string]bool{}   // a name that is given twice is run once
	for _, seed := range seeds { // seed by seed: what is interrupted has as many of each method
		for _, t := range tasks {
			for _, method := range g.methodsOf(t) {
				if s := g.one(t, method, seed); !done.has(s) && !named[done.key(s)] {
					named[done.key(s)] = true
					missing = append(missing, s)
				}
			}
		}
	}
	var failed error
	if !g.noRuns && len(missing) > 0 {
		if err := g.try(ctx, missing); err != nil {
			return nil, err
		}
		if err := done.open(); err != nil {
			return nil, err
		}
		defer done.close()
		if failed = g.runAll(ctx, missing, done); failed != nil && !isFailedRuns(failed) {
			return nil, fmt.Errorf("%w; finished runs are in %s: the same command goes on from there", failed, g.results)
		}
	}
	rows := make([][]gridRow, len(tasks))
	for i, t := range tasks {
		for _, method := range g.methodsOf(t) {
			row := gridRow{method: method}
			for _, seed := range seeds {
				if s := g.one(t, method, seed); done.has(s) {
					row.runs = append(row.runs, done.runs[done.key(s)])
				} else {
					row.missing++
				}
			}
			rows[i] = append(rows[i], row)
		}
	}
	has := func(row gridRow) bool { return len(row.runs) > 0 }
	if g.noRuns && !slices.ContainsFunc(rows, func(rows []gridRow) bool { return slices.ContainsFunc(rows, has) }) {
		return nil, usagef("--results %s has none of these runs, which it tells by all their flags and by what is in the files that these name; leave out --no-runs to carry them out", g.results)
	}
	return rows, failed
}

// methodsOf returns the methods to run on a task.
func (g *grid) methodsOf(t task) []string {
	if len(g.methods) == 0 {
		return []string{t.method}
	}
	return g.methods
}

// one returns the run of a method with a seed, all defaults filled in.
func (g *grid) one(t task, method string, seed uint64) spec {
	s := g.spec
	s.task, s.method, s.seed = t.name, method, seed
	return s.filled(t)
}

// try builds one run of every task and method: what is wrong with one is said before any is carried out, and the first
// note on the initial data.
func (g *grid) try(ctx context.Context, runs []spec) error {
	tried := map[[2]string]bool{}
	noted := false
	for _, s := range runs {
		kind := [2]string{s.task, s.method}
		if tried[kind] {
			continue
		}
		tried[kind] = true
		e, err := s.experiment(ctx)
		if err != nil {
			return err
		}
		if !noted && e.note != "" {
			noted = true
			e.sayNote()
		}
	}
	return nil
}

// parseSeeds reads "0-4,7" as 0 1 2 3 4 7, each once.
func parseSeeds(text string) ([]uint64, error) {
	var seeds []uint64
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		first, err1 := strconv.ParseUint(low, 10, 64)
		last, err2 := strconv.ParseUint(high, 10, 64)
		if err1 != nil || err2 != nil || last < first || last-first >= 10000 {
			return nil, usagef("--seeds %s: %q is neither a number nor a range such as 0-9", text, part)
		}
		for i := range last - first + 1 {
			seeds = append(seeds, first+i)
		}
	}
	slices.Sort(seeds)
	return slices.Compact(seeds), nil
}

// failedRuns says which runs of a grid failed. The others are in the results.
type failedRuns struct {
	failed []error
	of     int
}

func (e *failedRuns) Error() string {
	return fmt.Sprintf("%d of %d runs failed, and the same command tries them again; the first of them: %v", len(e.failed), e.of, e.failed[0])
}

func isFailedRuns(err error) bool {
	_, ok := errors.AsType[*failedRuns](err)
	return ok
}

// runAll carries out runs, several at a time, and adds each to the results. One that fails does not keep the
// others from being carried out; an error that is no failedRuns does.
func (g *grid) runAll(ctx context.Context, runs []spec, results *results) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := newProgress("runs ", len(runs), false)
	next := make(chan spec)
	done := 0
	var failed []error
	var mu sync.Mutex // of done, failed and results
	var workers sync.WaitGroup
	for range g.jobs {
		workers.Go(func() {
			for s := range next {
				r, err := s.carryOut(ctx)
				mu.Lock()
				name, outcome := fmt.Sprintf("%s, %s, seed %d", s.task, s.method, s.seed), "failed"
				switch {
				case err == nil:
					outcome = number(r.score())
					if err := results.add(s, r); err != nil {
						cancel(err)
					}
				case ctx.Err() == nil:
					failed = append(failed, fmt.Errorf("%s: %w", name, err))
				}
				done++
				p.set(done, name+": "+outcome)
				mu.Unlock()
			}
		})
	}
	for _, s := range runs {
		select {
		case next <- s:
		case <-ctx.Done():
		}
	}
	close(next)
	workers.Wait()
	p.stop()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(failed) > 0 {
		return &failedRuns{failed, len(runs)}
	}
	return nil
}

func (s spec) carryOut(ctx context.Context) (result, error) {
	e, err := s.experiment(ctx)
	if err != nil {
		return result{}, err
	}
	return e.run(ctx)
}
