// Package studytest is the test suites of study.Store and study.Searcher: each new implementation passes its own.
package studytest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// Store checks a store. open returns an empty one; reopen closes it and opens it again, as after the end of the
// program, and is nil for a store that does not last so long.
func Store(t *testing.T, open func(t *testing.T) study.Store, reopen func(t *testing.T, s study.Store) study.Store) {
	if reopen == nil {
		reopen = func(_ *testing.T, s study.Store) study.Store { return s }
	}
	t.Run("events come back in order", func(t *testing.T) {
		s, want := open(t), example()
		Holds(t, s, nil)
		Save(t, s, want...)
		Holds(t, s, want)
		s = reopen(t, s)
		Holds(t, s, want)
		Save(t, s, want[1])
		Holds(t, reopen(t, s), append(want, want[1]))
	})
	t.Run("the latest state is kept", func(t *testing.T) {
		s := open(t)
		for _, state := range []string{"first", "second\x00\xff", ""} {
			e := example()[0]
			e.State = []byte(state)
			if state == "" {
				e.State = nil
			}
			Save(t, s, e)
		}
		for range 2 {
			all := events(t, s)
			same(t, string(all[1].State), "second\x00\xff")
			if all[2].State != nil {
				t.Errorf("an event without a state comes back with %q", all[2].State)
			}
			s = reopen(t, s)
		}
	})
	t.Run("concurrent saves", func(t *testing.T) {
		const writers, each = 8, 25
		s := open(t)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					Save(t, s, study.Event{Trials: []study.Trial{{Proposal: study.Proposal{ID: i + 1, Batch: w, X: "x", Kind: study.Acquired}, State: study.Pending}}})
				}
			})
		}
		wg.Wait()
		all := events(t, s)
		if len(all) != writers*each {
			t.Errorf("%d events, want %d", len(all), writers*each)
		}
		next := map[int]int{} // number of events seen, by writer
		for _, e := range all {
			p := e.Trials[0]
			next[p.Batch]++
			if p.ID != next[p.Batch] {
				t.Fatalf("event %d of writer %d comes as its number %d", p.ID, p.Batch, next[p.Batch])
			}
		}
	})
	t.Run("an ended context saves all or nothing", func(t *testing.T) {
		s := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := s.Save(ctx, example()[0])
		if got := events(t, s); (err == nil) != (len(got) == 1) {
			t.Errorf("Save returned %v, and the store holds %d events", err, len(got))
		}
	})
	t.Run("a study whose saves fail", func(t *testing.T) {
		s := &failing{Store: open(t)}
		st := newStudy(t, s)
		err := errFull
		for errors.Is(err, errFull) { // every event fails once
			_, err = st.Ask(t.Context(), 3)
		}
		if err != nil {
			t.Fatalf("Ask: %v", err)
		}
		for _, p := range st.Pending() {
			a := study.Answer{ID: p.ID, Result: oracle.Result{Score: float64(p.ID)}}
			before := describe(st)
			if err := st.Tell(t.Context(), a); !errors.Is(err, errFull) {
				t.Fatalf("Tell: %v, want %v", err, errFull)
			}
			same(t, describe(st), before)
			if err := st.Tell(t.Context(), a); err != nil {
				t.Errorf("told again: %v", err)
			}
		}
		same(t, describe(newStudy(t, reopen(t, s.Store))), describe(st))
	})
}

// newStudy returns a study with an initial design of two known scores, an invalid string and three strings to ask
// for. Its searcher proposes nothing.
func newStudy(t *testing.T, s study.Store) *study.Study {
	t.Helper()
	st, err := study.New(t.Context(), study.Problem{
		Init: []study.Observation{{X: "a", Measurements: study.Measured(1)}, {X: ""}, {X: "b", Measurements: study.Measured(2.5)}, {X: "c"}, {X: "d"}, {X: "e"}},
		Translate: func(x string) (string, error) {
			if x == "" {
				return "", errors.New("empty")
			}
			return "input " + x, nil
		},
	}, nobody{}, study.Options{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

type nobody struct{ study.Searcher }

func (nobody) Observe(context.Context, ...study.Trial) error { return nil }

var errFull = errors.New("the disk is full")

// failing is a store whose Save fails every other time.
type failing struct {
	study.Store
	saves int
}

func (f *failing) Save(ctx context.Context, e study.Event) error {
	f.saves++
	if f.saves%2 == 1 {
		return errFull
	}
	return f.Store.Save(ctx, e)
}

func describe(st *study.Study) string {
	return fmt.Sprintf("%+v\n%+v\n%d calls left", st.Trials(), st.Pending(), st.Left())
}

// Save saves events.
func Save(t *testing.T, s study.Store, events ...study.Event) {
	t.Helper()
	for _, e := range events {
		if err := s.Save(t.Context(), e); err != nil {
			t.Errorf("Save: %v", err)
		}
	}
}

func events(t *testing.T, s study.Store) []study.Event {
	t.Helper()
	all, err := s.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Holds compares the events of a store, to the bit.
func Holds(t *testing.T, s study.Store, want []study.Event) {
	t.Helper()
	got := events(t, s)
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d", len(got), len(want))
	}
	for i := range want {
		if got, want := text(got[i]), text(want[i]); got != want {
			t.Fatalf("event %d:\ngot  %s\nwant %s", i+1, got, want)
		}
	}
}

// text tells −0 from 0 and nil from empty.
func text(e study.Event) (text string) {
	e.Trials = slices.Clone(e.Trials)
	for i := range e.Trials {
		if f := &e.Trials[i].Forecast; *f != nil { // not where it lies
			text += fmt.Sprintf("trial %d: %#v, ", i, **f)
			*f = nil
		}
	}
	return text + fmt.Sprintf("%#v", e)
}

// example returns events with every field of a trial.
func example() []study.Event {
	nan := math.NaN()
	first := study.Proposal{ID: 1, Name: "CMP-001", X: "[C][O]", Input: "CO", Kind: study.Acquired, Batch: 2, Mean: -0.1, SD: 1e-17, Latent: []float64{1.0 / 3, -2}, Model: 4,
		Forecast: &study.Forecast{Mean: []float64{-0.1, 1.0 / 3}, SD: []float64{1e-17, 0}, Chance: 0.25}}
	second := study.Proposal{ID: 2, X: "line\n\"quoted\", ü \x00", Input: "\t", Kind: study.Recentered, Batch: 2, Mean: nan, SD: nan}
	answered := study.Trial{Proposal: first, State: study.Scored, Score: -2.5, Bound: study.Below, Value: 2.5, Variance: 0.25, Called: true, Revised: true, Measurements: []study.Measurement{
		{ID: 1, Score: nan, Reason: "no such file"},
		{ID: 3, Score: -2.5, SE: 0.5, Bound: study.Below, Others: map[string]float64{"logP": 1.0 / 3, "h\"ERG": math.Copysign(0, -1)}, OtherBounds: map[string]study.Bound{"logP": study.Above}},
	}}
	failed := study.Trial{Proposal: second, State: study.Failed, Score: nan, Value: nan, Reason: "did not dock", Called: true, Measurements: []study.Measurement{
		{ID: 2, Score: nan, Reason: "did not dock"},
	}}
	pending := []study.Trial{{Proposal: first, State: study.Pending, Score: nan, Value: nan}, {Proposal: second, State: study.Pending, Score: nan, Value: nan}}
	known := study.Proposal{ID: 3, X: "[N]", Input: "N", Kind: study.External, Mean: nan, SD: nan}
	partial := study.Trial{Proposal: known, State: study.Partial, Score: nan, Value: nan, Measurements: []study.Measurement{{ID: 4, Score: nan, Others: map[string]float64{"logP": 2}}}}
	proposed := partial
	proposed.State, proposed.Kind, proposed.Batch, proposed.Mean, proposed.SD = study.Pending, study.Acquired, 3, 0.5, 0.25
	return []study.Event{
		{Trials: pending, Asked: 2, Taken: 3, Observed: 7, State: []byte("state\x00")}, {Trials: []study.Trial{failed}}, {Trials: []study.Trial{answered}},
		{Trials: []study.Trial{partial}}, {Trials: []study.Trial{proposed}, Asked: 1, Taken: 1, Observed: 4},
	}
}
