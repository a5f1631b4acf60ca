package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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
	methods         []string
	seeds           string
	results, figure string
}

func benchTableCommand() *cobra.Command {
	var g grid
	c := &cobra.Command{
		Use:   "table --task NAME --methods NAMES --results FILE [flags]",
		Short: "Run methods over many seeds, and print the mean results as a table",
		Long: `table runs every method with every seed, several runs at a time, and prints the
mean of the best score ± its standard error after 100, 300 and 500 calls (and at
the end of another budget), in Markdown. For expression the paper's results stand
below ours.

Each run that ends is added to --results, with its curve of best scores. Runs
that are there already are not repeated, so that the same command goes on after
Ctrl-C, and draws a figure without a new run.`,
		Example: `  invbo bench table --task expression --methods cobo,cobo+invbo --seeds 0-9 \
    --results table.csv --figure table.svg
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
	flags := c.Flags()
	g.addFlags(flags)
	flags.StringSliceVar(&g.methods, "methods", nil, "`NAMES` of methods, separated by commas: see invbo methods (default: the task's)")
	flags.StringVar(&g.seeds, "seeds", "0-9", "`SEEDS`: numbers and ranges, separated by commas")
	flags.StringVar(&g.results, "results", "", "CSV `FILE` that finished runs are added to")
	flags.StringVar(&g.figure, "figure", "", "SVG `FILE` to draw mean curves to (default: none)")
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
	if dir := filepath.Dir(g.figure); !exists(dir) {
		return usagef("--figure: there is no folder %s", dir)
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
		for _, seed := range seeds {
			s := g.one(t, method, seed)
			if _, done := table.runs[s.key()]; done {
				continue
			}
			if _, err := s.experiment(ctx); err != nil { // all of them before any is run
				return err
			}
			missing = append(missing, s)
		}
	}
	if err := runAll(ctx, missing, table); err != nil {
		return fmt.Errorf("%w; finished runs are in %s: the same command goes on from there", err, g.results)
	}
	curves := report.BestCurve{Title: t.name, Score: t.score, Minimize: t.minimize}
	for _, method := range g.methods {
		m := report.Method{Name: method}
		for _, seed := range seeds {
			m.Runs = append(m.Runs, table.runs[g.one(t, method, seed).key()])
		}
		curves.Methods = append(curves.Methods, m)
	}
	printTable(stdout, curves, paper[t.name])
	if g.figure == "" {
		return nil
	}
	return writeWhole(g.figure, curves.WriteSVG)
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

// runAll carries out runs, as many at a time as there are processors, and adds each to the results. The
// first that fails ends all.
func runAll(ctx context.Context, runs []spec, results *results) error {
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
	for range runtime.GOMAXPROCS(0) {
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

// printTable writes means and standard errors in Markdown, those of the paper below ours.
func printTable(w io.Writer, c report.BestCurve, paper map[string]map[int]string) {
	budget := len(c.Methods[0].Runs[0]) - 1
	calls := slices.DeleteFunc([]int{100, 300, 500}, func(n int) bool { return n >= budget })
	calls = append(calls, budget)

	fmt.Fprint(w, "| method | runs |")
	for _, n := range calls {
		fmt.Fprintf(w, " %d calls |", n)
	}
	fmt.Fprint(w, "\n|---|---|", strings.Repeat("---|", len(calls)), "\n")
	for _, m := range c.Methods {
		fmt.Fprintf(w, "| %s | %d |", m.Name, len(m.Runs))
		for _, n := range calls {
			mean, se := meanAndError(m.Runs, n)
			fmt.Fprintf(w, " %.3f ± %.3f |", mean, se)
		}
		fmt.Fprintln(w)
		printPaper(w, paper[m.Name], calls)
	}
}

// printPaper writes the paper's row below ours, if it has a result after any of calls.
func printPaper(w io.Writer, results map[int]string, calls []int) {
	if !slices.ContainsFunc(calls, func(n int) bool { return results[n] != "" }) {
		return
	}
	fmt.Fprint(w, "| in the paper | 10 |")
	for _, n := range calls {
		fmt.Fprintf(w, " %s |", cmp.Or(results[n], "–"))
	}
	fmt.Fprintln(w)
}

// meanAndError returns the mean of the runs' best scores after n calls, and its standard error.
func meanAndError(runs [][]float64, n int) (mean, se float64) {
	at := make([]float64, len(runs))
	for i, run := range runs {
		at[i] = run[n]
	}
	mean, deviation := stat.MeanStdDev(at, nil)
	return mean, stat.StdErr(deviation, float64(len(at)))
}
