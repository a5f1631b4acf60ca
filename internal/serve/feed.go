package serve

import (
	"context"
	"sync"

	"github.com/invbo/invbo/study"
)

// feed is the store of a study that tells others what was stored. The events of a study are numbered from 1, in the file, too:
// with the number of the latest that it has seen, a client goes on after a restart of either side.
type feed struct {
	study.Store
	constraints []study.Constraint

	mu      sync.Mutex
	log     []note        // an event each
	more    chan struct{} // closed when log grows
	values  []float64     // of trials, by ID − 1
	counts  []bool        // they may be the best
	best    int           // ID of the best trial; 0: none
	highest float64
}

// note is what is told about an event, by the IDs of trials.
type note struct {
	proposed, answered []int
	best               int // the best trial if it, or its score, is a new one; else 0
}

func newFeed() *feed { return &feed{more: make(chan struct{})} }

// Save stores e.
func (f *feed) Save(ctx context.Context, e study.Event) error {
	f.mu.Lock() // so that log has the order of the store
	defer f.mu.Unlock()
	if err := f.Store.Save(ctx, e); err != nil {
		return err
	}
	f.add(e)
	close(f.more)
	f.more = make(chan struct{})
	return nil
}

// Events returns the stored events. The study calls it once, before Save.
func (f *feed) Events(ctx context.Context) ([]study.Event, error) {
	events, err := f.Store.Events(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log, f.values, f.counts, f.best = nil, nil, nil, 0
	for _, e := range events {
		f.add(e)
	}
	return events, err
}

// add appends the note of an event. The caller holds mu.
func (f *feed) add(e study.Event) {
	var n note
	before, highest := f.best, f.highest
	for _, t := range e.Trials {
		switch {
		case t.State != study.Pending:
			n.answered = append(n.answered, t.ID)
		case t.ID > len(f.values): // else it waits on, with a part of its outcomes
			n.proposed = append(n.proposed, t.ID)
		}
		f.score(t)
	}
	if f.best > 0 && (f.best != before || f.highest != highest) {
		n.best = f.best
	}
	f.log = append(f.log, n)
}

// score keeps the best trial, the first among equals.
func (f *feed) score(t study.Trial) {
	for len(f.values) < t.ID {
		f.values, f.counts = append(f.values, 0), append(f.counts, false)
	}
	f.values[t.ID-1], f.counts[t.ID-1] = t.Value, t.Counts(f.constraints)
	if t.ID == f.best { // it may have become worse
		f.best = 0
		for i, v := range f.values {
			f.challenge(i+1, v)
		}
		return
	}
	f.challenge(t.ID, t.Value)
}

func (f *feed) challenge(id int, value float64) {
	if f.counts[id-1] && (f.best == 0 || value > f.highest || value == f.highest && id < f.best) {
		f.best, f.highest = id, value
	}
}

// after returns the notes after the n-th, and what is closed when there are more.
func (f *feed) after(n int) ([]note, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.log[min(n, len(f.log)):], f.more
}

// latest returns the number of the latest event.
func (f *feed) latest() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.log)
}
