package experiment

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/task"
)

// column is a number of each run, of which a table shows the mean and perhaps its standard error.
type column struct {
	title string
	calls int // that the number is after; 0: the whole run
	of    func(Result) float64
	form  string // of the mean
	error bool
}

// columns returns those that some run of a task has.
func columns(rows []MethodRow, seconds bool) []column {
	budget := rows[0].Budget
	calls := slices.DeleteFunc([]int{100, 300, 500}, func(n int) bool { return n >= budget })
	var all []column
	for _, n := range append(calls, budget) {
		all = append(all, column{fmt.Sprintf("%d calls", n), n, func(r Result) float64 { return r.BestAfter(budget)[n] }, "%.3f", true})
	}
	others := []column{
		{title: "plausible", of: func(r Result) float64 { return float64(r.Plausible) }, form: "%.2f"},
		{title: "ranking", of: func(r Result) float64 { return float64(r.Ranking) }, form: "%.2f"},
	}
	if seconds {
		others = append(others, column{title: "seconds", of: func(r Result) float64 { return r.Seconds }, form: "%.0f", error: true})
	}
	for _, c := range others {
		known := func(r Result) bool { return !math.IsNaN(c.of(r)) }
		if slices.ContainsFunc(rows, func(row MethodRow) bool { return slices.ContainsFunc(row.Runs, known) }) {
			all = append(all, c)
		}
	}
	return all
}

// PrintTable writes means and standard errors of a task's rows in Markdown, the paper's results below ours.
func PrintTable(w io.Writer, t task.Task, rows []MethodRow, seconds bool) {
	columns := columns(rows, seconds)
	fmt.Fprint(w, "| method | runs |")
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", c.title)
	}
	fmt.Fprint(w, "\n|---|---|", strings.Repeat("---|", len(columns)), "\n")
	published := Paper()
	for _, row := range rows {
		count := fmt.Sprint(len(row.Runs))
		if row.Missing > 0 {
			count = fmt.Sprintf("%d of %d", len(row.Runs), len(row.Runs)+row.Missing)
		}
		fmt.Fprintf(w, "| %s | %s |", row.Method, count)
		for _, c := range columns {
			fmt.Fprintf(w, " %s |", c.text(row.Runs))
		}
		fmt.Fprintln(w)
		of := func(c column) string { return published[PaperResult{t.Name, row.Method, c.calls}] }
		if !slices.ContainsFunc(columns, func(c column) bool { return of(c) != "" }) {
			continue
		}
		fmt.Fprint(w, "| – in the paper | 10 |")
		for _, c := range columns {
			fmt.Fprintf(w, " %s |", cmp.Or(of(c), "–"))
		}
		fmt.Fprintln(w)
	}
}

// text formats the mean of the runs' numbers, as far as they are known.
func (c column) text(runs []Result) string {
	var known []float64
	for _, r := range runs {
		if v := c.of(r); !math.IsNaN(v) {
			known = append(known, v)
		}
	}
	if len(known) == 0 {
		return "–"
	}
	mean, stdErr := stats.MeanStdErr(known)
	if !c.error || len(known) == 1 {
		return fmt.Sprintf(c.form, mean)
	}
	return fmt.Sprintf(c.form+" ± "+c.form, mean, stdErr)
}

// PaperResult names a result of the paper.
type PaperResult struct {
	Task, Method string
	Calls        int
}

//go:embed paper.tsv
var paper string

// Paper returns the results of Chu et al. 2024, mean ± standard error of ten runs, from the table "Optimization results of
// applying InvBO or inversion method" of the appendix.
func Paper() map[PaperResult]string {
	results := map[PaperResult]string{}
	lines := strings.Split(strings.TrimSpace(paper), "\n")
	for _, line := range lines[1:] { // after the header: task, method, 100, 300, 500
		fields := strings.Split(line, "\t")
		for i, calls := range []int{100, 300, 500} {
			results[PaperResult{fields[0], fields[1], calls}] = fields[2+i]
		}
	}
	return results
}
