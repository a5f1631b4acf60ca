package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/invbo/invbo/oracle"
)

// Store keeps the events of a study. Save returns when the event is safe: the study uses it only then. A
// Store is not called by two goroutines at once.
type Store interface {
	Save(ctx context.Context, e Event) error
	Events(ctx context.Context) ([]Event, error) // all that were saved, in their order
}

// Event is a change of the books: proposals that become pending, or a trial that is measured. Of several
// events about a trial the last one holds.
type Event struct {
	Proposals []Proposal
	Trial     *Trial // nil: the event is about Proposals
}

// Memory is a Store that lasts as long as the program.
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

// replay fills the books from the store.
func (s *Study) replay(ctx context.Context) error {
	events, err := s.opts.Store.Events(ctx)
	if err != nil {
		return err
	}
	for _, e := range events {
		for _, p := range e.Proposals {
			s.enter(Trial{Proposal: p, State: Pending, Score: math.NaN(), Value: math.NaN()})
		}
		if e.Trial == nil {
			continue
		}
		s.enter(*e.Trial)
		s.untold = append(s.untold, *e.Trial)
		for _, m := range e.Trial.Measurements {
			s.measured = max(s.measured, m.ID)
		}
	}
	return nil
}

// record stores a measurement of a proposal, which gets an ID if it has none, and enters it into the books.
func (s *Study) record(ctx context.Context, p Proposal, a Answer, called bool) error {
	s.books.Lock()
	defer s.books.Unlock()
	t := Trial{Proposal: p}
	if p.ID == 0 {
		t.ID = len(s.trials) + 1
	} else {
		t = s.trials[p.ID-1]
		t.Revised = t.State != Pending
	}
	usable := a.Usable()
	m := Measurement{ID: a.Measurement, Score: usable.Score, SE: a.SE, Reason: usable.Reason}
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
	t.Called = t.Called || called
	t.summarize(s.problem.Minimize)
	if err := s.keep(ctx, t, usable); err != nil {
		return err
	}
	s.measured = max(s.measured, m.ID)
	if t.Kind == External {
		s.empty = 0 // there is something new to search around
	}
	return nil
}

// refuse records a proposal that translates to nothing.
func (s *Study) refuse(ctx context.Context, p Proposal, reason error) error {
	s.books.Lock()
	defer s.books.Unlock()
	p.ID = len(s.trials) + 1
	t := Trial{Proposal: p, State: Invalid, Score: math.NaN(), Value: math.NaN(), Reason: reason.Error()}
	return s.keep(ctx, t, oracle.Result{Score: math.NaN()})
}

// keep stores a trial after a result, and enters it. The books are locked.
func (s *Study) keep(ctx context.Context, t Trial, r oracle.Result) error {
	if err := s.opts.Store.Save(ctx, Event{Trial: &t}); err != nil {
		name := t.Input
		if name == "" {
			name = t.X
		}
		return fmt.Errorf("record trial %d, %q with score %g: %w", t.ID, name, r.Score, err)
	}
	s.enter(t)
	s.untold = append(s.untold, t)
	return nil
}

// enter puts a trial into the books, which are locked.
func (s *Study) enter(t Trial) {
	if t.ID > len(s.trials) {
		s.trials = append(s.trials, t)
	} else {
		s.trials[t.ID-1] = t
	}
	s.byX[t.X] = t.ID
	if t.Input != "" {
		s.byInput[t.Input] = t.ID
	}
}

// tell has the searcher observe a trial that is not in the books.
func (s *Study) tell(t Trial) {
	s.books.Lock()
	defer s.books.Unlock()
	s.untold = append(s.untold, t)
}
