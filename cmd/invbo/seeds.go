package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

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
			return nil, usage.Errorf("--seeds %s: %q is neither a number nor a range such as 0-9", text, part)
		}
		for i := range last - first + 1 {
			seeds = append(seeds, first+i)
		}
	}
	slices.Sort(seeds)
	return slices.Compact(seeds), nil
}

// seedRun is the run of one of several seeds. Without a specification it was not begun.
type seedRun struct {
	seed uint64
	experiment.Outcome
	err error
}

// runSeeds carries out `invbo run` with several seeds, as many at a time as there are processors.
func (f runFlags) runSeeds(ctx context.Context, stdout io.Writer) error {
	seeds, err := parseSeeds(f.seeds)
	if err != nil {
		return err
	}
	if err := f.Rereadable(); err != nil {
		return err
	}
	f.Seed = seeds[0]
	e, err := f.Build(ctx) // errors are reported before any run is begun
	if err != nil {
		return err
	}
	say(e.Note)
	if f.out != "" {
		if err := e.CheckSeedFolders(f.out, seeds, f.overwrite); err != nil {
			return err
		}
	}
	p := progress.New(e.Task.Name+" ", len(seeds)*e.Spec.Budget, f.verbose)
	var mu sync.Mutex // of calls
	calls := 0
	var runs []seedRun
	err = parallel.Ordered(len(seeds), runtime.GOMAXPROCS(0), func(i int) seedRun {
		r, before := seedRun{seed: seeds[i]}, 0
		r.BestScore = experiment.Number(math.NaN())
		r.err = f.carryOut(ctx, &r, e.Spec, func(s study.Status) {
			mu.Lock()
			defer mu.Unlock()
			calls, before = calls+s.Calls-before, s.Calls
			p.Set(calls, fmt.Sprintf("seed %d: best %v  %s", seeds[i], experiment.Number(s.Best.Score), usage.Shorten(s.Best.Input, 60)))
		})
		return r
	}, func(_ int, r seedRun) error {
		runs = append(runs, r)
		return r.print(stdout, f.json)
	})
	p.Stop()
	if err != nil {
		return err
	}
	if !f.json {
		printMean(stdout, e.Task, runs)
	}
	return f.ended(ctx, runs)
}

// carryOut carries out the run of a seed, unless ctx has ended.
func (f runFlags) carryOut(ctx context.Context, r *seedRun, s experiment.RunSpec, watch func(study.Status)) error {
	if ctx.Err() != nil {
		return errors.New("not begun")
	}
	s.Seed = r.seed
	p, err := s.Build(ctx)
	if err != nil {
		return err
	}
	at := experiment.Place{}
	if f.out != "" {
		at.Folder = experiment.SeedFolder(f.out, r.seed)
	}
	opts := experiment.Options{Replace: f.overwrite, Run: true}
	if f.verbose {
		opts.Logger = logger(true).With("seed", r.seed)
	}
	e, err := experiment.Create(ctx, at, p, opts)
	if err != nil {
		return err
	}
	r.Outcome, err = e.Run(ctx, experiment.Observer{Batch: watch})
	return errors.Join(err, e.Close())
}

// print writes a line on the run; as JSON, none for one that was not begun.
func (r seedRun) print(w io.Writer, asJSON bool) error {
	switch {
	case asJSON && r.Spec.Task == "":
		return nil
	case asJSON:
		return json.NewEncoder(w).Encode(experiment.Line{Spec: r.Spec, Result: r.Result})
	}
	found := fmt.Sprintf("%s  (%.1f s%s)", r.Best, r.Seconds, early(r.Outcome))
	if r.err != nil {
		found = r.err.Error()
	}
	_, err := fmt.Fprintf(w, "seed %d  %v  %s\n", r.seed, r.BestScore, found)
	return err
}

// printMean writes the mean of the best scores and its standard error.
func printMean(w io.Writer, t task.Task, runs []seedRun) {
	var best []float64
	for _, r := range runs {
		if score := float64(r.BestScore); r.err == nil && !math.IsNaN(score) {
			best = append(best, score)
		}
	}
	if len(best) < 2 {
		return
	}
	mean, stdErr := stats.MeanStdErr(best)
	fmt.Fprintf(w, "Mean    %v ± %v  (%d seeds; %s; %s)\n", experiment.Number(mean), experiment.Number(stdErr), len(best), t.Score, t.Sense())
}

// ended says what became of runs that were stopped or failed.
func (f runFlags) ended(ctx context.Context, runs []seedRun) error {
	var failed []seedRun
	n := 0 // evaluations of these
	for _, r := range runs {
		if r.err != nil {
			failed = append(failed, r)
			n += len(r.Trials)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	kept := notWritten
	switch {
	case f.out != "" && n == 0:
		kept = notScored
	case f.out != "":
		kept = goOn(failed[0].err, n, filepath.Join(f.out, "seed-N")+" for a seed N", otherOut)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("stopped when %d of %d seeds were complete; %s", len(runs)-len(failed), len(runs), kept)
	}
	return fmt.Errorf("%d of %d seeds failed, the first of them %d: %w; %s", len(failed), len(runs), failed[0].seed, failed[0].err, kept)
}
