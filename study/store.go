package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/invbo/invbo/oracle"
)

// Store keeps the events of a study. Its methods may be called from several goroutines at once.
type Store interface {
	// Save returns when e is stored: the study uses it only then. After an error the event does not count, and the
	// study saves it again in the next Ask or Tell.
	Save(ctx context.Context, e Event) error

	// Events returns all events that were saved, in the order in which Save returned.
	Events(ctx context.Context) ([]Event, error)
}

// Event is a change of trials that is stored as a whole. Of several events about a trial the last one holds.
type Event struct {
	Trials []Trial // as they are now; proposals that wait for an answer are Pending

	// Of an event that holds what the searcher proposed, from which a resumed study finds out where the searcher was:
	Asked    int    // how many proposals it was asked for; 0: these were left of an earlier batch
	Taken    int    // how many of its proposals are dealt with: those of Trials, and skipped ones
	Observed int    // events before this one whose trials it had observed
	State    []byte // of the searcher afterwards; nil: none is kept. A store need keep only the latest
}

// proposed reports whether the event holds what the searcher proposed.
func (e Event) proposed() bool { return e.Asked > 0 || e.Taken > 0 }

// asked reports whether the event holds what Ask handed out: proposals, or strings of the initial design after something was observed.
func (e Event) asked() bool { return e.proposed() || e.Observed > 0 }

// Memory is a Store in memory.
type Memory struct {
	mu     sync.Mutex
	events []Event
}

// Save keeps e.
func (m *Memory) Save(_ context.Context, e Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events = append(m.events, e)
	return nil
}

// Events returns all events.
func (m *Memory) Events(context.Context) ([]Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.events), nil
}

// replay fills the study from the store. The searcher observes it later: see resume.
func (s *Study) replay(ctx context.Context) error {
	events, err := s.opts.Store.Events(ctx)
	if err != nil {
		return err
	}
	for i, e := range events {
		for _, t := range e.Trials {
			if t.ID < 1 || t.ID > len(s.trials)+1 {
				return fmt.Errorf("event %d is about trial %d of %d; an event before it is missing", i+1, t.ID, len(s.trials))
			}
			s.enter(t)
		}
	}
	s.past, s.saved = events, len(events)
	return nil
}

// record stores a measurement of a proposal. It begins a trial if the proposal has no ID.
func (s *Study) record(ctx context.Context, p Proposal, a Answer) error {
	if !(a.SE >= 0) || math.IsInf(a.SE, 1) {
		return fmt.Errorf("tell %q: standard error %g; give a positive number, or 0 if it is not known", p.X, a.SE)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := Trial{Proposal: p}
	if p.ID == 0 { // another goroutine may have begun a trial of the same input
		p.ID = s.byInput[p.Input]
	}
	if p.ID == 0 {
		t.ID = len(s.trials) + 1
	} else {
		t = s.trials[p.ID-1]
		t.Name = cmp.Or(p.Name, t.Name)
		t.Called = t.Called || t.State == Pending && !a.Partial
		t.Revised = t.State != Pending
	}
	usable := a.Usable()
	m := Measurement{ID: a.Measurement, Score: usable.Score, SE: cmp.Or(a.SE, s.problem.Noise), Reason: usable.Reason, Others: finite(a.Others)}
	if a.Partial {
		if t.State != Pending {
			return fmt.Errorf("tell %q: outcomes without a score are kept for proposals that wait for one, and for no other string", p.X)
		}
		m = Measurement{ID: a.Measurement, Score: math.NaN(), Others: m.Others}
	}
	t.Measurements = slices.Clone(t.Measurements)
	if m.ID == 0 {
		m.ID = s.measured + 1
		t.Measurements = append(t.Measurements, m)
	} else {
		i := slices.IndexFunc(t.Measurements, func(old Measurement) bool { return old.ID == m.ID })
		if i < 0 {
			return fmt.Errorf("tell trial %d, %q: it has no measurement %d", t.ID, t.X, m.ID)
		}
		t.Measurements[i] = m
	}
	if !a.Partial {
		t.summarize(s.problem.Minimize)
	}
	if err := s.keep(ctx, t, usable.Score); err != nil {
		return err
	}
	s.news = s.news || !a.Partial
	return nil
}

// finite returns the outcomes that are numbers; nil if there are none.
func finite(outcomes map[string]float64) map[string]float64 {
	var kept map[string]float64
	for name, v := range outcomes {
		if math.Abs(v) <= oracle.Largest {
			if kept == nil {
				kept = map[string]float64{}
			}
			kept[name] = v
		}
	}
	return kept
}

// refuse records an initial string that translates to nothing, once.
func (s *Study) refuse(ctx context.Context, p Proposal, reason string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.byX[p.X]; known {
		return nil
	}
	t := unscored(p, Invalid)
	t.ID, t.Reason = len(s.trials)+1, reason
	return s.keep(ctx, t, t.Score)
}

// keep stores a trial after a measurement, and enters it. The caller holds mu.
func (s *Study) keep(ctx context.Context, t Trial, score float64) error {
	if err := s.opts.Store.Save(ctx, Event{Trials: []Trial{t}}); err != nil {
		return fmt.Errorf("record trial %d, %q with score %g: %w", t.ID, cmp.Or(t.Input, t.X), score, err)
	}
	s.saved++
	s.enter(t)
	if t.State != Pending {
		s.unseen = append(s.unseen, t)
	}
	return nil
}

// enter adds a trial, or replaces it. The caller holds mu.
func (s *Study) enter(t Trial) {
	if t.ID > len(s.trials) {
		s.trials = append(s.trials, t)
	} else {
		s.count(s.trials[t.ID-1], -1)
		s.trials[t.ID-1] = t
	}
	s.count(t, 1)
	s.batch = max(s.batch, t.Batch)
	s.byX[t.X] = t.ID
	if t.Input != "" {
		s.byInput[t.Input] = t.ID
	}
	for _, m := range t.Measurements {
		s.measured = max(s.measured, m.ID)
	}
}

// count adds a trial to the sums, or takes it off again. The caller holds mu.
func (s *Study) count(t Trial, sign int) {
	if t.State == Pending {
		s.pending += sign
	}
	if t.Kind != Initial && (t.Called || t.State == Pending) {
		s.spent += sign
	}
}
