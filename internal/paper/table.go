package paper

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/task"
)

// column is a number of each run. A table shows its mean and perhaps the standard error.
type column struct {
	title string
	calls int // that the number is after; 0: the whole run
	of    func(experiment.Result) float64
	form  string // of the mean
	error bool
}

// milestones are the calls that the paper gives results after.
var milestones = []int{100, 300, 500}

// columns returns those that some run of a task has.
func columns(rows []Row, seconds bool) []column {
	budget := rows[0].Budget
	calls := slices.DeleteFunc(slices.Clone(milestones), func(n int) bool { return n >= budget })
	var all []column
	if len(rows[0].spec.Objectives) > 1 {
		all = frontColumns()
	} else {
		for _, n := range append(calls, budget) {
			all = append(all, column{fmt.Sprintf("%d calls", n), n, func(r experiment.Result) float64 { return r.BestAfter(budget)[n] }, "%.3f", true})
		}
	}
	others := []column{
		{title: "plausible", of: func(r experiment.Result) float64 { return float64(r.Plausible) }, form: "%.2f"},
		{title: "ranking", of: func(r experiment.Result) float64 { return float64(r.Ranking) }, form: "%.2f"},
	}
	if seconds {
		others = append(others, column{title: "seconds", of: func(r experiment.Result) float64 { return r.Seconds }, form: "%.0f", error: true})
	}
	for _, c := range others {
		if slices.ContainsFunc(rows, func(row Row) bool { return len(c.known(row.Runs)) > 0 }) {
			all = append(all, c)
		}
	}
	return all
}

// frontColumns returns those of runs with several objectives.
func frontColumns() []column {
	return []column{
		{title: "hypervolume", of: func(r experiment.Result) float64 { return float64(r.Hypervolume) }, form: "%.3f", error: true},
		{title: "on the front", of: func(r experiment.Result) float64 { return float64(len(r.Front)) }, form: "%.1f", error: true},
	}
}

// result names a result of Chu et al. 2024.
type result struct {
	task, method string
	calls        int
}

//go:embed paper.tsv
var paperTable string

// published returns the results of Chu et al. 2024, mean ± standard error of ten runs, from the table "Optimization
// results of applying InvBO or inversion method" of the appendix.
func published() map[result]string {
	results := map[result]string{}
	for _, f := range table(paperTable)[1:] { // after the header: task, method, 100, 300, 500
		for i, calls := range milestones {
			results[result{f[0], f[1], calls}] = f[2+i]
		}
	}
	return results
}

// table returns the cells of a built-in table.
func table(tsv string) (rows [][]string) {
	for line := range strings.Lines(tsv) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

// PrintTable writes means and standard errors of a task's rows in Markdown, the paper's results below ours.
func PrintTable(w io.Writer, t task.Task, rows []Row, seconds bool) {
	columns := columns(rows, seconds)
	table := [][]string{{"method", "runs"}}
	for _, c := range columns {
		table[0] = append(table[0], c.title)
	}
	published := published()
	for _, row := range rows {
		ours, theirs := []string{row.Method, row.count()}, []string{"– in the paper", "10"}
		found := false
		for _, c := range columns {
			ours = append(ours, c.text(row.Runs))
			text, ok := published[result{t.Name, row.Method, c.calls}]
			theirs = append(theirs, cmp.Or(text, "–"))
			found = found || ok
		}
		table = append(table, ours)
		if found {
			table = append(table, theirs)
		}
	}
	writeMarkdown(w, table)
}

// printColumns writes columns of rows in Markdown.
func printColumns(w io.Writer, rows []Row, columns []column) {
	table := [][]string{{"method", "runs"}}
	for _, c := range columns {
		table[0] = append(table[0], c.title)
	}
	for _, row := range rows {
		cells := []string{row.Method, row.count()}
		for _, c := range columns {
			cells = append(cells, c.text(row.Runs))
		}
		table = append(table, cells)
	}
	writeMarkdown(w, table)
}

// known returns the numbers of the runs that have one.
func (c column) known(runs []experiment.Result) []float64 {
	return slices.DeleteFunc(stats.Map(runs, c.of), math.IsNaN)
}

// text formats the mean of the runs' numbers.
func (c column) text(runs []experiment.Result) string {
	known := c.known(runs)
	if len(known) == 0 {
		return "–"
	}
	mean, stdErr := stats.MeanStdErr(known)
	if !c.error || len(known) == 1 {
		return fmt.Sprintf(c.form, mean)
	}
	return fmt.Sprintf(c.form+" ± "+c.form, mean, stdErr)
}

// writeMarkdown writes a table, whose first row is its header.
func writeMarkdown(w io.Writer, rows [][]string) {
	for i, cells := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(cells)))
		}
	}
}
