package tanimoto_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evaluate"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/tanimoto"
)

// start are simple molecules to start from.
func start() []invbo.Observation {
	var init []invbo.Observation
	for _, s := range []string{
		"CCCCCCO", "CCOC(=O)CC", "CCN(CC)CC", "CC(=O)NCCO", "C1CCNCC1", "C1COCCN1", "Oc1ccccc1C", "Cc1ccncc1", "Cc1cc[nH]c1",
		"CC(=O)Nc1ccc(O)cc1", "CN1CCCC1c1cccnc1", "NS(=O)(=O)c1ccccc1", "O=C(O)c1ccccc1O", "OCC(O)C(O)CO",
	} {
		init = append(init, invbo.Observation{X: s})
	}
	return init
}

func needRDKit(t *testing.T) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

func parse(t *testing.T, smiles string) *molecule.Molecule {
	t.Helper()
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// logP refuses bromine.
func logP(t *testing.T) oracle.Oracle {
	return oracle.Func(func(x string) oracle.Result {
		if strings.Contains(x, "Br") {
			return oracle.Result{Score: math.NaN(), Reason: "bromine"}
		}
		return oracle.Result{Score: parse(t, x).LogP()}
	})
}

func options(budget int) tanimoto.Options {
	return tanimoto.Options{Options: evaluate.Options{Budget: budget}}
}

func TestWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	if _, err := tanimoto.Run(t.Context(), evaluate.Problem{Oracle: logP(t)}, options(1)); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("Run: %v, want ErrNoRDKit", err)
	}
}

func TestRunImproves(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name     string
		minimize bool
		initial  float64 // best logP to start from
		gain     float64
	}{
		{"maximize", false, parse(t, "Oc1ccccc1C").LogP(), 2},
		{"minimize", true, parse(t, "OCC(O)C(O)CO").LogP(), 1},
	}
	for _, test := range tests {
		l, err := tanimoto.Run(t.Context(), evaluate.Problem{Oracle: logP(t), Minimize: test.minimize, Init: start()}, options(15))
		if err != nil {
			t.Fatal(err)
		}
		gain := l.Best().Score - test.initial
		if test.minimize {
			gain = -gain
		}
		if gain < test.gain {
			t.Errorf("%s: logP %g of %s, a gain of %g, want %g", test.name, l.Best().Score, l.Best().Input, gain, test.gain)
		}
		s := l.Status()
		if s.OracleCalls != 15 || s.Batch != 3 || math.IsNaN(s.Ranking) || s.Timing.Fit <= 0 || s.Timing.Acquire <= 0 {
			t.Errorf("%s: status %+v", test.name, s)
		}
		seen := map[string]bool{}
		for _, trial := range l.Trials() {
			if seen[trial.Input] {
				t.Errorf("%s: trial %d: %s was known", test.name, trial.N, trial.Input)
			}
			seen[trial.Input] = true
			if math.IsNaN(trial.Predicted) == (trial.Kind == invbo.Acquired) {
				t.Errorf("%s: trial %d: %s, predicted %g", test.name, trial.N, trial.Kind, trial.Predicted)
			}
		}
	}
}

// Molecules that are not feasible are not asked for, those to start from apart.
func TestOnlyTheFeasibleIsAskedFor(t *testing.T) {
	needRDKit(t)
	const forbidden = "N"
	l, err := tanimoto.Run(t.Context(), evaluate.Problem{Oracle: logP(t), Init: start(), Feasible: func(s string) (bool, error) {
		return !strings.Contains(s, forbidden), nil
	}}, options(15))
	if err != nil {
		t.Fatal(err)
	}
	if calls := l.Status().OracleCalls; calls != 15 {
		t.Errorf("%d calls, want 15", calls)
	}
	for _, trial := range l.Trials() {
		if trial.Kind == invbo.Acquired && strings.Contains(trial.Input, forbidden) {
			t.Errorf("trial %d asks for %s", trial.N, trial.Input)
		}
	}
}

// What is predicted of the first batch is the mean of the GP that the package's doc describes:
// k(x, X)(K(X, X) + 10⁻⁴)⁻¹ y.
func TestPredicted(t *testing.T) {
	needRDKit(t)
	opts := options(4)
	opts.Batch = 4
	opts.Transform = func(y []float64) []float64 { // any that is easy to follow
		half := slices.Clone(y)
		for i := range half {
			half[i] /= 2
		}
		return half
	}
	l, err := tanimoto.Run(t.Context(), evaluate.Problem{Oracle: logP(t), Init: start()}, opts)
	if err != nil {
		t.Fatal(err)
	}
	n := len(start())
	trials := l.Trials()
	counts := make([]molecule.Counts, len(trials))
	for i, trial := range trials {
		counts[i] = parse(t, trial.Input).ECFP(3).Fold(2048)
	}
	k := mat.NewDense(n, n, nil)
	y := mat.NewVecDense(n, nil)
	for i := range n {
		y.SetVec(i, trials[i].Score/2)
		for j := range n {
			k.Set(i, j, molecule.Tanimoto(counts[i], counts[j]))
		}
		k.Set(i, i, 1+1e-4)
	}
	var weights mat.VecDense
	if err := weights.SolveVec(k, y); err != nil {
		t.Fatal(err)
	}
	for i, trial := range trials[n:] {
		want := 0.0
		for j := range n {
			want += molecule.Tanimoto(counts[n+i], counts[j]) * weights.AtVec(j)
		}
		if !(math.Abs(trial.Predicted-want) <= 1e-9) {
			t.Errorf("%s: predicted %g, want %g", trial.Input, trial.Predicted, want)
		}
	}
}

func TestRunIsReproducible(t *testing.T) {
	needRDKit(t)
	run := func(procs int, seed uint64) (trials []string, predicted []float64) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		opts := options(10)
		opts.Seed = seed
		l, err := tanimoto.Run(t.Context(), evaluate.Problem{Oracle: logP(t), Init: start()}, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, trial := range l.Trials()[len(start()):] {
			trials, predicted = append(trials, trial.Input), append(predicted, trial.Predicted)
		}
		return trials, predicted
	}
	trials, predicted := run(1, 1)
	again, predictedAgain := run(3, 1)
	if !slices.Equal(again, trials) || !slices.Equal(predictedAgain, predicted) {
		t.Errorf("on 3 processors %v %v, on one %v %v", again, predictedAgain, trials, predicted)
	}
	if others, _ := run(3, 2); slices.Equal(others, trials) {
		t.Error("the same trials from another seed")
	}
}

func TestRunEnds(t *testing.T) {
	needRDKit(t)
	refusing := oracle.Func(func(string) oracle.Result { return oracle.Result{Score: math.NaN(), Reason: "no"} })
	negative := options(1)
	negative.Batch = -1
	tests := []struct {
		name    string
		problem evaluate.Problem
		opts    tanimoto.Options
		calls   int
		want    string // of the error
	}{
		{"too small to have children", evaluate.Problem{Oracle: logP(t), Init: []invbo.Observation{{X: "C"}, {X: "O"}}}, options(5), 0, ""},
		{"no score", evaluate.Problem{Oracle: refusing, Init: start()}, options(5), 0, "no molecule has a score"},
		{"batch", evaluate.Problem{Oracle: logP(t), Init: start()}, negative, 0, "batch -1"},
	}
	for _, test := range tests {
		l, err := tanimoto.Run(t.Context(), test.problem, test.opts)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if l != nil && l.Status().OracleCalls != test.calls {
			t.Errorf("%s: %d calls, want %d", test.name, l.Status().OracleCalls, test.calls)
		}
	}
}

// A run whose context ends in its first batch has recorded that batch, and no more.
func TestRunStopsWithItsContext(t *testing.T) {
	needRDKit(t)
	enough := errors.New("enough")
	opts := options(50)
	ctx, cancel := context.WithCancelCause(t.Context())
	opts.Watch = func(invbo.Status) { cancel(enough) }
	l, err := tanimoto.Run(ctx, evaluate.Problem{Oracle: logP(t), Init: start()}, opts)
	if !errors.Is(err, enough) || l.Status().OracleCalls != 5 {
		t.Errorf("%v after %d calls, want enough after 5", err, l.Status().OracleCalls)
	}
}
