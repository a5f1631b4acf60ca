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
	t.Run("events come back in order", func(t *testing.T) {
		s := open(t)
		if got := events(t, s); len(got) > 0 {
			t.Errorf("a new store holds %d events", len(got))
		}
		want := example()
		for _, e := range want {
			if err := s.Save(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		sameEvents(t, events(t, s), want)
		if reopen == nil {
			return
		}
		s = reopen(t, s)
		sameEvents(t, events(t, s), want)
		if err := s.Save(t.Context(), want[1]); err != nil {
			t.Fatal(err)
		}
		sameEvents(t, events(t, reopen(t, s)), append(want, want[1]))
	})
	t.Run("concurrent saves", func(t *testing.T) {
		const writers, each = 8, 25
		s := open(t)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					e := study.Event{Proposals: []study.Proposal{{ID: i + 1, Batch: w, X: "x", Kind: study.Acquired}}}
					if err := s.Save(t.Context(), e); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		next := map[int]int{} // number of events seen, by writer
		for _, e := range events(t, s) {
			p := e.Proposals[0]
			if next[p.Batch]++; p.ID != next[p.Batch] {
				t.Fatalf("event %d of writer %d comes as its number %d", p.ID, p.Batch, next[p.Batch])
			}
		}
		for w := range writers {
			if next[w] != each {
				t.Errorf("%d events of writer %d, want %d", next[w], w, each)
			}
		}
	})
	t.Run("an ended context saves all or nothing", func(t *testing.T) {
		s := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		e := example()[0]
		err := s.Save(ctx, e)
		if got := events(t, s); (err == nil) != (len(got) == 1) {
			t.Errorf("Save returned %v, and the store holds %d events", err, len(got))
		}
	})
	t.Run("a study that a save fails", func(t *testing.T) {
		s := &failing{Store: open(t)}
		st := newStudy(t, s)
		rounds(t, func() error { // every event fails once
			_, err := st.Ask(t.Context(), 3)
			return err
		})
		for _, p := range st.Pending() {
			a := study.Answer{ID: p.ID, Result: oracle.Result{Score: float64(p.ID)}}
			before := describe(st)
			if err := st.Tell(t.Context(), a); !errors.Is(err, errFull) {
				t.Fatalf("Tell: %v, want %v", err, errFull)
			}
			if after := describe(st); after != before {
				t.Errorf("the failed Save changed the study:\n%s\nto\n%s", before, after)
			}
			if err := st.Tell(t.Context(), a); err != nil {
				t.Errorf("told again: %v", err)
			}
		}
		var again study.Store = s.Store
		if reopen != nil {
			again = reopen(t, again)
		}
		if got, want := describe(newStudy(t, again)), describe(st); got != want {
			t.Errorf("a study from the same store\n%s\nwant\n%s", got, want)
		}
	})
}

// rounds calls f until it succeeds, and checks that each error is that of the store.
func rounds(t *testing.T, f func() error) {
	t.Helper()
	for range 20 {
		err := f()
		if err == nil {
			return
		}
		if !errors.Is(err, errFull) {
			t.Fatalf("error %v, want %v", err, errFull)
		}
	}
	t.Fatalf("still %v", errFull)
}

// newStudy returns a study with an initial design of two known scores, an invalid string and three strings to ask for.
func newStudy(t *testing.T, s study.Store) *study.Study {
	t.Helper()
	st, err := study.New(t.Context(), study.Problem{
		Init: []study.Observation{{X: "a", Y: 1, Scored: true}, {X: ""}, {X: "b", Y: 2.5, Scored: true}, {X: "c"}, {X: "d"}, {X: "e"}},
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

// nobody is a searcher that proposes nothing.
type nobody struct{}

func (nobody) Propose(context.Context, study.Ledger, int) ([]study.Proposal, error) {
	return nil, study.ErrExhausted
}
func (nobody) Observe(context.Context, ...study.Trial) error { return nil }

var errFull = errors.New("the disk is full")

// failing is a store whose Save fails every other time.
type failing struct {
	study.Store
	saves int
}

func (f *failing) Save(ctx context.Context, e study.Event) error {
	if f.saves++; f.saves%2 == 1 {
		return errFull
	}
	return f.Store.Save(ctx, e)
}

func describe(st *study.Study) string {
	return fmt.Sprintf("%+v\n%+v\n%d calls left", st.Trials(), st.Pending(), st.Left())
}

func events(t *testing.T, s study.Store) []study.Event {
	t.Helper()
	all, err := s.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// example returns events with every field of a trial.
func example() []study.Event {
	nan := math.NaN()
	first := study.Proposal{ID: 1, X: "[C][O]", Input: "CO", Kind: study.Acquired, Batch: 2, Mean: -0.1, SD: 1e-17, Latent: []float64{1.0 / 3, -2}, Model: 4}
	second := study.Proposal{ID: 2, X: "line\n\"quoted\", ü \x00", Input: "\t", Kind: study.Recentered, Batch: 2, Mean: nan, SD: nan}
	answered := study.Trial{Proposal: first, State: study.Scored, Score: -2.5, Value: 2.5, Variance: 0.25, Called: true, Revised: true, Measurements: []study.Measurement{
		{ID: 1, Score: nan, Reason: "no such file"}, {ID: 3, Score: -2.5, SE: 0.5},
	}}
	failed := study.Trial{Proposal: second, State: study.Failed, Score: nan, Value: nan, Reason: "did not dock", Called: true, Measurements: []study.Measurement{
		{ID: 2, Score: nan, Reason: "did not dock"},
	}}
	return []study.Event{{Proposals: []study.Proposal{first, second}}, {Trial: &failed}, {Trial: &answered}}
}

func sameEvents(t *testing.T, got, want []study.Event) {
	t.Helper()
	text := func(e study.Event) string {
		if e.Trial == nil {
			return fmt.Sprintf("proposals %+q", fmt.Sprintf("%+v", e.Proposals))
		}
		return fmt.Sprintf("trial %+q", fmt.Sprintf("%+v", *e.Trial))
	}
	if !slices.EqualFunc(got, want, func(a, b study.Event) bool { return text(a) == text(b) }) {
		t.Errorf("%d events:", len(got))
		for _, e := range got {
			t.Errorf("  %s", text(e))
		}
		t.Errorf("want %d:", len(want))
		for _, e := range want {
			t.Errorf("  %s", text(e))
		}
	}
}
