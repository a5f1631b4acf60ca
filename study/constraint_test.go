package study_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

func TestParseConstraint(t *testing.T) {
	for _, c := range []struct {
		text, written, err string
		keeps, breaks      float64
	}{
		{"logP<=3.5", "logP<=3.5", "", 3.5, 3.6},
		{" hERG < 0.3 ", "hERG<0.3", "", 0.2, 0.3},
		{"solubility in mM >= -1e-3", "solubility in mM>=-0.001", "", -0.001, -0.002},
		{"x>2", "x>2", "", 3, 2},
		{text: "logP=3", err: `constraint "logP=3": it has no <=, <, >= or >; write NAME<=NUMBER`},
		{text: "<3", err: `constraint "<3": the name of an outcome is missing before <`},
		{text: "3<", err: `constraint "3<": want a number after <`},
		{text: "a<=b", err: `constraint "a<=b": want a number after <=`},
		{text: "1<=LogD7.4<=3.5", err: `constraint "1<=LogD7.4<=3.5": each constraint has one bound; give two, LogD7.4>=1 and LogD7.4<=3.5`},
		{text: "9 > x y > 2", err: `constraint "9 > x y > 2": each constraint has one bound; give two, x y<9 and x y>2`},
		{text: "3.5>=logP", err: `constraint "3.5>=logP": the name comes first; write logP<=3.5`},
		{text: "1<=logP<=3<=4", err: `constraint "1<=logP<=3<=4": want a number after <=`},
		{text: "logP<=3.5<4", err: `constraint "logP<=3.5<4": want a number after <=`},
		{text: "a<inf", err: `constraint "a<inf": want a number after <`},
	} {
		got, err := study.ParseConstraint(c.text)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%q: error %v, want %s", c.text, err, c.err)
			}
			continue
		}
		if err != nil || got.String() != c.written || !got.Holds(c.keeps) || got.Holds(c.breaks) || got.Holds(math.NaN()) {
			t.Errorf("%q is %q (%v); holds at %g: %t, at %g: %t, at NaN: %t", c.text, got, err, c.keeps, got.Holds(c.keeps), c.breaks, got.Holds(c.breaks), got.Holds(math.NaN()))
		}
	}
}

// watcher is a searcher that proposes nothing and remembers what it observes.
type watcher struct{ seen []study.Trial }

func (w *watcher) Propose(context.Context, study.Ledger, int) ([]study.Proposal, error) {
	return nil, study.ErrExhausted
}

func (w *watcher) Observe(_ context.Context, trials ...study.Trial) error {
	w.seen = append(w.seen, trials...)
	return nil
}

// modeller is one that models outcomes.
type modeller struct {
	watcher
	constraints []study.Constraint
}

func (m *modeller) Constrain(c []study.Constraint) { m.constraints = c }

func TestConstraints(t *testing.T) {
	logP := func(v float64) map[string]float64 { return map[string]float64{"logP": v} }
	atMost3 := study.Constraint{Outcome: "logP", Op: "<=", Bound: 3}
	problem := study.Problem{
		Constraints: []study.Constraint{atMost3},
		Init: []study.Observation{
			{X: "greasy", Measurements: []study.Measurement{{Score: 9, Others: logP(5)}}}, {X: "fine", Measurements: []study.Measurement{{Score: 2, Others: logP(2)}}}, {X: "unknown", Measurements: study.Measured(8)},
		},
	}
	for _, s := range []study.Searcher{&watcher{}, &modeller{}} {
		st, err := study.New(t.Context(), problem, s, study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.Ask(t.Context(), 1); !errors.Is(err, study.ErrExhausted) {
			t.Fatal(err)
		}
		status := st.Status()
		if status.Best.X != "fine" || status.Violating != 2 {
			t.Errorf("best %q, %d violate the constraint; want fine, and 2", status.Best.X, status.Violating)
		}
		switch s := s.(type) {
		case *watcher:
			got := s.seen[0]
			if got.State != study.Failed || !math.IsNaN(got.Score) || got.Reason != "logP = 5 is not <= 3" || s.seen[2].Reason != "logP was not measured" {
				t.Errorf("a searcher that knows nothing of constraints observes %+v", s.seen)
			}
		case *modeller:
			if s.seen[0].Score != 9 || s.seen[0].Outcome("logP") != 5 || len(s.constraints) != 1 || s.constraints[0] != atMost3 {
				t.Errorf("a searcher with constraints %v observes %+v", s.constraints, s.seen)
			}
		}
		// Another measurement of the outcome, and what is no number.
		if err := st.Tell(t.Context(), study.Answer{X: "greasy", Result: oracle.Result{Score: 9, Others: map[string]float64{"logP": 1, "other": math.Inf(1)}}}); err != nil {
			t.Fatal(err)
		}
		best := st.Best()
		if best.X != "greasy" || best.Outcome("logP") != 3 || !math.IsNaN(best.Outcome("other")) {
			t.Errorf("best %q with logP %g and other %g; want greasy, 3, and NaN", best.X, best.Outcome("logP"), best.Outcome("other"))
		}
	}
	problem.Constraints[0].Op = "="
	if _, err := study.New(t.Context(), problem, &watcher{}, study.Options{}); err == nil || !strings.Contains(err.Error(), "logP=3") {
		t.Errorf("error %v, want one that names the constraint", err)
	}
}

// The oracle is asked about initial strings whose score is known, and the outcome is not.
func TestConstraintAsksForOutcomes(t *testing.T) {
	var asked []string
	st, err := study.New(t.Context(), study.Problem{
		Constraints: []study.Constraint{{Outcome: "size", Op: "<", Bound: 3}},
		Init: []study.Observation{{X: "aa", Measurements: study.Measured(1)}, {X: "bbb", Measurements: []study.Measurement{{Score: 2, Others: map[string]float64{"size": 3}}}},
			{X: "cc", Measurements: []study.Measurement{{Score: math.NaN(), Reason: "failed"}}}},
		Oracle: oracle.Func(func(x string) oracle.Result {
			asked = append(asked, x)
			return oracle.Result{Score: 1, Others: map[string]float64{"size": float64(len(x))}}
		}),
	}, &watcher{}, study.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Run(t.Context()); !errors.Is(err, study.ErrExhausted) {
		t.Fatal(err)
	}
	if len(asked) != 1 || asked[0] != "aa" || st.Best().X != "aa" {
		t.Errorf("asked about %q, best %q; want aa, and aa", asked, st.Best().X)
	}
}

// A score that is struck while another outcome of its string remains leaves every searcher: those that model outcomes
// learn that the trial is Partial, and others that it failed. Strings that only ever had another outcome are none of
// theirs.
func TestStruckScoreWithOutcome(t *testing.T) {
	logP := map[string]float64{"logP": 2}
	init := []study.Observation{{X: "a", Measurements: []study.Measurement{{Score: 9}, {Score: math.NaN(), Others: logP}}}, {X: "b", Measurements: study.Measured(1)}}
	for _, test := range []struct {
		searcher study.Searcher
		want     []study.State // of what it observes
	}{
		{&modeller{}, []study.State{study.Scored, study.Scored, study.Partial, study.Partial}},
		{&watcher{}, []study.State{study.Scored, study.Scored, study.Failed}},
	} {
		st, err := study.New(t.Context(), study.Problem{Init: init}, test.searcher, study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.Ask(t.Context(), 1); !errors.Is(err, study.ErrExhausted) {
			t.Fatal(err)
		}
		strike := study.Answer{X: "a", Measurement: 1, Result: study.Strike("wrong well")}
		other := study.Answer{X: "c", Result: oracle.Result{Others: logP}, Partial: true}
		if err := st.Tell(t.Context(), strike, other); err != nil {
			t.Fatal(err)
		}
		if got := st.Lookup("a").State; got != study.Partial {
			t.Errorf("the struck trial has state %d, want Partial", got)
		}
		w, plain := test.searcher.(*watcher)
		if !plain {
			w = &test.searcher.(*modeller).watcher
		}
		var got []study.State
		for _, trial := range w.seen {
			got = append(got, trial.State)
		}
		if !slices.Equal(got, test.want) {
			t.Fatalf("%T observes the states %v, want %v", test.searcher, got, test.want)
		}
		if struck := w.seen[2]; plain && (!math.IsNaN(struck.Value) || struck.Reason == "" || !struck.Revised) {
			t.Errorf("the struck trial is shown as %+v", struck)
		}
	}
}

func TestNoise(t *testing.T) {
	build := func(noise float64) *study.Study {
		st, err := study.New(t.Context(), study.Problem{Noise: noise, Init: []study.Observation{{X: "a"}, {X: "b"}}}, &watcher{}, study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []study.Answer{
			{X: "a", Result: oracle.Result{Score: 1}}, {X: "a", Result: oracle.Result{Score: 3}}, {X: "a", Result: oracle.Result{Score: math.NaN()}},
			{X: "b", Result: oracle.Result{Score: 5}}, {X: "b", Result: oracle.Result{Score: 6}}, {X: "b", Result: oracle.Result{Score: 7}},
			{X: "c", Result: oracle.Result{Score: 4}, SE: 0.5},
		} {
			if err := st.Tell(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
		return st
	}
	// Squares 2 and 2, with one and two degrees of freedom.
	if got, want := study.Noise(build(0).Trials(), ""), math.Sqrt(4./3); math.Abs(got-want) > 1e-12 {
		t.Errorf("noise %g of replicates, want %g", got, want)
	}
	if got, df := study.PooledVariance(build(0).Trials(), map[int]bool{2: true}, ""); got != 2 || df != 1 {
		t.Errorf("without b, variance %g of replicates with %d degrees of freedom, want 2 with 1", got, df)
	}
	st := build(0.2)
	if got := study.Noise(st.Trials(), ""); got != 0 {
		t.Errorf("noise %g of replicates although it is known", got)
	}
	for x, want := range map[string]float64{"a": 0.04 / 2, "b": 0.04 / 3, "c": 0.25} {
		if got := st.Lookup(x).Variance; math.Abs(got-want) > 1e-12 {
			t.Errorf("variance %g of the mean of %s, want %g", got, x, want)
		}
	}
	if _, err := study.New(t.Context(), study.Problem{Noise: -1, Init: []study.Observation{{X: "a"}, {X: "b"}}}, &watcher{}, study.Options{}); err == nil {
		t.Error("negative noise is taken")
	}
	if _, _, _, err := st.BestExpected(t.Context()); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v, want errors.ErrUnsupported", err)
	}
}

func TestContradict(t *testing.T) {
	for _, test := range []struct {
		texts []string
		want  bool
	}{
		{[]string{"a<4", "a>5"}, true}, {[]string{"a>=5", "b<1", "a<=5"}, false}, {[]string{"a>5", "a<=5"}, true}, {[]string{"a>=5", "a<5"}, true},
		{[]string{"a<4", "b>5"}, false}, {[]string{"a>4", "a<5"}, false}, {nil, false},
	} {
		var all []study.Constraint
		for _, text := range test.texts {
			c, err := study.ParseConstraint(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
		if upper, lower, ok := study.Contradict(all); ok != test.want || ok && (upper.Outcome != "a" || lower.Outcome != "a") {
			t.Errorf("%v: %t, %v and %v", test.texts, ok, upper, lower)
		}
	}
}
