package paper

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// The protocol of PMO (Gao et al. 2022, "Sample efficiency matters"), without its three tasks that need a trained
// classifier.
const (
	PMOBudget = 10_000 // oracle calls, those for the first molecules included
	pmoStart  = 10     // molecules of the library to start from
	pmoEvery  = 100    // calls between two points of the curve
)

// PMOTask is a task of PMO.
type PMOTask struct {
	Name, Task string    // in PMO, and here
	published  []float64 // area under the curve of each of the published methods
}

//go:embed pmo.tsv
var pmoTable string

// PMOTasks returns the tasks of PMO, with results after PMOBudget calls as the authors of SynGBO (ICLR 2026) report
// them, and the methods that these are of. Isomers are scored as in GuacaMol.
func PMOTasks() (tasks []PMOTask, methods []string) {
	rows := table(pmoTable)
	for _, f := range rows[1:] {
		t := PMOTask{Name: f[0], Task: f[1]}
		for _, text := range f[2:] {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				panic(err) // the file is part of the program
			}
			t.published = append(t.published, v)
		}
		tasks = append(tasks, t)
	}
	return tasks, rows[0][2:]
}

// PMOTasksNamed returns tasks by their names in PMO or here, each once; all if there are no names.
func PMOTasksNamed(names []string) ([]PMOTask, error) {
	all, _ := PMOTasks()
	if len(names) == 0 {
		return all, nil
	}
	var found []PMOTask
	for _, name := range names {
		t, err := usage.Find("task of PMO", name, all, func(t PMOTask) string {
			if t.Task == name {
				return name
			}
			return t.Name
		})
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(found, func(other PMOTask) bool { return other.Name == t.Name }) {
			found = append(found, t)
		}
	}
	return found, nil
}

// PMOSpec returns s with PMO's initial design and a budget of so many calls, those for the initial design included.
func PMOSpec(s experiment.RunSpec, budget int) (experiment.RunSpec, error) {
	if budget <= pmoStart {
		return s, usage.Errorf("give more than the %d calls for the molecules to start from", pmoStart)
	}
	s.Init, s.Budget = experiment.Init{Library: pmoStart}, budget-pmoStart
	return s, nil
}

// topAUC returns PMO's score of a run: the area under the curve of the mean of the ten best values, at 0, 100, 200, …
// calls and the last one, as a share of the budget. The curve begins at 0, and its end holds to the end of the budget.
func topAUC(trials []study.Trial, budget int) float64 {
	var best experiment.Leaders
	var area, before float64
	last := 0
	point := func() {
		now := best.Mean()
		area += float64(best.Calls-last) * (before + now) / 2
		before, last = now, best.Calls
	}
	for _, t := range trials {
		if !t.Called {
			continue
		}
		best.Take(t)
		if best.Calls%pmoEvery == 0 {
			point()
		}
	}
	point()
	return (area + float64(budget-best.Calls)*before) / float64(budget)
}

// PrintPMO writes the area under the curve of each task and method in Markdown, mean ± standard error over seeds, and
// the sums over the tasks. rows has those of each task; published results are shown beside those of PMOBudget calls.
func PrintPMO(w io.Writer, tasks []PMOTask, rows [][]Row, budget int) {
	auc := column{of: func(r experiment.Result) float64 { return float64(r.AUC) }, form: "%.3f", error: true}
	header := []string{"task"}
	for _, row := range rows[0] {
		header = append(header, row.Method)
	}
	if budget == PMOBudget {
		_, published := PMOTasks()
		header = append(header, published...)
	}
	table := [][]string{header}
	sums := make([]float64, len(header)-1)
	for i, t := range tasks {
		cells := []string{t.Name}
		if t.Name != t.Task {
			cells[0] += " (" + t.Task + ")"
		}
		for k, row := range rows[i] {
			mean, _ := stats.MeanStdErr(auc.known(row.Runs)) // NaN without runs
			sums[k] += mean
			text := auc.text(row.Runs)
			if n := len(row.Runs); n > 0 && n < row.Wanted {
				text += " (" + row.count() + ")"
			}
			cells = append(cells, text)
		}
		for k, v := range t.published[:len(header)-len(cells)] {
			cells = append(cells, fmt.Sprintf(auc.form, v))
			sums[len(rows[i])+k] += v
		}
		table = append(table, cells)
	}
	total := []string{fmt.Sprintf("sum of %d", len(tasks))}
	for _, sum := range sums {
		text := "–"
		if !math.IsNaN(sum) {
			text = fmt.Sprintf(auc.form, sum)
		}
		total = append(total, text)
	}
	writeMarkdown(w, append(table, total))
}
