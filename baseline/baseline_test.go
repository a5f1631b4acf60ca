package baseline_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

// start are simple molecules: the initial design.
var start = []string{
	"CCCCCCO", "CCOC(=O)CC", "CCN(CC)CC", "CC(=O)NCCO", "C1CCNCC1", "C1COCCN1", "Cc1ccccc1O", "Cc1ccncc1", "Cc1cc[nH]c1",
	"CC(=O)Nc1ccc(O)cc1", "CN1CCCC1c1cccnc1", "NS(=O)(=O)c1ccccc1", "O=C(O)c1ccccc1O", "OCC(O)C(O)CO",
}

func initial(smiles ...string) []study.Observation {
	var init []study.Observation
	for _, s := range smiles {
		init = append(init, study.Observation{X: s})
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

// molecules is a problem: logP of molecules without bromine. calls counts those of the oracle.
func molecules(t *testing.T, calls *atomic.Int64) study.Problem {
	return study.Problem{
		Init: initial(start...), Translate: molecule.Canonical,
		Oracle: oracle.Func(func(x string) oracle.Result {
			calls.Add(1)
			if strings.Contains(x, "Br") {
				return oracle.Result{Score: math.NaN(), Reason: "bromine"}
			}
			return oracle.Result{Score: parse(t, x).LogP()}
		}),
	}
}

func words(_ context.Context, rng *rand.Rand, n int) ([]string, error) {
	x := make([]string, n)
	for i := range x {
		for range 5 {
			x[i] += string(rune('a' + rng.IntN(26)))
		}
	}
	return x, nil
}

var vowels = oracle.Func(func(x string) oracle.Result {
	n := 0.0
	for _, c := range x {
		if strings.ContainsRune("aeiou", c) {
			n++
		}
	}
	return oracle.Result{Score: n}
})

// letters is the space of words of five lower-case letters.
func letters() evolve.Space {
	edits := tokens.Edits{Alphabet: strings.Split("abcdefghijklmnopqrstuvwxyz", ""), Split: func(x string) []string { return strings.Split(x, "") }, Fixed: true}
	return evolve.Space{Operators: edits.Operators(), Read: func(x string) (evolve.Description, error) {
		if strings.Trim(x, "abcdefghijklmnopqrstuvwxyz") != "" {
			return evolve.Description{}, errors.New("not a word")
		}
		return evolve.Description{Infeasible: strings.Contains(x, "q")}, nil
	}}
}

// A GA improves on its start, whether the score is to be large or small, proposes nothing that the space rules out, and
// says when nothing is left.
func TestGA(t *testing.T) {
	for _, minimize := range []bool{false, true} {
		st := run(t, study.Problem{Oracle: vowels, Init: initial("stone", "brick", "glass", "aerie"), Minimize: minimize}, baseline.NewGA(letters(), 1), study.Options{Budget: 200})
		if want := map[bool]float64{false: 5, true: 0}[minimize]; st.Best().Score != want {
			t.Errorf("minimize %t: best %g of %s, want %g", minimize, st.Best().Score, st.Best().X, want)
		}
		for _, trial := range st.Trials() {
			if strings.Contains(trial.X, "q") {
				t.Errorf("%s was proposed", trial.X)
			}
		}
	}
	only := letters()
	only.Read = func(x string) (evolve.Description, error) { return evolve.Description{Infeasible: x > "brick"}, nil }
	only.Operators = []evolve.Operator{{Name: "end", Make: func(_ context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
		return []evolve.Child{{X: pairs[0][0][:4] + string("hijklm"[rng.IntN(6)])}}, nil
	}}}
	st, err := study.New(t.Context(), study.Problem{Oracle: vowels, Init: initial("brick", "brici")}, baseline.NewGA(only, 1), study.Options{Budget: 100})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Run(t.Context()); !errors.Is(err, study.ErrExhausted) {
		t.Errorf("error %v, want ErrExhausted", err)
	}
	if n := len(st.Trials()); n != 4 { // these, brich and bricj
		t.Errorf("%d trials, want 4: %v", n, st.Trials())
	}
}

// A method is a row of the tables of this file.
type method struct {
	name  string
	words bool // it searches words; otherwise molecules
	build func(seed uint64) (study.Searcher, error)
}

var methods = []method{
	{"random", true, func(seed uint64) (study.Searcher, error) { return baseline.NewRandom(words, seed), nil }},
	{"ga", true, func(seed uint64) (study.Searcher, error) { return baseline.NewGA(letters(), seed), nil }},
	{"nsga2", true, func(seed uint64) (study.Searcher, error) { return baseline.NewNSGA2(letters(), seed), nil }},
	{"gbga", false, func(seed uint64) (study.Searcher, error) {
		return baseline.NewGBGA(baseline.GBGAOptions{Offspring: 6, Mutation: 0.5}, seed)
	}},
	{"tanimoto", false, func(seed uint64) (study.Searcher, error) { return baseline.HurriedTanimoto(nil, seed) }},
}

// problem returns the problem of a method, which is skipped without RDKit if it needs it.
func (m method) problem(t *testing.T) study.Problem {
	t.Helper()
	if m.words {
		return study.Problem{Oracle: vowels, Init: initial("stone", "brick", "glass", "steel")}
	}
	needRDKit(t)
	return molecules(t, new(atomic.Int64))
}

func (m method) searcher(t *testing.T, seed uint64) study.Searcher {
	t.Helper()
	s, err := m.build(seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t *testing.T, p study.Problem, s study.Searcher, opts study.Options) *study.Study {
	t.Helper()
	st, err := study.New(t.Context(), p, s, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return st
}

func TestSearchers(t *testing.T) {
	for _, m := range methods {
		t.Run(m.name, func(t *testing.T) {
			m.problem(t)
			studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) { return m.problem(t), m.searcher(t, 1) })
		})
	}
}

func TestWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	for _, m := range methods {
		if _, err := m.build(1); !m.words && !errors.Is(err, molecule.ErrNoRDKit) {
			t.Errorf("%s: %v, want ErrNoRDKit", m.name, err)
		}
	}
}

func TestImproves(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name     string
		minimize bool
		budget   int
		initial  float64 // best logP of the initial design
		gain     float64
	}{
		{"gbga", false, 200, parse(t, "CN1CCCC1c1cccnc1").LogP(), 1},
		{"gbga", true, 200, parse(t, "OCC(O)C(O)CO").LogP(), 0.1},
		{"tanimoto", false, 15, parse(t, "Oc1ccccc1C").LogP(), 2},
		{"tanimoto", true, 15, parse(t, "OCC(O)C(O)CO").LogP(), 1},
	}
	for _, test := range tests {
		m := methods[slices.IndexFunc(methods, func(m method) bool { return m.name == test.name })]
		p := m.problem(t)
		p.Minimize = test.minimize
		st := run(t, p, m.searcher(t, 0), study.Options{Budget: test.budget})
		gain := st.Best().Score - test.initial
		if test.minimize {
			gain = -gain
		}
		if gain < test.gain {
			t.Errorf("%s, minimize %t: logP %g of %s, a gain of %g, want %g", test.name, test.minimize, st.Best().Score, st.Best().Input, gain, test.gain)
		}
	}
}

// Trials do not depend on the number of threads, and do on the seed.
func TestReproducible(t *testing.T) {
	for _, m := range methods {
		t.Run(m.name, func(t *testing.T) {
			trials := func(procs int, seed uint64) (x []string, mean []float64) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				st := run(t, m.problem(t), m.searcher(t, seed), study.Options{Budget: 15, Workers: procs})
				for _, trial := range st.Trials() {
					x = append(x, trial.Input)
					if !math.IsNaN(trial.Mean) {
						mean = append(mean, trial.Mean)
					}
				}
				return x, mean
			}
			x, mean := trials(1, 1)
			if again, predicted := trials(2, 1); !slices.Equal(again, x) || !slices.Equal(predicted, mean) {
				t.Errorf("on two threads %v %v, on one %v %v", again, predicted, x, mean)
			}
			if others, _ := trials(2, 2); slices.Equal(others, x) {
				t.Error("the same trials from another seed")
			}
		})
	}
}

// Random and the GP on fingerprints learn from nothing but the trials: resumed, they find those of a search that was
// not interrupted.
func TestResumedToTheSameEnd(t *testing.T) {
	for _, m := range methods {
		if m.name == "gbga" {
			continue // its random numbers begin anew
		}
		t.Run(m.name, func(t *testing.T) {
			var store study.Memory
			run(t, m.problem(t), m.searcher(t, 1), study.Options{Budget: 5, Store: &store})
			resumed := run(t, m.problem(t), m.searcher(t, 1), study.Options{Budget: 15, Store: &store}).Trials()
			whole := run(t, m.problem(t), m.searcher(t, 1), study.Options{Budget: 15, Workers: 1}).Trials()
			if !slices.EqualFunc(resumed, whole, func(a, b study.Trial) bool { return a.X == b.X && a.Batch == b.Batch }) {
				t.Errorf("resumed %v\nwant %v", resumed, whole)
			}
		})
	}
}

// TestCounts follows the trials of a search: what costs a call, what is recorded, and in which order.
func TestCounts(t *testing.T) {
	needRDKit(t)
	var calls atomic.Int64
	p := molecules(t, &calls)
	p.Init = append(p.Init, study.Observation{X: "CCCCCC", Measurements: study.Measured(0.5)},
		study.Observation{X: "C1CCCCC1O", Measurements: study.Measured(0.7)}, study.Observation{X: "OC1CCCCC1", Measurements: study.Measured(0.9)}, // one molecule
		study.Observation{X: "C("}, study.Observation{X: "OCCCCCC"}, study.Observation{X: "CCCCCBr"})
	var watched []study.Status
	g, err := baseline.NewGBGA(baseline.GBGAOptions{Mutation: 0.5}, 0)
	if err != nil {
		t.Fatal(err)
	}
	st := run(t, p, g, study.Options{Budget: 150, Watch: func(s study.Status) { watched = append(watched, s) }})
	counts := map[string]int{}
	inputs := map[string]bool{}
	trials := st.Trials()
	for i, trial := range trials {
		key := string(trial.Kind)
		if trial.Called {
			key += ", called"
		}
		if trial.Reason != "" {
			key += ": " + trial.Reason
		}
		counts[key]++
		if trial.ID != i+1 || (trial.Kind == study.Initial) != (trial.Batch == 0) {
			t.Errorf("trial %d: %+v", i+1, trial)
		}
		if trial.Input != "" && inputs[trial.Input] {
			t.Errorf("trial %d: %s was recorded before", trial.ID, trial.Input)
		}
		inputs[trial.Input] = true
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
	// Watch comes after every generation. The budget cuts the last one short.
	last := watched[len(watched)-1]
	if last.Calls != 150 || last.InitCalls != len(start)+1 || last.Batches != len(watched) || last.Batches != trials[len(trials)-1].Batch {
		t.Errorf("status %+v after %d batches, want 150 calls and as many batches", last, len(watched))
	}
}

// Molecules that are not feasible are not asked for, except in the initial design.
func TestFeasible(t *testing.T) {
	for _, m := range methods {
		t.Run(m.name, func(t *testing.T) {
			p := m.problem(t)
			forbidden := "N"
			if m.words {
				forbidden = "e"
			}
			p.Feasible = func(x string) (bool, error) { return !strings.Contains(x, forbidden), nil }
			st := run(t, p, m.searcher(t, 1), study.Options{Budget: 15})
			if calls := st.Status().Calls; calls != 15 {
				t.Errorf("%d calls, want 15", calls)
			}
			for _, trial := range st.Trials() {
				if trial.Kind == study.Acquired && strings.Contains(trial.Input, forbidden) {
					t.Errorf("trial %d asks for %s", trial.ID, trial.Input)
				}
			}

			broken := errors.New("broken")
			p.Feasible = func(string) (bool, error) { return false, broken }
			st, err := study.New(t.Context(), p, m.searcher(t, 1), study.Options{Budget: 15})
			if err != nil {
				t.Fatal(err)
			}
			if err := st.Run(t.Context()); !errors.Is(err, broken) {
				t.Errorf("error %v, want that of Feasible", err)
			}
		})
	}
}

// The own test of NewTanimoto of what is feasible acts within its search.
func TestTanimotoFeasible(t *testing.T) {
	needRDKit(t)
	s, err := baseline.HurriedTanimoto(func(x string) (bool, error) { return !strings.Contains(x, "N"), nil }, 1)
	if err != nil {
		t.Fatal(err)
	}
	st := run(t, molecules(t, new(atomic.Int64)), s, study.Options{Budget: 15})
	for _, trial := range st.Trials() {
		if trial.Kind == study.Acquired && strings.Contains(trial.Input, "N") {
			t.Errorf("trial %d asks for %s", trial.ID, trial.Input)
		}
	}
}

func TestEnds(t *testing.T) {
	needRDKit(t)
	refusing := oracle.Func(func(string) oracle.Result { return oracle.Result{Score: math.NaN(), Reason: "no"} })
	tests := []struct {
		name, method string
		change       func(*study.Problem)
		want         string // of the error
	}{
		{"too small to have children", "gbga", func(p *study.Problem) { p.Init = initial("C", "O") }, study.ErrExhausted.Error()},
		{"too small to have children", "tanimoto", func(p *study.Problem) { p.Init = initial("C", "O") }, study.ErrExhausted.Error()},
		{"no score", "gbga", func(p *study.Problem) { p.Oracle = refusing }, study.ErrExhausted.Error()},
		{"no score", "tanimoto", func(p *study.Problem) { p.Oracle = refusing }, "too few strings have a score"},
	}
	for _, test := range tests {
		m := methods[slices.IndexFunc(methods, func(m method) bool { return m.name == test.method })]
		p := m.problem(t)
		test.change(&p)
		st, err := study.New(t.Context(), p, m.searcher(t, 1), study.Options{Budget: 5})
		if err != nil {
			t.Fatal(err)
		}
		err = st.Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), test.want) || st.Status().Calls != 0 {
			t.Errorf("%s, %s: %v after %d calls, want %q after none", test.method, test.name, err, st.Status().Calls, test.want)
		}
	}
	if _, err := baseline.NewGBGA(baseline.GBGAOptions{Offspring: -1}, 1); err == nil || !strings.Contains(err.Error(), "offspring -1") {
		t.Errorf("negative offspring: %v", err)
	}
}

// Predictions for the first batch are those of the GP that NewTanimoto documents. With K = k(X, X) + 10⁻⁴ I, the mean is
//
//	k(x, X) K⁻¹ y
//
// and the variance of a measurement 1 + 10⁻⁴ − k(x, X) K⁻¹ k(X, x): of a batch, no molecule looks at another.
func TestPrediction(t *testing.T) {
	needRDKit(t)
	for _, minimize := range []bool{false, true} {
		p := molecules(t, new(atomic.Int64))
		p.Minimize = minimize
		s, err := baseline.HurriedTanimoto(nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		trials := run(t, p, s, study.Options{Budget: 4, Batch: 4}).Trials()
		n := len(start)
		counts := make([]molecule.Counts, len(trials))
		for i, trial := range trials {
			counts[i] = parse(t, trial.Input).ECFP(3).Fold(2048)
		}
		similar := func(i int) *mat.VecDense {
			v := mat.NewVecDense(n, nil)
			for j := range n {
				v.SetVec(j, molecule.Tanimoto(counts[i], counts[j]))
			}
			return v
		}
		k := mat.NewDense(n, n, nil)
		y := mat.NewVecDense(n, nil)
		for i := range n {
			y.SetVec(i, trials[i].Score)
			k.SetRow(i, similar(i).RawVector().Data)
			k.Set(i, i, 1+1e-4)
		}
		for i, trial := range trials[n:] {
			var weights mat.VecDense
			if err := weights.SolveVec(k, similar(n+i)); err != nil {
				t.Fatal(err)
			}
			mean, sd := mat.Dot(&weights, y), math.Sqrt(1+1e-4-mat.Dot(&weights, similar(n+i)))
			if !(math.Abs(trial.Mean-mean) <= 1e-9 && math.Abs(trial.SD-sd) <= 1e-9) {
				t.Errorf("%s: predicted %g ± %g, want %g ± %g", trial.Input, trial.Mean, trial.SD, mean, sd)
			}
		}
	}
}

// A molecule that was skipped keeps its place in the population, and one whose score was corrected to a failure loses it.
func TestPopulationFollowsTheScores(t *testing.T) {
	needRDKit(t)
	g, err := baseline.NewGBGA(baseline.GBGAOptions{Offspring: 20}, 1)
	if err != nil {
		t.Fatal(err)
	}
	st, err := study.New(t.Context(), study.Problem{Init: initial("CCCCCCO", "CCOC(=O)CC")}, g, study.Options{Budget: 100})
	if err != nil {
		t.Fatal(err)
	}
	molecule := func(x string, state study.State, y float64) study.Trial {
		return study.Trial{Proposal: study.Proposal{X: x, Input: x, Kind: study.Acquired, Batch: 1}, State: state, Value: y, Revised: true}
	}
	breed := func(t *testing.T, trials ...study.Trial) int {
		t.Helper()
		if err := g.Observe(t.Context(), trials...); err != nil {
			t.Fatal(err)
		}
		batch, err := g.Propose(t.Context(), st, 5)
		if err != nil {
			t.Fatal(err)
		}
		return len(batch)
	}
	if n := breed(t, molecule(start[0], study.Scored, 1), molecule(start[0], study.Skipped, math.NaN())); n == 0 {
		t.Error("no children after the only parent was skipped once")
	}
	if n := breed(t, molecule(start[0], study.Failed, math.NaN())); n != 0 {
		t.Errorf("%d children of nobody", n)
	}
}
