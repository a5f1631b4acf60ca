package main

import (
	"cmp"
	"context"
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

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/report"
)

// grid is `invbo bench table`: every method with every seed.
type grid struct {
	spec
	methods                    []string
	seeds                      string
	results, figure, alignment string
	jobs                       int
}

func benchTableCommand() *cobra.Command {
	var g grid
	c := &cobra.Command{
		Use:   "table --task NAME --methods NAMES --results FILE [flags]",
		Short: "Run methods over many seeds, and print the mean results as a table",
		Long: `table runs every method with every seed, several runs at a time, and prints the
mean of the best score ± its standard error after 100, 300 and 500 calls (and at
the end of another budget), in Markdown, with the paper's results below ours
where it has any. Ranking is the mean rank correlation of the surrogate's
predictions with the scores of 50 proposals; plausible, for molecules, the share
of calls whose atom environments all occur in the training corpus.

Each run that ends is added to --results, with its curves. Runs that are there
already are not repeated, so that the same command goes on after Ctrl-C, and
draws figures without a new run.`,
		Example: `  invbo bench table --task med2 --methods cobo,cobo+invbo --seeds 0-4 \
    --init guacamol_first_100.csv --results table.csv --figure table.svg
  invbo bench table --task expression --methods cobo+invbo --seeds 0-9 \
    --init expressions.csv.gz --init-sample 100 --results table.csv`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := g.check(c.Flags()); err != nil {
				return err
			}
			return g.run(c.Context(), c.OutOrStdout())
		},
	}
	table := newGroup("The table")
	flags := table.flags
	flags.StringSliceVar(&g.methods, "methods", nil, "`NAMES` of methods, separated by commas: see invbo methods (default: the task's)")
	flags.StringVar(&g.seeds, "seeds", "0-9", "`SEEDS`: numbers and ranges, separated by commas")
	flags.StringVar(&g.results, "results", "", "CSV `FILE` that finished runs are added to")
	flags.StringVar(&g.figure, "figure", "", "SVG `FILE` to draw mean curves to (default: none)")
	flags.StringVar(&g.alignment, "alignment", "", "SVG `FILE` to draw the mean alignment to, batch by batch (default: none)")
	flags.IntVar(&g.jobs, "jobs", runtime.GOMAXPROCS(0), "carry out `N` runs at a time")
	addGroups(c, append([]flagGroup{table}, g.groups()...)...)
	return c
}

// run carries out `invbo bench table`.
func (g *grid) run(ctx context.Context, stdout io.Writer) error {
	t, err := taskNamed(g.task)
	if err != nil {
		return err
	}
	seeds, err := parseSeeds(g.seeds)
	if err != nil {
		return err
	}
	if g.results == "" {
		return usagef("give a file for the finished runs: --results FILE.csv")
	}
	for name, file := range map[string]string{"figure": g.figure, "alignment": g.alignment} {
		if dir := filepath.Dir(file); !exists(dir) {
			return usagef("--%s: there is no folder %s", name, dir)
		}
	}
	if g.jobs < 1 || g.jobs > most {
		return usagef("--jobs %d: give a number from 1 to %d", g.jobs, most)
	}
	if len(g.methods) == 0 {
		g.methods = []string{t.method}
	}
	table, err := openResults(g.results)
	if err != nil {
		return err
	}
	defer table.close()
	var missing []spec
	for _, method := range g.methods {
		if _, err := g.one(t, method, seeds[0]).experiment(ctx); err != nil { // of every method one, before any is run
			return err
		}
		for _, seed := range seeds {
			s := g.one(t, method, seed)
			if _, done := table.runs[s.key()]; !done {
				missing = append(missing, s)
			}
		}
	}
	if err := g.runAll(ctx, missing, table); err != nil {
		return fmt.Errorf("%w; finished runs are in %s: the same command goes on from there", err, g.results)
	}
	rows := make([]tableRow, len(g.methods))
	for i, method := range g.methods {
		rows[i].method = method
		for _, seed := range seeds {
			rows[i].runs = append(rows[i].runs, table.runs[g.one(t, method, seed).key()])
		}
	}
	printTable(stdout, rows, paper()[t.name])
	return g.draw(t, rows)
}

// draw writes the figures that were asked for.
func (g *grid) draw(t task, rows []tableRow) error {
	best := report.BestCurve{Title: t.name, Score: t.score, Minimize: t.minimize}
	alignment := report.Alignment{Title: t.name}
	for _, row := range rows {
		m := report.Method{Name: row.method}
		for _, r := range row.runs {
			m.Runs = append(m.Runs, r.curve)
		}
		best.Methods = append(best.Methods, m)
		alignment.Runs = append(alignment.Runs, report.Batches{
			Name:          row.method,
			Aligned:       meanCurve(row.runs, func(r finished) []float64 { return r.aligned }),
			Dissimilarity: meanCurve(row.runs, func(r finished) []float64 { return r.dissimilarity }),
		})
	}
	var errs []error
	if g.figure != "" {
		errs = append(errs, writeWhole(g.figure, best.WriteSVG))
	}
	if g.alignment != "" {
		errs = append(errs, writeWhole(g.alignment, alignment.WriteSVG))
	}
	return errors.Join(errs...)
}

// meanCurve returns the mean of the runs' curves, as far as all of them go.
func meanCurve(runs []finished, of func(finished) []float64) []float64 {
	mean := slices.Clone(of(runs[0]))
	for _, r := range runs[1:] {
		mean = mean[:min(len(mean), len(of(r)))]
		for i := range mean {
			mean[i] += of(r)[i]
		}
	}
	for i := range mean {
		mean[i] /= float64(len(runs))
	}
	return mean
}

// one returns the run of a method with a seed, all defaults filled in.
func (g *grid) one(t task, method string, seed uint64) spec {
	s := g.spec
	s.method, s.seed = method, seed
	return s.filled(t)
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

// runAll carries out runs, several at a time, and adds each to the results. The first that fails ends all.
func (g *grid) runAll(ctx context.Context, runs []spec, results *results) error {
	if len(runs) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := newProgress("runs ", len(runs), false)
	next := make(chan spec)
	done := 0
	var mu sync.Mutex // of done and results
	var workers sync.WaitGroup
	for range g.jobs {
		workers.Go(func() {
			for s := range next {
				r, err := s.carryOut(ctx)
				mu.Lock()
				if err == nil {
					err = results.add(s, r)
				}
				if err != nil {
					cancel(fmt.Errorf("%s, seed %d: %w", s.method, s.seed, err)) // only the first counts
				} else {
					done++
					p.set(done, fmt.Sprintf("%s, seed %d: %s", s.method, s.seed, number(*r.BestScore)))
				}
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
	return context.Cause(ctx)
}

// carryOut runs s. A run that finds nothing new any more has ended, too.
func (s spec) carryOut(ctx context.Context) (result, error) {
	e, err := s.experiment(ctx)
	if err != nil {
		return result{}, err
	}
	r, err := e.run(ctx)
	if errors.Is(err, invbo.ErrDry) {
		err = nil
	}
	return r, err
}

// tableRow is a method's runs.
type tableRow struct {
	method string
	runs   []finished
}

// column is a number of each run, of which a table shows the mean and perhaps its standard error.
type column struct {
	title string
	calls int // that the number is after; 0: the whole run
	of    func(finished) float64
	error bool
}

// columnsOf returns those that the runs have.
func columnsOf(runs []finished) []column {
	budget := len(runs[0].curve) - 1
	calls := slices.DeleteFunc([]int{100, 300, 500}, func(n int) bool { return n >= budget })
	var all []column
	for _, n := range append(calls, budget) {
		all = append(all, column{fmt.Sprintf("%d calls", n), n, func(r finished) float64 { return r.curve[n] }, true})
	}
	for _, c := range []column{
		{title: "plausible", of: func(r finished) float64 { return r.plausible }},
		{title: "ranking", of: func(r finished) float64 { return r.ranking }},
	} {
		if slices.ContainsFunc(runs, func(r finished) bool { return !math.IsNaN(c.of(r)) }) {
			all = append(all, c)
		}
	}
	return all
}

// printTable writes means and standard errors in Markdown, those of the paper below ours.
func printTable(w io.Writer, rows []tableRow, paper map[string]map[int]string) {
	columns := columnsOf(rows[0].runs)
	fmt.Fprint(w, "| method | runs |")
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", c.title)
	}
	fmt.Fprint(w, "\n|---|---|", strings.Repeat("---|", len(columns)), "\n")
	for _, row := range rows {
		fmt.Fprintf(w, "| %s | %d |", row.method, len(row.runs))
		for _, c := range columns {
			fmt.Fprintf(w, " %s |", c.text(row.runs))
		}
		fmt.Fprintln(w)
		printPaper(w, paper[row.method], columns)
	}
}

// printPaper writes the paper's row below ours, if it has a result for any of columns.
func printPaper(w io.Writer, results map[int]string, columns []column) {
	if !slices.ContainsFunc(columns, func(c column) bool { return results[c.calls] != "" }) {
		return
	}
	fmt.Fprint(w, "| – in the paper | 10 |")
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", cmp.Or(results[c.calls], "–"))
	}
	fmt.Fprintln(w)
}

// text writes the mean of the runs' numbers, as far as they are known.
func (c column) text(runs []finished) string {
	var known []float64
	for _, r := range runs {
		if v := c.of(r); !math.IsNaN(v) {
			known = append(known, v)
		}
	}
	mean, deviation := stat.MeanStdDev(known, nil)
	if !c.error {
		return fmt.Sprintf("%.2f", mean)
	}
	if len(known) == 1 {
		return fmt.Sprintf("%.3f", mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", mean, stat.StdErr(deviation, float64(len(known))))
}
