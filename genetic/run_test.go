package genetic_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evaluate"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
)

// logPOracle refuses bromine. It counts its calls.
func logPOracle(t testing.TB, calls *atomic.Int64) oracle.Oracle {
	return oracle.Func(func(x string) oracle.Result {
		calls.Add(1)
		if strings.Contains(x, "Br") {
			return oracle.Result{Score: math.NaN(), Reason: "bromine"}
		}
		return oracle.Result{Score: logP(t, x)}
	})
}

func initial(scored float64, smiles ...string) []invbo.Observation {
	var init []invbo.Observation
	for _, s := range smiles {
		init = append(init, invbo.Observation{X: s, Y: scored, Scored: !math.IsNaN(scored)})
	}
	return init
}

func TestRunWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	p := evaluate.Problem{Oracle: oracle.Func(func(string) oracle.Result { return oracle.Result{} }), Init: initial(1, start...)}
	if _, err := genetic.Run(t.Context(), p, genetic.RunOptions{}); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("Run: %v, want ErrNoRDKit", err)
	}
}

// TestRunCounts follows the trials of a run: what costs a call, what is recorded, and in which order.
func TestRunCounts(t *testing.T) {
	needRDKit(t)
	var calls atomic.Int64
	init := slices.Concat(
		initial(math.NaN(), start...),
		initial(0.5, "CCCCCC"),
		initial(0.7, "C1CCCCC1O", "OC1CCCCC1"), // one molecule
		initial(math.NaN(), "C(", "OCCCCCC", "CCCCCBr"),
	)
	var recorded []invbo.Trial
	var last invbo.Status
	ledger, err := genetic.Run(t.Context(), evaluate.Problem{Oracle: logPOracle(t, &calls), Init: init}, genetic.RunOptions{
		Options: evaluate.Options{
			Budget: 150,
			Record: func(t invbo.Trial) error { recorded = append(recorded, t); return nil },
			Watch:  func(s invbo.Status) { last = s },
		},
		Constants: genetic.Options{Mutation: 0.5},
	})
	if err != nil {
		t.Fatal(err)
	}
	trials := ledger.Trials()
	counts := map[string]int{}
	inputs := map[string]bool{}
	best := math.NaN()
	for i, trial := range trials {
		key := string(trial.Kind)
		if trial.Called {
			key += ", called"
		}
		if trial.Reason != "" {
			key += ": " + trial.Reason
		}
		counts[key]++
		if trial.N != i+1 || (trial.Kind == invbo.Initial) != (trial.Batch == 0) {
			t.Errorf("trial %d: %+v", i+1, trial)
		}
		if trial.Input != "" && inputs[trial.Input] {
			t.Errorf("trial %d: %s was recorded before", trial.N, trial.Input)
		}
		inputs[trial.Input] = true
		if !(trial.Score <= best) && !math.IsNaN(trial.Score) {
			best = trial.Score
		}
	}
	bromides := counts["acquired, called: bromine"]
	for key, want := range map[string]int{
		"initial": 2, "initial: SMILES Parse Error: syntax error": 1, "initial, called": len(start), "initial, called: bromine": 1,
		"acquired, called": 150 - bromides, "acquired": 0,
	} {
		if counts[key] != want {
			t.Errorf("%d trials %q, want %d", counts[key], key, want)
		}
	}
	if bromides == 0 {
		t.Error("no bromide was tried")
	}
	if got, want := int(calls.Load()), len(start)+1+150; got != want {
		t.Errorf("%d calls of the oracle, want %d", got, want)
	}
	if last.OracleCalls != 150 || last.InitCalls != len(start)+1 || last.Best.Score != best || last.Batch != trials[len(trials)-1].Batch {
		t.Errorf("status %+v, want 150 calls and best score %g", last, best)
	}
	same := func(a, b invbo.Trial) bool { return a.N == b.N && a.X == b.X }
	if !slices.EqualFunc(recorded, trials, same) {
		t.Errorf("%d trials recorded, %d returned, or others", len(recorded), len(trials))
	}
}

func TestRunMinimizes(t *testing.T) {
	needRDKit(t)
	var calls atomic.Int64
	p := evaluate.Problem{Oracle: logPOracle(t, &calls), Init: initial(math.NaN(), start...), Minimize: true}
	ledger, err := genetic.Run(t.Context(), p, genetic.RunOptions{Options: evaluate.Options{Budget: 200}})
	if err != nil {
		t.Fatal(err)
	}
	if least := logP(t, "OCC(O)C(O)CO"); ledger.Best().Score >= least { // the least to start from
		t.Errorf("logP %g, want less than %g", ledger.Best().Score, least)
	}
}

func TestRunIsReproducible(t *testing.T) {
	needRDKit(t)
	run := func(procs, workers int) []string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		var calls atomic.Int64
		p := evaluate.Problem{Oracle: logPOracle(t, &calls), Init: initial(math.NaN(), start...)}
		ledger, err := genetic.Run(t.Context(), p, genetic.RunOptions{Options: evaluate.Options{Budget: 100, Workers: workers}, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		var inputs []string
		for _, trial := range ledger.Trials() {
			inputs = append(inputs, trial.Input)
		}
		return inputs
	}
	if first := run(1, 1); !slices.Equal(run(3, 8), first) {
		t.Error("other trials with 8 workers on 3 processors")
	}
}

// TestRunEnds: an end from outside leaves all trials before it recorded.
func TestRunEnds(t *testing.T) {
	needRDKit(t)
	broken := errors.New("broken")
	ctx, cancel := context.WithCancelCause(t.Context())
	tests := []struct {
		name   string
		ctx    context.Context
		record func(invbo.Trial) error

		least, most int // trials
	}{
		{"cancelled by the twentieth trial", ctx, func(t invbo.Trial) error {
			if t.N == 20 {
				cancel(broken)
			}
			return nil
		}, 20, 14 + 70}, // those of the generation that had been scored
		{"the twentieth is not recorded", t.Context(), func(t invbo.Trial) error {
			if t.N == 20 {
				return broken
			}
			return nil
		}, 19, 19},
	}
	for _, test := range tests {
		var calls atomic.Int64
		p := evaluate.Problem{Oracle: logPOracle(t, &calls), Init: initial(math.NaN(), start...)}
		ledger, err := genetic.Run(test.ctx, p, genetic.RunOptions{Options: evaluate.Options{Workers: 1, Record: test.record}})
		if !errors.Is(err, broken) {
			t.Errorf("%s: error %v", test.name, err)
		}
		if n := len(ledger.Trials()); n < test.least || n > test.most {
			t.Errorf("%s: %d trials", test.name, n)
		}
	}
}

func TestRunErrors(t *testing.T) {
	needRDKit(t)
	var calls atomic.Int64
	scores := logPOracle(t, &calls)
	tests := []struct {
		name    string
		problem evaluate.Problem
		opts    genetic.RunOptions
		want    string
	}{
		{"no oracle", evaluate.Problem{Init: initial(1, start...)}, genetic.RunOptions{}, "needs an Oracle"},
		{"no molecules", evaluate.Problem{Oracle: scores, Init: initial(1, "C(", "X")}, genetic.RunOptions{}, "none of 0 molecules"},
		{"budget", evaluate.Problem{Oracle: scores}, genetic.RunOptions{Options: evaluate.Options{Budget: -1}}, "budget -1"},
	}
	for _, test := range tests {
		_, err := genetic.Run(t.Context(), test.problem, test.opts)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}
