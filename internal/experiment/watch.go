package experiment

import (
	"context"
	"sync"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

// keeper is the store of an experiment's study. It keeps an event, and then tells who follows it.
//
// The events are numbered from 1, in the file, too: with the number of the latest that it has seen, a client goes on
// after a restart of either side.
type keeper struct {
	constraints []study.Constraint
	answered    func(study.Trial) // is told of trials with an answer, one at a time, in the order of the store

	mu     sync.Mutex
	kept   store
	log    []Note        // an event each
	more   chan struct{} // closed when log grows
	trials []study.Trial // as they are now, by ID − 1
	best   study.Trial   // its ID is 0 if there is none

	loaded []study.Event // before a study calls Events; nil: they were not
}

// Note is what is told about an event, by the IDs of trials.
type Note struct {
	Proposed, Answered []int
	Best               int // the best trial if it, or its score, is a new one; else 0
}

func newKeeper(kept store, answered func(study.Trial)) *keeper {
	return &keeper{kept: kept, answered: answered, more: make(chan struct{})}
}

// use replaces the store by one that holds the same events.
func (k *keeper) use(kept store) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = kept
}

// Save stores e.
func (k *keeper) Save(ctx context.Context, e study.Event) error {
	k.mu.Lock() // so that log has the order of the store
	defer k.mu.Unlock()
	if err := k.kept.Save(ctx, e); err != nil {
		return err
	}
	k.add(e)
	close(k.more)
	k.more = make(chan struct{})
	for _, t := range e.Trials {
		if t.State != study.Pending {
			k.answered(t)
		}
	}
	return nil
}

// Events returns the stored events. A study calls it once, before Save.
func (k *keeper) Events(ctx context.Context) ([]study.Event, error) {
	if k.loaded == nil {
		if err := k.load(ctx); err != nil {
			return nil, err
		}
	}
	events := k.loaded
	k.loaded = nil // the study has them
	return events, nil
}

// load reads the stored events.
func (k *keeper) load(ctx context.Context) error {
	events, err := k.kept.Events(ctx)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.loaded, k.log, k.trials, k.best = events, nil, nil, study.Trial{}
	for _, e := range events {
		k.add(e)
	}
	return nil
}

// told returns all strings that something is known of if much of it was told without having been proposed, as of
// another series: the best string, or as many strings as a tenth of the initial ones, and three at least. Nil: it was
// not. Of more than most strings it returns so many, evenly, those that were told apart; 0: all.
func (k *keeper) told(most int) []study.Observation {
	const fewest, share = 3, 0.1
	var known, others []study.Observation // told, and all others
	initial, external := 0, 0
	for _, t := range k.trials {
		switch {
		case t.Kind == study.Initial:
			initial++
		case t.Kind == study.External && t.State == study.Scored:
			external++
		}
		o := study.Observation{X: t.X, Name: t.Name, Measurements: t.Measurements}
		switch {
		case len(t.Measurements) == 0:
		case t.Kind == study.External:
			known = append(known, o)
		default:
			others = append(others, o)
		}
	}
	if k.best.Kind != study.External && (external < fewest || float64(external) < share*float64(initial)) {
		return nil
	}
	if most > 0 {
		others = stats.Evenly(others, most)
	}
	return append(known, others...)
}

// scores returns those of strings that have one, so that higher is better.
func (k *keeper) scores() map[string]float64 {
	of := map[string]float64{}
	for _, t := range k.trials {
		if t.State == study.Scored {
			of[t.X] = t.Value
		}
	}
	return of
}

// total returns how many strings are measured or have failed.
func (k *keeper) total() (n int) {
	for _, t := range k.trials {
		if t.State != study.Pending {
			n++
		}
	}
	return n
}

// add appends the note of an event. The caller holds mu.
func (k *keeper) add(e study.Event) {
	var n Note
	before := k.best
	for _, t := range e.Trials {
		switch {
		case t.State != study.Pending:
			n.Answered = append(n.Answered, t.ID)
		case t.ID > len(k.trials) || k.trials[t.ID-1].State != study.Pending: // else it waits on, with a part of its outcomes
			n.Proposed = append(n.Proposed, t.ID)
		}
		k.enter(t)
	}
	if k.best.ID != before.ID || k.best.Value != before.Value || k.best.Bound != before.Bound {
		n.Best = k.best.ID
	}
	k.log = append(k.log, n)
}

// enter takes a trial as it is now, and keeps the best.
func (k *keeper) enter(t study.Trial) {
	if t.ID > len(k.trials) {
		k.trials = append(k.trials, t)
	} else {
		k.trials[t.ID-1] = t
	}
	switch {
	case t.ID == k.best.ID: // it may have become worse
		k.best = study.Trial{}
		if ranked := study.Ranked(k.trials, k.constraints); len(ranked) > 0 {
			k.best = ranked[0]
		}
	case t.Counts(k.constraints) && (k.best.ID == 0 || t.Better(&k.best)):
		k.best = t
	}
}

// Watch returns the notes on the events after the n-th, and what is closed when there are more.
func (e *Experiment) Watch(n int) ([]Note, <-chan struct{}) {
	k := e.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.log[min(n, len(k.log)):], k.more
}

// Latest returns the number of the latest event.
func (e *Experiment) Latest() int {
	e.keeper.mu.Lock()
	defer e.keeper.mu.Unlock()
	return len(e.keeper.log)
}
