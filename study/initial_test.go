package study_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// All that is known of an initial design is one event, with a trial for each string.
func TestInitialMeasurements(t *testing.T) {
	store := &study.Memory{}
	logP := map[string]float64{"logP": 2}
	p := study.Problem{
		Noise: 0.5, Translate: lower,
		Init: []study.Observation{
			{X: "a", Name: "CMP-1", Measurements: []study.Measurement{{ID: 77, Score: 1, SE: 0.1, Others: logP}, {Score: 2, Others: map[string]float64{"logP": math.Inf(1)}}}},
			{X: "b!"},
			{X: "c", Measurements: []study.Measurement{{Score: math.NaN(), Reason: "did not dissolve", Bound: study.Above}}},
			{X: "d"},
			{X: "e", Measurements: measured(t, ">4")},
			{X: "A", Measurements: study.Measured(9)}, // a again
			{X: "b!", Measurements: study.Measured(9)},
		},
	}
	st := start(t, p, &script{}, study.Options{Store: store})
	if asked := ask(t, st, 9); len(asked) != 1 || asked[0].X != "d" {
		t.Errorf("asks for %v, want d", asked)
	}
	wantLines(t, "trials", lines(st.Trials()), []string{
		"1 a/a initial 0: 1.5", "2 b!/ initial 0: NaNan exclamation mark", "3 c/c initial 0: NaNdid not dissolve", "4 e/e initial 0: 4",
	})
	events, err := store.Events(t.Context())
	if err != nil || len(events) != 2 || len(events[0].Trials) != 4 {
		t.Errorf("%d events, want 2, the first of them with 4 trials: %v", len(events), err)
	}
	trials := st.Trials()
	if got, want := trials[0].Measurements, []study.Measurement{{ID: 1, Score: 1, SE: 0.1, Others: logP}, {ID: 2, Score: 2, SE: 0.5}}; !reflect.DeepEqual(got, want) {
		t.Errorf("measurements %+v, want %+v", got, want)
	}
	if trials[0].Name != "CMP-1" || trials[3].Bound != study.Above || trials[3].Measurements[0].ID != 4 || trials[2].Measurements[0].Bound != study.Exact {
		t.Errorf("trials %+v", trials)
	}
}

func TestUnusableMeasurements(t *testing.T) {
	for _, test := range []struct {
		m    study.Measurement
		want string
	}{
		{study.Measurement{Score: math.NaN()}, "score NaN; leave it unscored or out"},
		{study.Measurement{Score: math.Inf(1), Reason: "overflow"}, "score +Inf; leave it unscored or out"},
		{study.Measurement{SE: -1}, "standard error -1; give a positive number"},
		{study.Measurement{Bound: 3}, "bound 3; give Below, Exact or Above"},
	} {
		p := study.Problem{Init: []study.Observation{{X: "a"}, {X: "b", Measurements: []study.Measurement{{Score: 1}, test.m}}}}
		if _, err := study.New(t.Context(), p, &script{}, study.Options{}); err == nil || !strings.Contains(err.Error(), `initial string 2, "b": `+test.want) {
			t.Errorf("error %v, want one that says %s", err, test.want)
		}
	}
}

// What the store holds is not checked again.
func TestKnownStringsAreNotCheckedAgain(t *testing.T) {
	store := &study.Memory{}
	p := study.Problem{Init: design(t, "a=1", "b=2", "c!"), Translate: lower}
	st := start(t, p, &script{}, study.Options{Store: store})
	if _, err := st.Ask(t.Context(), 1); !errors.Is(err, study.ErrExhausted) {
		t.Fatal(err)
	}
	p.Translate = func(x string) (string, error) { t.Errorf("%q is translated again", x); return x, nil }
	again := start(t, p, refusing{&script{}}, study.Options{Store: store})
	if _, err := again.Ask(t.Context(), 1); !errors.Is(err, study.ErrExhausted) {
		t.Error(err)
	}
	wantLines(t, "trials", lines(again.Trials()), lines(st.Trials()))
}

// refusing refuses every string.
type refusing struct{ *script }

func (refusing) Check(string) error { return errors.New("refused") }

// A searcher is not asked about strings that were checked before.
func TestCheckedStrings(t *testing.T) {
	p := study.Problem{Init: []study.Observation{{X: "a", Checked: true, Measurements: study.Measured(1)}, {X: "b", Checked: true}}}
	if st := start(t, p, refusing{&script{}}, study.Options{}); len(st.Trials()) > 0 {
		t.Error(st.Trials())
	}
	p.Init[1].Checked = false
	if _, err := study.New(t.Context(), p, refusing{&script{}}, study.Options{}); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("a string that was not checked: %v", err)
	}
}

// Programs before bounds stored an event for each string of the initial design. Their studies go on in the same way,
// wherever they were interrupted.
func TestOldInitialDesign(t *testing.T) {
	p := study.Problem{Oracle: likeGopher, Init: design(t, "banana=1", "papaya=2", "cherry=1", "orange"), Translate: lower}
	run := func(store study.Store) string {
		st := start(t, p, &climber{}, study.Options{Budget: 20, Batch: 3, Workers: 1, Store: store})
		if err := st.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(st.Trials())
	}
	store := &study.Memory{}
	want := run(store)
	now, err := store.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var before []study.Event
	for _, tr := range now[0].Trials {
		before = append(before, study.Event{Trials: []study.Trial{tr}})
	}
	for _, e := range now[1:] {
		if e.Observed > 0 {
			e.Observed += len(before) - 1
		}
		before = append(before, e)
	}
	for cut := range len(before) + 1 {
		store := &study.Memory{}
		for _, e := range before[:cut] {
			if err := store.Save(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		if got := run(store); got != want {
			t.Errorf("resumed after %d of %d events:\n%s\nwant\n%s", cut, len(before), got, want)
		}
	}
}

// vague makes strings that differ in stars only a family. Strings with fewer stars say less.
func vague(p *study.Problem) {
	p.Family = func(x string) string { return strings.ReplaceAll(x, "*", "") }
	p.Vaguer = func(x, known string) bool { return strings.Count(x, "*") < strings.Count(known, "*") }
}

// A string that is a known one with less detail is not proposed, whether that was known before, came since or is in the
// same batch; it may be told, and the initial design is exempt.
func TestKnownWithLessDetail(t *testing.T) {
	p := study.Problem{Init: design(t, "a**=1", "a=2", "b*=1"), Oracle: length}
	vague(&p)
	s := &script{batches: []string{"a* a*** b c d** d*", "c* c e e* f", "f"}}
	st := start(t, p, s, study.Options{Batch: 6})
	var got []string
	next := func() {
		for _, q := range ask(t, st, 6) {
			got = append(got, q.X)
			tell(t, st, q.X, 1)
		}
	}
	next()
	if want := "a*** c d**"; strings.Join(got, " ") != want {
		t.Errorf("proposed %q, want %s", got, want)
	}
	tell(t, st, "f*", 3)
	tell(t, st, "b", 3) // racemates can be bought
	next()
	if want := "a*** c d** c* e e*"; strings.Join(got, " ") != want {
		t.Errorf("proposed %q, want %s", got, want)
	}
	if st.Lookup("b").Score != 3 || st.Lookup("b*").Score != 1 || st.Lookup("a").Score != 2 {
		t.Error("strings that differ in detail are not entries of their own")
	}
	skipped := 0
	for _, o := range s.observed {
		if o.State == study.Skipped {
			skipped++
		}
	}
	if skipped != 5 { // a*, b, d*, c again, and f
		t.Errorf("the searcher observes %d skipped strings, want 5: %v", skipped, lines(s.observed))
	}
	for x, want := range map[string]bool{"e": false, "e**": true, "f": false, "new": true} {
		if ok, err := st.Feasible(x); err != nil || ok != want {
			t.Errorf("Feasible(%q) = %t, %v; want %t", x, ok, err, want)
		}
	}
	tell(t, st, "new*", 1)
	if ok, _ := st.Feasible("new"); ok {
		t.Error("a string that became a known one with less detail is feasible")
	}
}

// many is a searcher whose Check takes a while, as parsing does.
type many struct{ script }

func (*many) Check(x string) error {
	for range 2000 {
		if strings.Contains(x, "?") {
			return errors.New("a question mark")
		}
	}
	return nil
}

func (*many) Observe(context.Context, ...study.Trial) error { return nil }

// BenchmarkInitial begins a study with 100,000 known scores, and asks.
//
//	go test ./study -run '^$' -bench Initial
func BenchmarkInitial(b *testing.B) {
	p := study.Problem{Oracle: oracle.Func(func(string) oracle.Result { return oracle.Result{} })}
	for i := range 100_000 {
		p.Init = append(p.Init, study.Observation{X: fmt.Sprint("known ", i), Measurements: study.Measured(float64(i))})
	}
	for b.Loop() {
		st, err := study.New(b.Context(), p, &many{script{batches: []string{"new"}}}, study.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := st.Ask(b.Context(), 1); err != nil {
			b.Fatal(err)
		}
	}
}
