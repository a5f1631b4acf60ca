package evolve_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

// constrained is the problem of start in which a string must have an a, and at most one e: the hidden word has two.
func constrained() study.Problem {
	p := start()
	p.Constraints = []study.Constraint{{Outcome: "e", Op: "<=", Bound: 1}, {Outcome: "a", Op: ">", Bound: 0.5}}
	p.Oracle = oracle.Func(func(x string) oracle.Result {
		r := sites(x)
		r.Others = map[string]float64{"e": float64(strings.Count(x, "e")), "a": float64(strings.Count(x, "a"))}
		return r
	})
	return p
}

func TestConstrainedSearcher(t *testing.T) {
	studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) {
		return constrained(), searcher(t, space(alphabet), quick)
	})
}

// Constraints are learnt: proposals keep them far more often than those of a search without, and the best string that
// does is good.
func TestConstraintsAreLearnt(t *testing.T) {
	constraints := constrained().Constraints
	share := func(p study.Problem) float64 {
		late, kept, best := 0, 0, 0.0
		for _, tr := range run(t, p, searcher(t, space(alphabet), quick), study.Options{Budget: 80}).Trials() {
			if tr.Kind != study.Acquired || tr.Batch < 4 {
				continue
			}
			late++
			if tr.Violates(constraints) == "" {
				kept++
				best = max(best, tr.Score)
			}
		}
		if p.Constraints != nil && best < 9 {
			t.Errorf("the best string has %g sites; want 9 or more of 11 possible", best)
		}
		return float64(kept) / float64(late)
	}
	free := constrained()
	free.Constraints = nil
	if with, without := share(constrained()), share(free); with < 0.5 || with < 2*without {
		t.Errorf("%.2f of the late proposals keep the constraints, %.2f without them; want at least half, and twice as many", with, without)
	}
}

// Bounds on outcomes are learnt as well: what is beyond the range of an assay keeps no constraint.
func TestBoundsOnOutcomes(t *testing.T) {
	share := func(bounded bool) float64 {
		p := constrained()
		s := searcher(t, space(alphabet), quick)
		st := begin(t, p, s, study.Options{Budget: 80})
		late, kept := 0, 0
		for {
			asked, err := st.Ask(t.Context(), 5)
			if errors.Is(err, study.ErrDone) {
				return float64(kept) / float64(late)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range asked {
				r, err := oracle.One(t.Context(), p.Oracle, q.Input)
				if err != nil {
					t.Fatal(err)
				}
				a := study.Answer{ID: q.ID, Result: r}
				for _, c := range p.Constraints {
					if !bounded || c.Holds(r.Others[c.Outcome]) {
						continue
					}
					if a.OtherBounds == nil {
						a.OtherBounds = map[string]study.Bound{}
					}
					a.OtherBounds[c.Outcome] = study.Above // of the bound it is beyond
					a.Others[c.Outcome] = c.Bound
					if !c.AtMost() {
						a.OtherBounds[c.Outcome] = study.Below
					}
				}
				if err := st.Tell(t.Context(), a); err != nil {
					t.Fatal(err)
				}
				if t := st.Lookup(q.X); t.Kind == study.Acquired && t.Batch >= 4 {
					if late++; t.Violates(p.Constraints) == "" {
						kept++
					}
				}
			}
		}
	}
	if exact, bounded := share(false), share(true); bounded < 0.5 {
		t.Errorf("%.2f of the late proposals keep the constraints with bounds on outcomes, %.2f with exact ones; want at least half", bounded, exact)
	}
}

// Numbers that stand for failures, on either side, hide no differences between the other outcomes.
func TestOutliersOfOutcomes(t *testing.T) {
	share := func(e, a float64) float64 { // of the late proposals that keep the constraints, given one outlier of each outcome
		late, kept := 0, 0
		for seed := range uint64(4) {
			p := constrained()
			p.Init = initial(words(10, 12, rand.New(rand.NewPCG(seed, 1)))...)
			p.Oracle = oracle.Func(func(x string) oracle.Result {
				r := sites(x)
				r.Others = map[string]float64{"e": float64(strings.Count(x, "e")), "a": float64(strings.Count(x, "a"))}
				switch x {
				case p.Init[0].X:
					r.Others["e"] = e
				case p.Init[1].X:
					r.Others["a"] = a
				}
				return r
			})
			for _, tr := range run(t, p, searcher(t, space(alphabet), quick), study.Options{Budget: 60}).Trials() {
				if tr.Kind == study.Acquired && tr.Batch >= 4 {
					late++
					if tr.Violates(p.Constraints) == "" {
						kept++
					}
				}
			}
		}
		return float64(kept) / float64(late)
	}
	for _, violates := range []float64{1, -1} {
		want := share(3*violates, -3*violates) - 0.1
		for _, size := range []float64{1e3, 1e6} {
			if got := share(size*violates, -size*violates); got < want {
				t.Errorf("outliers of %g: %.2f of the late proposals keep the constraints, want at least %.2f", size*violates, got, want)
			}
		}
	}
}

// Without a string that keeps the constraints the search looks for one first.
func TestNothingKeepsTheConstraint(t *testing.T) {
	p := constrained()
	p.Init = initial("eeeeeeeeeeee", "eeeeeeaeeeee", "eeebeeeeeeec", "eeeeeeeedeee", "feeeeeeeaaee", "eeefffeeeeee")
	st := run(t, p, searcher(t, space(alphabet), quick), study.Options{Budget: 80})
	if best := st.Best(); best.ID == 0 {
		t.Errorf("no string of %d keeps the constraints", len(st.Trials()))
	}
}

// While no string has a score there is no best one, and no error.
func TestBestExpectedWithoutScores(t *testing.T) {
	st := begin(t, start(), searcher(t, space(alphabet), quick), study.Options{})
	best, mean, sd, err := st.BestExpected(t.Context())
	if best.ID != 0 || !math.IsNaN(mean) || !math.IsNaN(sd) || err != nil {
		t.Errorf("trial %d, %g ± %g, %v", best.ID, mean, sd, err)
	}
}

// Where the error of measurements is known to be small, strings have the scores that were measured, however the
// surrogate would smooth them: two neighbours differ as they do. A bound is kept.
func TestExpectedOfACliff(t *testing.T) {
	p := start()
	rng := rand.New(rand.NewPCG(3, 3))
	p.Init, p.Noise = nil, 0.05
	for _, x := range words(40, 12, rng) {
		p.Init = append(p.Init, study.Observation{X: x, Measurements: study.Measured(sites(x).Score)})
	}
	s := searcher(t, space(alphabet), quick)
	st := begin(t, p, s, study.Options{})
	if _, err := st.Ask(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	err := st.Tell(t.Context(), study.Answer{X: "cbbbbbbbbbbb", Result: oracle.Result{Score: 16}}, study.Answer{X: "cbbbbbbbbbba", Result: oracle.Result{Score: 3}},
		study.Answer{X: "cbbbbbbbbbaa", Result: oracle.Result{Score: 12}, Bound: study.Above})
	if err != nil {
		t.Fatal(err)
	}
	best, mean, sd, err := st.BestExpected(t.Context())
	if err != nil || best.X != "cbbbbbbbbbbb" || math.Abs(mean-16) > 0.1 || !(sd > 0 && sd < 0.06) {
		t.Errorf("expected best %s with %g ± %g, %v; want cbbbbbbbbbbb with 16.0 ± 0.05", best.X, mean, sd, err)
	}
	if mean, _, err := s.Predict(t.Context(), []string{"cbbbbbbbbbaa"}); err != nil || mean[0] < 12 {
		t.Errorf("what is above 12 is expected to be %v, %v", mean, err)
	}
}

// Where measurements are noisy, the best score is luck, and the best string is the one with the greatest expected score.
func TestBestExpected(t *testing.T) {
	p := start()
	rng := rand.New(rand.NewPCG(3, 3))
	p.Init = nil
	for range 3 {
		p.Init = append(p.Init, study.Observation{X: "facedbeadfaa"}) // eleven sites
	}
	for _, x := range words(40, 12, rng) {
		p.Init = append(p.Init, study.Observation{X: x, Measurements: study.Measured(-sites(x).Score)})
	}
	p.Minimize = true
	p.Oracle = oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: -sites(x).Score} })
	s := searcher(t, space(alphabet), quick)
	st := begin(t, p, s, study.Options{})
	if _, err := st.Ask(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	answers := []study.Answer{{X: "cbbbbbbbbbbb", Result: oracle.Result{Score: -12.5}}} // a stroke of luck
	for _, y := range []float64{-13, -9, -11, -12, -10} {
		answers = append(answers, study.Answer{X: "facedbeadfaa", Result: oracle.Result{Score: y}})
	}
	if err := st.Tell(t.Context(), answers...); err != nil {
		t.Fatal(err)
	}
	best, mean, sd, err := st.BestExpected(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if best.X != "facedbeadfaa" || !(math.Abs(mean+11) < 2.5) || !(sd > 0 && sd < 2) {
		t.Errorf("expected best %s with %g ± %g; want facedbeadfaa with about −11", best.X, mean, sd)
	}
	before := fmt.Sprint(s.Report())
	if _, _, err := s.Predict(t.Context(), []string{"facedbeadfab", "not a word"}); err != nil || before != fmt.Sprint(s.Report()) {
		t.Errorf("a prediction changes the search, or fails: %v", err)
	}
}
