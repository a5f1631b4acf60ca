package experiment

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// The protocol of PMO (Gao et al. 2022, "Sample efficiency matters"), without its three tasks that need a trained classifier.
const (
	PMOBudget = 10_000 // oracle calls, those for the first molecules included
	pmoStart  = 10     // molecules of the library to start from
	pmoTop    = 10     // best scores that are averaged
	pmoEvery  = 100    // calls between two points of the curve
)

// PMOTask is a task of PMO.
type PMOTask struct {
	Name, Task string    // in PMO, and here
	published  []float64 // area under the curve of each of pmoPublished
}

//go:embed pmo.tsv
var pmo string

// PMOTasks returns the tasks of PMO, with results after PMOBudget calls as the authors of SynGBO (ICLR 2026) report them, and the
// methods that these are of. Isomers are scored as in GuacaMol.
func PMOTasks() (tasks []PMOTask, methods []string) {
	for i, line := range strings.Split(strings.TrimSpace(pmo), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 {
			methods = f[2:]
			continue
		}
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
	return tasks, methods
}

// PMOTasksNamed returns tasks by their names in PMO or here, each once; all if there are no names.
func PMOTasksNamed(names []string) ([]PMOTask, error) {
	all, _ := PMOTasks()
	if len(names) == 0 {
		return all, nil
	}
	var found []PMOTask
	for _, name := range names {
		if i := slices.IndexFunc(all, func(t PMOTask) bool { return t.Task == name }); i >= 0 {
			name = all[i].Name
		}
		t, err := usage.Find("task of PMO", name, all, func(t PMOTask) string { return t.Name })
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(found, func(other PMOTask) bool { return other.Name == t.Name }) {
			found = append(found, t)
		}
	}
	return found, nil
}

// PMO returns s with PMO's initial design and a budget of so many calls, those for the initial design included.
func (s RunSpec) PMO(budget int) (RunSpec, error) {
	if budget <= pmoStart {
		return s, usage.Errorf("--budget %d: give more than the %d calls for the molecules to start from", budget, pmoStart)
	}
	s.Init, s.Budget = Init{Library: pmoStart}, budget-pmoStart
	return s, nil
}

// leaders are the best scores of a run, of which PMO's score is made.
type leaders struct {
	top   []float64 // ascending
	calls int
	fresh bool // one was found since the latest call of stale
	last  int  // calls when stale learnt of the latest one
}

// take counts a trial, and keeps its score if it is among the best.
func (l *leaders) take(t study.Trial) {
	if t.Called {
		l.calls++
	}
	if t.State == study.Scored && (len(l.top) < pmoTop || t.Value > l.top[0]) {
		at, _ := slices.BinarySearch(l.top, t.Value)
		l.top = slices.Insert(l.top, at, t.Value)
		l.top = l.top[max(0, len(l.top)-pmoTop):]
		l.fresh = true
	}
}

// stale returns the number of calls in batches since one of them was found. It is called after each batch: what it returns does not
// depend on the order of the answers within one.
func (l *leaders) stale() int {
	if l.fresh {
		l.fresh, l.last = false, l.calls
	}
	return l.calls - l.last
}

// mean returns their mean; 0 if there is none.
func (l *leaders) mean() float64 {
	if len(l.top) == 0 {
		return 0
	}
	m, _ := stats.MeanStdErr(l.top)
	return m
}

// topAUC returns PMO's score of a run: the area under the curve of the mean of the ten best values, at 0, 100, 200, … calls and
// the last one, as a share of the budget. The curve begins at 0, and its end holds to the end of the budget.
func topAUC(trials []study.Trial, budget int) float64 {
	var best leaders
	var area, before float64
	last := 0
	point := func() {
		now := best.mean()
		area += float64(best.calls-last) * (before + now) / 2
		before, last = now, best.calls
	}
	for _, t := range trials {
		if !t.Called {
			continue
		}
		best.take(t)
		if best.calls%pmoEvery == 0 {
			point()
		}
	}
	point()
	return (area + float64(budget-best.calls)*before) / float64(budget)
}

// PrintPMO writes the area under the curve of each task and method in Markdown, mean ± standard error over seeds, and the sums over
// the tasks. rows has those of each task; published results are shown beside those of PMOBudget calls.
func PrintPMO(w io.Writer, tasks []PMOTask, rows [][]MethodRow, budget int) {
	auc := column{of: func(r Result) float64 { return float64(r.AUC) }, form: "%.3f", error: true}
	titles := []string{"task"}
	for _, row := range rows[0] {
		titles = append(titles, row.Method)
	}
	_, published := PMOTasks()
	if budget == PMOBudget {
		titles = append(titles, published...)
	}
	line := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	line(titles)
	fmt.Fprintln(w, "|"+strings.Repeat("---|", len(titles)))
	sums := make([]float64, len(titles)-1)
	for i, t := range tasks {
		cells := []string{t.Name}
		if t.Name != t.Task {
			cells[0] += " (" + t.Task + ")"
		}
		for k, row := range rows[i] {
			var aucs []float64
			for _, r := range row.Runs {
				aucs = append(aucs, auc.of(r))
			}
			mean, _ := stats.MeanStdErr(aucs) // NaN without runs
			sums[k] += mean
			text := auc.text(row.Runs)
			if len(aucs) > 0 && row.Missing > 0 {
				text += fmt.Sprintf(" (%d of %d)", len(aucs), len(aucs)+row.Missing)
			}
			cells = append(cells, text)
		}
		for k, v := range t.published[:len(titles)-len(cells)] {
			cells = append(cells, fmt.Sprintf("%.3f", v))
			sums[len(rows[i])+k] += v
		}
		line(cells)
	}
	cells := []string{fmt.Sprintf("sum of %d", len(tasks))}
	for _, sum := range sums {
		text := "–"
		if !math.IsNaN(sum) {
			text = fmt.Sprintf("%.3f", sum)
		}
		cells = append(cells, text)
	}
	line(cells)
}
