package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/parallel"
)

// seedRun is the run of one of several seeds.
type seedRun struct {
	seed uint64
	dir  *folder // nil: nothing is written
	result
	err error
}

// runSeeds carries out `invbo run` with several seeds, as many at a time as there are processors.
func runSeeds(ctx context.Context, s spec, f runFlags, stdout io.Writer) error {
	seeds, err := parseSeeds(f.seeds)
	if err != nil {
		return err
	}
	if err := s.rereadable(); err != nil {
		return err
	}
	s.seed = seeds[0]
	e, err := s.experiment(ctx) // what is wrong with one is said before any is begun
	if err != nil {
		return err
	}
	e.sayNote()
	runs := make([]*seedRun, len(seeds))
	for i, seed := range seeds {
		runs[i] = &seedRun{seed: seed}
	}
	if f.out != "" {
		if err := s.openFolders(runs, f, e.parts.notation); err != nil {
			return err
		}
		defer func() {
			for _, r := range runs {
				if r.summary.Task == "" { // not begun
					r.dir.discard()
				} else {
					r.dir.close()
				}
			}
		}()
	}
	p := newProgress(e.task.name+" ", len(runs)*e.options.Budget, f.verbose)
	var mu sync.Mutex // of calls
	calls := make([]int, len(runs))
	count := func(i int, status invbo.Status) {
		mu.Lock()
		defer mu.Unlock()
		calls[i] = status.OracleCalls
		sum := 0
		for _, n := range calls {
			sum += n
		}
		p.set(sum, fmt.Sprintf("seed %d: best %s  %s", runs[i].seed, number(status.Best.Score), shorten(status.Best.Input, 60)))
	}
	err = parallel.Ordered(len(runs), runtime.GOMAXPROCS(0), func(i int) *seedRun {
		runs[i].carryOut(ctx, s, f.verbose, func(status invbo.Status) { count(i, status) })
		return runs[i]
	}, func(_ int, r *seedRun) error { return r.print(stdout, f.json) }, nil)
	p.stop()
	if err != nil {
		return err
	}
	if !f.json {
		printMean(stdout, e.task, runs)
	}
	return s.ended(ctx, runs, f.out)
}

// openFolders makes a folder in --out for each seed: all of them, or none if one holds a run, or a file that the runs read.
func (s spec) openFolders(runs []*seedRun, f runFlags, n notation) error {
	paths := make([]string, len(runs))
	for i, r := range runs {
		paths[i] = filepath.Join(f.out, fmt.Sprintf("seed-%d", r.seed))
		if !f.overwrite && exists(filepath.Join(paths[i], trialsFile)) {
			return holdsRun(paths[i])
		}
		if err := s.spares(paths[i]); err != nil {
			return err
		}
	}
	for i, r := range runs {
		var err error
		if r.dir, err = newFolder(paths[i], f.overwrite, n); err != nil {
			return err
		}
	}
	return nil
}

// spares refuses a folder if to write over the run in it would take a file from those who have yet to read it.
func (s spec) spares(folder string) error {
	for _, name := range runFiles() {
		for _, f := range s.files() {
			if same, _ := sameFile(filepath.Join(folder, name), *f.name); same {
				return usagef("--overwrite: every run reads --%s %s, which is in a folder that they write to; copy it elsewhere, or give another --out", f.flag, *f.name)
			}
		}
	}
	return nil
}

// carryOut runs s with the seed, unless ctx has ended.
func (r *seedRun) carryOut(ctx context.Context, s spec, verbose bool, watch func(invbo.Status)) {
	if ctx.Err() != nil {
		r.err = errors.New("not begun")
		return
	}
	s.seed = r.seed
	e, err := s.experiment(ctx)
	if err != nil {
		r.err = err
		return
	}
	e.options.Watch = watch
	e.options.Record = func(invbo.Trial) error { return nil }
	if verbose {
		e.options.Logger = logger(verbose).With("seed", r.seed)
	}
	r.result, r.err = e.into(ctx, r.dir, s.own)
}

// print writes a line on the run; as JSON, none of one that has not begun.
func (r *seedRun) print(w io.Writer, asJSON bool) error {
	if asJSON {
		if r.summary.Task == "" {
			return nil
		}
		return json.NewEncoder(w).Encode(r.summary)
	}
	if r.err != nil {
		_, err := fmt.Fprintf(w, "seed %d  %s  %v\n", r.seed, number(orNaN(r.BestScore)), r.err)
		return err
	}
	_, err := fmt.Fprintf(w, "seed %d  %s  %s  (%.1f s%s)\n", r.seed, number(orNaN(r.BestScore)), r.Best, r.Seconds, r.early())
	return err
}

// printMean writes the mean of the best scores and its standard error.
func printMean(w io.Writer, t task, runs []*seedRun) {
	var best []float64
	for _, r := range runs {
		if r.err == nil && r.BestScore != nil {
			best = append(best, *r.BestScore)
		}
	}
	if len(best) < 2 {
		return
	}
	mean, deviation := stat.MeanStdDev(best, nil)
	fmt.Fprintf(w, "Mean    %s ± %s  (%d seeds; %s; %s)\n", number(mean), number(stat.StdErr(deviation, float64(len(best)))), len(best), t.score, t.sense())
}

// ended says what became of runs that did not come to an end of their own.
func (s spec) ended(ctx context.Context, runs []*seedRun, out string) error {
	var failed []*seedRun
	for _, r := range runs {
		if r.err != nil {
			failed = append(failed, r)
		}
	}
	kept := "nothing was written, since --out was not given"
	if out != "" {
		path := filepath.Join(out, "seed-N", trialsFile)
		kept = fmt.Sprintf("all evaluations are in %s: to go on from those of a seed N, %s", path, s.goOn(path))
	}
	switch {
	case len(failed) == 0:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("stopped when %d of %d seeds had come to their end; %s", len(runs)-len(failed), len(runs), kept)
	}
	return fmt.Errorf("%d of %d seeds failed, the first of them %d: %w; %s", len(failed), len(runs), failed[0].seed, failed[0].err, kept)
}
