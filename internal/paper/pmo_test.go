package paper

import (
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/oracle/guacamol"
	"github.com/invbo/invbo/study"
)

// calls returns calls with these values; NaN: without a score.
func calls(values ...float64) []study.Trial {
	var trials []study.Trial
	for _, v := range values {
		t := study.Trial{State: study.Scored, Value: v, Called: true}
		if math.IsNaN(v) {
			t.State = study.Failed
		}
		trials = append(trials, t)
	}
	return trials
}

// repeat returns n calls of a value.
func repeat(n int, value float64) []study.Trial {
	trials := make([]study.Trial, n)
	for i := range trials {
		trials[i] = calls(value)[0]
	}
	return trials
}

func TestTopAUC(t *testing.T) {
	join := func(parts ...[]study.Trial) (all []study.Trial) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	given := study.Trial{State: study.Scored, Value: 1} // costs no call
	for _, test := range []struct {
		name   string
		trials []study.Trial
		budget int
		want   float64
	}{
		{"no score", calls(math.NaN(), math.NaN()), 2, 0},
		{"constant: the first step rises from 0", repeat(200, 0.8), 200, (100*0.4 + 100*0.8) / 200},
		{"less than a step", repeat(30, 0.8), 30, 0.4},
		{"ended early: the last value holds", repeat(50, 0.8), 200, (50*0.4 + 150*0.8) / 200},
		{"ended early, after a step", repeat(150, 0.8), 200, (100*0.4 + 50*0.8 + 50*0.8) / 200},
		{"mean of the ten best", join(repeat(100, 0), repeat(5, 1), repeat(95, 0.5)), 200, 100 * (0 + 0.75) / 2 / 200},
		{"worse scores change nothing", join(repeat(100, 0.5), repeat(200, 0.1)), 300, (100*0.25 + 200*0.5) / 300},
		{"fewer than ten", calls(0.2, 0.4), 2, 0.15},
		{"failures are calls", join(calls(0.6), repeat(199, math.NaN())), 200, (100*0.3 + 100*0.6) / 200},
		{"what costs no call does not count", join([]study.Trial{given}, repeat(100, 0.5)), 100, 0.25},
	} {
		if got := topAUC(test.trials, test.budget); !(math.Abs(got-test.want) <= 1e-12) {
			t.Errorf("%s: %g, want %g", test.name, got, test.want)
		}
	}
}

// PMO's tasks are tasks of this program, and the published sums are those of the publications.
func TestPMOTasks(t *testing.T) {
	tasks, methods := PMOTasks()
	if len(tasks) != 20 || strings.Join(methods, ", ") != "Tripp GP, SynGBO, Genetic GFN, f-RAG" {
		t.Errorf("%d tasks and published %q", len(tasks), methods)
	}
	known := map[string]bool{}
	for _, g := range guacamol.Tasks() {
		known[g.Name] = true
	}
	sums := make([]float64, len(methods))
	for _, p := range tasks {
		if !known[p.Task] {
			t.Errorf("%s is %q here, which is no task", p.Name, p.Task)
		}
		known[p.Task] = false // each once
		for i, v := range p.published {
			sums[i] += v
		}
	}
	for i, want := range []float64{13.740, 13.849, 13.594, 14.063} {
		if math.Abs(sums[i]-want) > 1e-9 {
			t.Errorf("%s: sum %.3f, want %.3f", methods[i], sums[i], want)
		}
	}
	found, err := PMOTasksNamed([]string{"adip", "median2", "med2", "amlodipine_mpo"})
	if err != nil || len(found) != 2 || found[0].Name != "amlodipine_mpo" || found[1].Task != "med2" {
		t.Errorf("tasks named adip and median2: %v, %v", found, err)
	}
	if _, err := PMOTasksNamed([]string{"gsk3b"}); err == nil {
		t.Error("gsk3b needs a classifier, and is found")
	}
}

func TestPrintPMO(t *testing.T) {
	runs := func(aucs ...float64) (all []experiment.Result) {
		for _, v := range aucs {
			all = append(all, experiment.Result{Summary: experiment.Summary{AUC: experiment.Number(v)}})
		}
		return all
	}
	tasks, err := PMOTasksNamed([]string{"med2", "qed"})
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]Row{
		{{Method: "evolve", Runs: runs(0.4, 0.5), Wanted: 2}, {Method: "gbga", Runs: runs(0.25), Wanted: 2}},
		{{Method: "evolve", Runs: runs(0.9, 0.9), Wanted: 2}, {Method: "gbga", Wanted: 2}},
	}
	var text strings.Builder
	PrintPMO(&text, tasks, rows, PMOBudget)
	const want = `| task | evolve | gbga | Tripp GP | SynGBO | Genetic GFN | f-RAG |
|---|---|---|---|---|---|---|
| median2 (med2) | 0.450 ± 0.050 | 0.250 (1 of 2) | 0.408 | 0.349 | 0.294 | 0.323 |
| qed | 0.900 ± 0.000 | – | 0.947 | 0.940 | 0.942 | 0.939 |
| sum of 2 | 1.350 | – | 1.355 | 1.289 | 1.236 | 1.262 |
`
	if text.String() != want {
		t.Errorf("table\n%swant\n%s", &text, want)
	}
	text.Reset()
	PrintPMO(&text, tasks, rows, 1000)
	if first, _, _ := strings.Cut(text.String(), "\n"); first != "| task | evolve | gbga |" {
		t.Errorf("with 1,000 calls the table begins %q: published results are of 10,000", first)
	}
}

func TestPMOSpec(t *testing.T) {
	s, err := PMOSpec(experiment.RunSpec{Task: "med2", Method: "random", Seed: 3}, 1000)
	if err != nil || s.Budget != 990 || s.Init.Library != 10 || s.Init.Random != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = s.Resolve(); err != nil || s.Init.Library != 10 || s.Init.Random != 0 || s.Weights.Given() {
		t.Errorf("resolved: %+v, %v; want the same start, and no model", s, err)
	}
	if _, err := PMOSpec(experiment.RunSpec{}, 10); err == nil {
		t.Errorf("a budget of 10: %v", err)
	}
}
