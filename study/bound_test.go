package study_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// measured reads scores such as ">4.5", "<4", "6" and "?", which is a failed measurement.
func measured(t *testing.T, texts string) []study.Measurement {
	t.Helper()
	var all []study.Measurement
	for _, text := range strings.Fields(texts) {
		var m study.Measurement
		if text == "?" {
			all = append(all, study.Measurement{Score: math.NaN(), Reason: "broken"})
			continue
		}
		for _, b := range []study.Bound{study.Below, study.Above} {
			if number, ok := strings.CutPrefix(text, b.String()); ok {
				text, m.Bound = number, b
			}
		}
		if _, err := fmt.Sscan(text, &m.Score); err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

func TestScoreOfMeasurements(t *testing.T) {
	for _, test := range []struct{ measured, maximize, minimize string }{
		{"4 6", "=5 variance 1", "=5 variance 1"},
		{">4.5", ">4.5", ">4.5"},
		{">4.5 >5 >3", ">5", ">5"},
		{"<4.5 <5 <3", "<3", "<3"},
		{">4.5 7 >5 9", "=8 variance 1", "=8 variance 1"},
		{">10 7", "=7 variance 0", "=7 variance 0"}, // a contradiction changes nothing
		{"? >4", ">4", ">4"},
		{">4 <9", ">4", "<9"}, // at least so good
		{"<9 >4 >5 <7", ">5", "<7"},
		{">9 <4", "<4", ">9"}, // a contradiction: at most so good
		{">4 <4", "<4", ">4"},
		{"?", "failed: broken", "failed: broken"},
	} {
		for _, minimize := range []bool{false, true} {
			want := test.maximize
			if minimize {
				want = test.minimize
			}
			p := study.Problem{Minimize: minimize, Init: []study.Observation{{X: "a", Measurements: measured(t, test.measured)}, {X: "b"}}}
			st := start(t, p, &script{}, study.Options{})
			ask(t, st, 1)
			tr := st.Trials()[0]
			got := fmt.Sprintf("%s%g", tr.Bound, tr.Score)
			switch {
			case tr.State == study.Failed:
				got = "failed: " + tr.Reason
			case tr.Bound == study.Exact:
				got = fmt.Sprintf("=%g variance %g", tr.Score, tr.Variance)
			case tr.Variance != 0:
				t.Errorf("%s: a bound with variance %g", test.measured, tr.Variance)
			}
			if got != want {
				t.Errorf("%s, minimize %t: %s, want %s", test.measured, minimize, got, want)
			}
			wantValue, wantBound := tr.Score, tr.Bound
			if minimize {
				wantValue, wantBound = -tr.Score, -tr.Bound
			}
			if tr.State == study.Scored && (tr.Value != wantValue || tr.ValueBound() != wantBound) {
				t.Errorf("%s, minimize %t: value %s%g, want %s%g", test.measured, minimize, tr.ValueBound(), tr.Value, wantBound, wantValue)
			}
		}
	}
}

// A bound on the favourable side is at least as good as its number, and better than that number; one on the other side
// is never the best.
func TestBestOfBounds(t *testing.T) {
	for _, test := range []struct {
		name               string
		scores             string // of a, b, c, d
		maximize, minimize string // ranking
	}{
		{"exact", "3 1 2 2", "acdb", "bcda"},
		{"bounds beyond all", "3 >5 <1 2", "bad", "cda"},
		{"bounds within", "9 >5 <6 1", "abd", "dca"},
		{"ties", "5 >5 <5 5", "bad", "cad"},
		{"around 0", "-0 >0 <0 1", "dba", "cad"},
		{"nothing but bad ones", "<3 <2 <1 <0", "", "dcba"},
	} {
		for _, minimize := range []bool{false, true} {
			want := test.maximize
			if minimize {
				want = test.minimize
			}
			p := study.Problem{Minimize: minimize}
			for i, m := range measured(t, test.scores) {
				p.Init = append(p.Init, study.Observation{X: string("abcd"[i]), Measurements: []study.Measurement{m}})
			}
			st := start(t, p, &script{batches: []string{""}}, study.Options{})
			if _, err := st.Ask(t.Context(), 1); err == nil {
				t.Fatal("a script without strings proposes some")
			}
			got := ""
			for _, r := range st.Ranked() {
				got += r.X
			}
			if got != want {
				t.Errorf("%s, minimize %t: ranking %s, want %s", test.name, minimize, got, want)
			}
			if best := st.Best(); best.X != want[:min(1, len(want))] {
				t.Errorf("%s, minimize %t: best %q, want the first of %q", test.name, minimize, best.X, want)
			}
			if v := st.Status().Violating; v != 0 {
				t.Errorf("%s: %d violate constraints, and there are none", test.name, v)
			}
		}
	}
}

func TestConstraintsOnBounds(t *testing.T) {
	for _, test := range []struct{ constraint, outcome, want string }{
		{"hERG>=10", ">20", ""},
		{"hERG>=10", ">10", ""},
		{"hERG>=10", ">5", "hERG > 5 may not be >= 10"},
		{"hERG>=10", "<8", "hERG < 8 is not >= 10"},
		{"hERG>=10", "<20", "hERG < 20 may not be >= 10"},
		{"hERG>=10", ">5 30", ""},
		{"hERG>=10", ">20 3", "hERG = 3 is not >= 10"},
		{"hERG<=10", "<10", ""},
		{"hERG<10", "<10", ""},
		{"hERG<=10", ">10", "hERG > 10 is not <= 10"},
		{"hERG<=10", ">4", "hERG > 4 may not be <= 10"},
		{"hERG<=10", ">4 <8", ""},
		{"hERG<=10", ">4 <12", "hERG > 4, < 12 may not be <= 10"},
		{"hERG<=10", "", "hERG was not measured"},
	} {
		c, err := study.ParseConstraint(test.constraint)
		if err != nil {
			t.Fatal(err)
		}
		tr := study.Trial{State: study.Scored, Score: 1, Value: 1}
		for _, m := range measured(t, test.outcome) {
			tr.Measurements = append(tr.Measurements, study.Measurement{Score: 1, Others: map[string]float64{"hERG": m.Score}, OtherBounds: map[string]study.Bound{"hERG": m.Bound}})
		}
		if got := tr.Violates([]study.Constraint{c}); got != test.want || tr.Counts([]study.Constraint{c}) != (test.want == "") {
			t.Errorf("%s with %s: %q, want %q", test.constraint, test.outcome, got, test.want)
		}
	}
}

// Bounds are told as other measurements are, are corrected by exact ones, and are kept by a store.
func TestTellBounds(t *testing.T) {
	store := &study.Memory{}
	p := study.Problem{Init: design(t, "a=1", "b=2"), Minimize: true}
	st := start(t, p, &script{batches: []string{"cc"}}, study.Options{Store: store})
	asked := ask(t, st, 1)[0]
	told := func(a study.Answer) study.Trial {
		t.Helper()
		a.ID = asked.ID
		if err := st.Tell(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		return st.Lookup("cc")
	}
	answer := study.Answer{Result: oracle.Result{Score: 50, Others: map[string]float64{"logP": 5, "logD": 1}}, Bound: study.Above, OtherBounds: map[string]study.Bound{"logP": study.Below}}
	if c := told(answer); c.Score != 50 || c.Bound != study.Above || c.Value != -50 || c.OutcomeBound("logP") != study.Below || c.OutcomeBound("logD") != study.Exact {
		t.Errorf("a bound that was told: %+v", c)
	}
	if again := start(t, p, &script{}, study.Options{Store: store}); fmt.Sprint(again.Trials()) != fmt.Sprint(st.Trials()) {
		t.Errorf("replayed %v, want %v", again.Trials(), st.Trials())
	}
	if c := told(study.Answer{Measurement: 3, Result: oracle.Result{Score: math.NaN(), Reason: "mixed up"}, Bound: study.Above}); c.State != study.Failed || c.Bound != study.Exact || c.Measurements[0].Bound != study.Exact {
		t.Errorf("a bound that was corrected to a failure: %+v", c)
	}
	if c := told(study.Answer{Measurement: 3, Result: oracle.Result{Score: 7}}); c.Score != 7 || c.Bound != study.Exact {
		t.Errorf("a bound that was corrected to a number: %+v", c)
	}
	for _, wrong := range []study.Answer{
		{X: "a", Bound: 2},
		{X: "a", Result: oracle.Result{Others: map[string]float64{"logP": 1}}, OtherBounds: map[string]study.Bound{"logP": -2}},
	} {
		if err := st.Tell(t.Context(), wrong); err == nil || !strings.Contains(err.Error(), "give Below, Exact or Above") {
			t.Errorf("a wrong bound: %v", err)
		}
	}
}

// Bounds are left out of what predictions and replicates are judged by.
func TestBoundsAreNoReplicates(t *testing.T) {
	tr := study.Trial{Measurements: measured(t, "1 >9 3 ?")}
	if squares, df := tr.Spread(""); squares != 2 || df != 1 {
		t.Errorf("squares %g with %d degrees of freedom, want 2 and 1", squares, df)
	}
	st := start(t, study.Problem{Init: design(t, "a=1", "b=2")}, &script{batches: []string{"c dd eee ffff"}}, study.Options{})
	for i, p := range ask(t, st, 4) {
		b := study.Exact
		if i == 3 {
			b = study.Below
		}
		if err := st.Tell(t.Context(), study.Answer{ID: p.ID, Result: oracle.Result{Score: float64(i % 3)}, Bound: b}); err != nil {
			t.Fatal(err)
		}
	}
	if r := st.Status().Ranking; r != 1 {
		t.Errorf("rank correlation %g of the exact scores with their predictions, want 1", r)
	}
}
