package page

import (
	"context"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/study"
)

// board is a study with what is remembered to show it.
type board struct {
	Study
	asking atomic.Int32 // searches that go on
	structures

	mu     sync.Mutex // the fields below
	latest *snapshot
	sheet  *sheet.Sheet // of the proposals of the latest snapshot; nil: not made yet
	ended  string       // why the latest search found fewer than were asked for
}

func newBoard(s Study, begin begin) *board {
	return &board{Study: s, structures: structures{begin: begin}}
}

// snapshot is a study after one of its events.
type snapshot struct {
	event   int
	trials  []study.Trial // all, by ID − 1
	status  experiment.Status
	name    func(study.Proposal) string
	bests   []float64 // best score, or hypervolume of several objectives, up to each trial
	calls   int       // proposals that were answered
	earned  []experiment.Operator
	onFront map[int]bool // IDs
	words   func() []string
	predict func(p study.Proposal, outcome string) reading // see board.prediction

	sorting sync.Mutex // the field below
	sorted  map[order][]int
}

// snapshot returns the study as it is now.
func (b *board) snapshot() *snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	event := b.Latest() // first: what comes in between is shown already, and shown again
	if b.latest != nil && b.latest.event == event {
		return b.latest
	}
	s := &snapshot{event: event, trials: b.All(), status: b.Experiment.Status(), name: b.Naming(), predict: b.prediction, onFront: map[int]bool{}, calls: b.Experiment.Study.Status().Calls, earned: b.Operators(), sorted: map[order][]int{}}
	if front := s.status.Front; front == nil {
		s.bests = b.Bests(s.of(nil))
	} else if front.Reference != nil {
		s.bests = study.Hypervolumes(s.trials, b.Spec.Objectives, b.Spec.Constraints, front.Reference)
	}
	if s.status.Front != nil {
		for _, t := range s.status.Front.Trials {
			s.onFront[t.ID] = true
		}
	}
	s.words = sync.OnceValue(func() []string {
		words := make([]string, len(s.trials))
		for i, t := range s.trials {
			words[i] = strings.ToLower(strings.Join([]string{s.name(t.Proposal), t.Input, b.Mutant(t.Input), t.Reason}, "\n"))
		}
		return words
	})
	b.latest, b.sheet = s, nil
	return s
}

// proposals returns the table of what waits for a measurement in a snapshot, as invbo ask writes it.
func (b *board) proposals(ctx context.Context, s *snapshot) (*sheet.Sheet, error) {
	b.mu.Lock()
	waiting := b.sheet
	if b.latest != s {
		waiting = nil
	}
	b.mu.Unlock()
	if waiting != nil {
		return waiting, nil
	}
	waiting, err := b.Sheet(s.status.Waiting)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.latest == s {
		b.sheet = waiting
	}
	return waiting, nil
}

// state says in a few words what the study does.
func (b *board) state(s *snapshot) string {
	b.mu.Lock()
	ended := b.ended
	b.mu.Unlock()
	switch waiting := len(s.status.Waiting); {
	case b.asking.Load() > 0:
		return "searching"
	case waiting > 0 && b.HasOracle():
		return "waiting for the oracle: " + count(waiting, "result")
	case waiting > 0:
		return "waiting for " + count(waiting, "result")
	case ended != "":
		return "ended"
	case b.Left() <= 0 || b.HasOracle() && s.calls >= b.Spec.Budget:
		return "budget spent"
	}
	return "ready"
}

// of goes through trials at some indices; nil: all.
func (s *snapshot) of(kept []int) iter.Seq[*study.Trial] {
	return func(yield func(*study.Trial) bool) {
		if kept == nil {
			for i := range s.trials {
				if !yield(&s.trials[i]) {
					return
				}
			}
		}
		for _, i := range kept {
			if !yield(&s.trials[i]) {
				return
			}
		}
	}
}

// touched returns when the study changed last.
func (b *board) touched(ctx context.Context) time.Time {
	at, err := b.LastChange(ctx)
	if err != nil {
		return time.Time{}
	}
	return at
}
