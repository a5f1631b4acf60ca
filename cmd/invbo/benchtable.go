package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/stat"
)

// tableFlags is `invbo bench table`.
type tableFlags struct {
	grid
	seconds bool
}

func benchTableCommand() *cobra.Command {
	var f tableFlags
	c := &cobra.Command{
		Use:   "table --task NAMES --methods NAMES --results FILE [flags]",
		Short: "Run methods over tasks and seeds, and print the mean results as a table",
		Long: `table runs every method on every task with every seed, several runs at a time, and
prints for each task the mean of the best score ± its standard error after 100,
300 and 500 calls (and at the end of another budget), in Markdown, with the
paper's results below ours where it has any. Ranking is the mean rank correlation
of the surrogate's predictions with the scores of 50 proposals; plausible, for
molecules, the share of calls whose atom environments all occur in the training
corpus.

Each run that ends is added to --results, with its curves. Runs that are there
already are not repeated, so that the same command goes on after Ctrl-C. Runs are
the same if their flags, files (by name and content, wherever they lie) and
weights are. A run
that fails leaves the others alone; the table says how many there are. For
figures of the same runs see invbo bench figure.`,
		Example: `  invbo bench table --task med2,valt --methods cobo,cobo+invbo --seeds 0-4 \
    --init guacamol_first_100.csv --results table.csv
  invbo bench table --task expression --methods cobo+invbo --seeds 0-9 \
    --init expressions.csv.gz --init-sample 100 --results table.csv`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), c.Flags(), c.OutOrStdout()) },
	}
	table := newGroup("The table")
	f.add(table.flags, "the task's")
	table.flags.BoolVar(&f.seconds, "seconds", false, "add the mean seconds of a run, which depend on what runs beside it")
	groups := f.groups()
	groups[0].flags.Lookup("task").Usage = "`NAMES` of what to search, separated by commas: see invbo tasks"
	addGroups(c, append([]flagGroup{table}, groups...)...)
	return c
}

// run carries out `invbo bench table`.
func (f *tableFlags) run(ctx context.Context, flags *pflag.FlagSet, stdout io.Writer) error {
	var tasks []task
	for name := range strings.SplitSeq(f.task, ",") {
		s := f.spec
		s.task = name
		if err := s.check(flags); err != nil {
			return err
		}
		t, err := taskNamed(name)
		if err != nil {
			return err
		}
		tasks = append(tasks, t)
	}
	rows, err := f.complete(ctx, tasks)
	for i, rows := range rows {
		t := tasks[i]
		if i > 0 {
			fmt.Fprintln(stdout)
		}
		if len(tasks) > 1 {
			fmt.Fprintf(stdout, "### %s (%s)\n\n", t.name, t.sense())
		}
		printTable(stdout, f.columns(t, rows), rows, paper()[t.name])
	}
	return err
}

// column is a number of each run, of which a table shows the mean and perhaps its standard error.
type column struct {
	title string
	calls int // that the number is after; 0: the whole run
	of    func(finished) float64
	form  string // of the mean
	error bool
}

// columns returns those that some run of a task has.
func (f *tableFlags) columns(t task, rows []gridRow) []column {
	budget := f.one(t, "", 0).budget
	calls := slices.DeleteFunc([]int{100, 300, 500}, func(n int) bool { return n >= budget })
	var all []column
	for _, n := range append(calls, budget) {
		all = append(all, column{fmt.Sprintf("%d calls", n), n, func(r finished) float64 { return r.curve[n] }, "%.3f", true})
	}
	others := []column{
		{title: "plausible", of: func(r finished) float64 { return r.plausible }, form: "%.2f"},
		{title: "ranking", of: func(r finished) float64 { return r.ranking }, form: "%.2f"},
	}
	if f.seconds {
		others = append(others, column{title: "seconds", of: func(r finished) float64 { return r.seconds }, form: "%.0f", error: true})
	}
	for _, c := range others {
		known := func(r finished) bool { return !math.IsNaN(c.of(r)) }
		if slices.ContainsFunc(rows, func(row gridRow) bool { return slices.ContainsFunc(row.runs, known) }) {
			all = append(all, c)
		}
	}
	return all
}

// printTable writes means and standard errors in Markdown, those of the paper below ours.
func printTable(w io.Writer, columns []column, rows []gridRow, paper map[string]map[int]string) {
	fmt.Fprint(w, "| method | runs |")
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", c.title)
	}
	fmt.Fprint(w, "\n|---|---|", strings.Repeat("---|", len(columns)), "\n")
	for _, row := range rows {
		fmt.Fprintf(w, "| %s | %s |", row.method, row.count())
		for _, c := range columns {
			fmt.Fprintf(w, " %s |", c.text(row.runs))
		}
		fmt.Fprintln(w)
		printPaper(w, paper[row.method], columns)
	}
}

// count says how many runs there are, and of how many if some are missing.
func (r gridRow) count() string {
	if r.missing == 0 {
		return fmt.Sprint(len(r.runs))
	}
	return fmt.Sprintf("%d of %d", len(r.runs), len(r.runs)+r.missing)
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
	if len(known) == 0 {
		return "–"
	}
	mean, deviation := stat.MeanStdDev(known, nil)
	if !c.error || len(known) == 1 {
		return fmt.Sprintf(c.form, mean)
	}
	return fmt.Sprintf(c.form+" ± "+c.form, mean, stat.StdErr(deviation, float64(len(known))))
}
