package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/invbo/invbo/internal/usage"
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

// asked reports whether the event holds what Ask handed out: proposals, or strings of the initial design after
// something was observed.
func (e Event) asked() bool { return e.proposed() || e.Observed > 0 }

// tells reports whether the event holds measurements.
func (e Event) tells() bool {
	return !e.asked() && !slices.ContainsFunc(e.Trials, func(t Trial) bool { return t.State == Pending })
}

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
	for _, e := range events {
		if e.tells() {
			s.told++
		}
	}
	return nil
}

// record stores a measurement of a proposal. It begins a trial if the proposal has no ID.
func (s *Study) record(ctx context.Context, p Proposal, a Answer) error {
	m := Measurement{ID: a.Measurement, Score: a.Score, SE: a.SE, Bound: a.Bound, Reason: a.Reason, Others: a.Others, OtherBounds: a.OtherBounds}
	if a.Partial {
		m.Score, m.SE, m.Bound, m.Reason = math.NaN(), 0, Exact, ""
	} else if usable := a.Usable(); usable.Reason != "" {
		m.Score, m.Reason = usable.Score, usable.Reason
	}
	m, err := s.checked(m)
	if err != nil {
		return fmt.Errorf("tell %q: %w", p.X, err)
	}
	score := m.Score
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
	again := slices.ContainsFunc(t.Measurements, func(old Measurement) bool { return old.ID == m.ID && old.Part() })
	if a.Partial && (!m.Part() || !again && t.State == Failed && !t.Struck()) {
		return fmt.Errorf("tell %q: outcomes without a score are kept for strings that have one, or may get one; tell both together", p.X)
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
	if !a.Partial || t.State != Pending {
		t.summarize(s.problem.Minimize)
	}
	if err := s.keep(ctx, t); err != nil {
		return fmt.Errorf("record trial %d, %q with score %s%g: %w", t.ID, cmp.Or(t.Input, t.X), m.Bound, score, err)
	}
	s.news = s.news || t.State != Pending
	return nil
}

// checked returns a measurement as it is kept.
func (s *Study) checked(m Measurement) (Measurement, error) {
	if !(m.SE >= 0) || math.IsInf(m.SE, 1) {
		return m, fmt.Errorf("standard error %g; give a positive number, or 0 if it is not known", m.SE)
	}
	if !m.Bound.valid() {
		return m, fmt.Errorf("bound %d; give Below, Exact or Above", int8(m.Bound))
	}
	// A reason is a program's, and is shown on terminals.
	kept := Measurement{ID: m.ID, Score: m.Score, Reason: usage.Visible(m.Reason)}
	if !m.Part() {
		kept.SE = cmp.Or(m.SE, s.problem.Noise)
	}
	if !math.IsNaN(kept.Score) {
		kept.Bound = m.Bound
	}
	for name, v := range m.Others {
		if !(math.Abs(v) <= oracle.Largest) { // written this way, NaN fails
			continue
		}
		if kept.Others == nil {
			kept.Others = map[string]float64{}
		}
		kept.Others[name] = v
		switch b := m.OtherBounds[name]; {
		case !b.valid():
			return m, fmt.Errorf("bound %d of %s; give Below, Exact or Above", int8(b), name)
		case b != Exact && kept.OtherBounds == nil:
			kept.OtherBounds = map[string]Bound{name: b}
		case b != Exact:
			kept.OtherBounds[name] = b
		}
	}
	return kept, nil
}

// keep stores trials in one event, and enters them. The caller holds mu.
func (s *Study) keep(ctx context.Context, trials ...Trial) error {
	if err := s.opts.Store.Save(ctx, Event{Trials: trials}); err != nil {
		return err
	}
	s.saved++
	if (Event{Trials: trials}).tells() {
		s.told++
	}
	for _, t := range trials {
		s.enter(t)
		if t.State != Pending {
			s.unseen = append(s.unseen, t)
		}
	}
	return nil
}

// enter adds a trial, or replaces it. The caller holds mu.
func (s *Study) enter(t Trial) {
	if t.ID > len(s.trials) {
		s.trials = append(s.trials, t)
	} else {
		before := s.trials[t.ID-1]
		s.count(before, -1)
		s.trials[t.ID-1] = t
		if before.Name != t.Name {
			s.unname(before)
		}
	}
	s.count(t, 1)
	s.batch = max(s.batch, t.Batch)
	s.byX[t.X] = t.ID
	if t.Input != "" {
		s.byInput[t.Input] = t.ID
	}
	if t.Name != "" {
		s.byName[t.Name] = max(s.byName[t.Name], t.ID)
	}
	for _, m := range t.Measurements {
		s.measured = max(s.measured, m.ID)
	}
}

// unname has a name stand for the latest trial that still has it. The caller holds mu.
func (s *Study) unname(before Trial) {
	if s.byName[before.Name] != before.ID {
		return
	}
	delete(s.byName, before.Name)
	for i := before.ID - 2; i >= 0; i-- {
		if s.trials[i].Name == before.Name {
			s.byName[before.Name] = i + 1
			return
		}
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
