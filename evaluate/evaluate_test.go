package evaluate_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evaluate"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
)

func needRDKit(t *testing.T) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

// byLength scores a SMILES by its length, and refuses bromine.
var byLength = oracle.Func(func(x string) oracle.Result {
	if strings.Contains(x, "Br") {
		return oracle.Result{Score: math.NaN(), Reason: "bromine"}
	}
	return oracle.Result{Score: float64(len(x))}
})

func proposals(smiles ...string) []evaluate.Proposal {
	var batch []evaluate.Proposal
	for _, s := range smiles {
		batch = append(batch, evaluate.Proposal{SMILES: s, Predicted: float64(len(s))})
	}
	return batch
}

func TestWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	if _, err := evaluate.New(evaluate.Problem{Oracle: byLength}, evaluate.Options{}); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("New: %v, want ErrNoRDKit", err)
	}
}

func TestLedger(t *testing.T) {
	needRDKit(t)
	var watched []int // calls after each batch
	l, err := evaluate.New(evaluate.Problem{
		Oracle: byLength, Minimize: true,
		Init: []invbo.Observation{{X: "OCC"}, {X: "CCO", Y: 7, Scored: true}, {X: "C("}, {X: "CCC", Y: 9, Scored: true}, {X: "CBr"}},
	}, evaluate.Options{Budget: 5, Watch: func(s invbo.Status) { watched = append(watched, s.OracleCalls) }})
	if err != nil {
		t.Fatal(err)
	}
	start, err := l.Start(t.Context())
	if err != nil || !slices.Equal(start, []string{"CCO", "CCC", "CBr"}) {
		t.Fatalf("Start = %q, %v", start, err)
	}
	for i, test := range []struct {
		batch []string
		calls int // after it
		want  error
	}{
		{[]string{"CCO", "CBr"}, 0, nil}, // known
		{[]string{"CCCC", "CCO", "CCCCCC", "CCCC"}, 2, nil},
		{[]string{"BrC", "CCCCC"}, 4, nil},
		{[]string{"N", "O", "F"}, 5, invbo.ErrDone}, // the budget is for one
	} {
		if err := l.Batch(t.Context(), proposals(test.batch...)); err != test.want || l.Status().OracleCalls != test.calls {
			t.Errorf("batch %d: %v, %d calls, want %v, %d", i, err, l.Status().OracleCalls, test.want, test.calls)
		}
	}
	want := []struct {
		x, input string
		batch    int
		score    float64 // −1: none
		called   bool
	}{
		{"CCO", "CCO", 0, 7, false}, {"C(", "", 0, -1, false}, {"CCC", "CCC", 0, 9, false}, {"CBr", "CBr", 0, -1, true},
		{"CCCC", "CCCC", 1, 4, true}, {"CCCCCC", "CCCCCC", 1, 6, true}, {"BrC", "BrC", 2, -1, true}, {"CCCCC", "CCCCC", 2, 5, true}, {"N", "N", 3, 1, true},
	}
	trials := l.Trials()
	for i, w := range want[:min(len(want), len(trials))] {
		got := trials[i]
		scored := got.Score == w.score || w.score == -1 && math.IsNaN(got.Score) && got.Reason != ""
		if got.N != i+1 || got.X != w.x || got.Input != w.input || got.Batch != w.batch || got.Called != w.called || !scored {
			t.Errorf("trial %d: %+v, want %+v", i+1, got, w)
		}
	}
	if len(trials) != len(want) || !slices.Equal(watched, []int{2, 4, 5}) {
		t.Errorf("%d trials, calls %v after the batches, want %d, [2 4 5]", len(trials), watched, len(want))
	}
	s := l.Status()
	// Longer strings were predicted to be better, and shorter ones are.
	if s.Best.Input != "N" || l.Best() != s.Best || s.Ranking != -1 || s.InitCalls != 1 || !math.IsNaN(s.Aligned) {
		t.Errorf("status %+v", s)
	}
	smiles, y := l.Scored()
	if !slices.Equal(smiles, []string{"CCO", "CCC", "CCCC", "CCCCCC", "CCCCC", "N"}) || !slices.Equal(y, []float64{-7, -9, -4, -6, -5, -1}) {
		t.Errorf("scored %q %v", smiles, y)
	}
	if y, ok := l.Value("CBr"); !ok || !math.IsNaN(y) {
		t.Errorf("bromide: %g, %t, want NaN, true", y, ok)
	}
	if _, ok := l.Value("CS"); ok {
		t.Error("CS is known")
	}
}

// Molecules are scored side by side, as many as there may be.
func TestWorkers(t *testing.T) {
	needRDKit(t)
	const workers = 3
	var at, most atomic.Int64
	together := make(chan struct{}) // closed by the last of three
	meet := oracle.Func(func(x string) oracle.Result {
		n := at.Add(1)
		defer at.Add(-1)
		if n > most.Load() {
			most.Store(n)
		}
		if n == workers {
			close(together)
		}
		<-together
		return oracle.Result{Score: 1}
	})
	l, err := evaluate.New(evaluate.Problem{Oracle: meet}, evaluate.Options{Workers: workers, Budget: 4})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Batch(t.Context(), proposals("C", "N", "O")); err != nil || most.Load() != workers {
		t.Errorf("%v, %d at a time, want %d", err, most.Load(), workers)
	}
}

func TestErrors(t *testing.T) {
	needRDKit(t)
	broken := errors.New("broken")
	failing := failingOracle{broken}
	if _, err := evaluate.New(evaluate.Problem{}, evaluate.Options{}); err == nil || !strings.Contains(err.Error(), "needs an Oracle") {
		t.Errorf("no oracle: %v", err)
	}
	if _, err := evaluate.New(evaluate.Problem{Oracle: failing}, evaluate.Options{Workers: -1}); err == nil || !strings.Contains(err.Error(), "workers -1") {
		t.Errorf("workers: %v", err)
	}
	l, err := evaluate.New(evaluate.Problem{Oracle: failing, Init: []invbo.Observation{{X: "C"}}}, evaluate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Start(t.Context()); !errors.Is(err, broken) || !strings.Contains(err.Error(), `trial 1: score "C"`) {
		t.Errorf("Start: %v", err)
	}
}

type failingOracle struct{ err error }

func (o failingOracle) Score(context.Context, []string) ([]oracle.Result, error) {
	return nil, o.err
}
