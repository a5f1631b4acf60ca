package study

import (
	"context"
	"fmt"
)

// Where many clients ask for one proposal each, a search that thinks about each of them keeps all waiting. With
// Options.Ahead the searcher is asked for more than Ask was, and what is left is handed out next, in its order:
//
//   - While no score arrives, for four times as many each time: 1, 4, 16 and so on. Many clients at once then get what one client gets that asks
//     as often, in the same order.
//   - Where scores arrive all the time, for as many as other calls of Ask wait for, or half as many as wait for an answer if those are more. What is
//     left is dropped when more scores have arrived than half: among so many proposals without an answer, a few more answers change little.
//
// One client that asks, measures and tells in turn gets what it would get without. Events tell how many the searcher
// was asked for, so that a resumed study goes on as it would have.

// fewAnswers: proposals count as stale when more than 1/fewAnswers of the pending ones have been answered.
const fewAnswers = 2

// growth is the factor by which proposals ahead grow while no score arrives.
const growth = 4

// many returns for how many proposals the searcher is asked where Ask is called for n.
func (s *Study) many(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	more := s.pending / fewAnswers
	switch {
	case s.told != s.known:
		more = max(more, int(s.wanted.Load()))
	case s.stride > 0:
		more = growth * s.stride
	}
	return max(n, min(more, s.opts.Ahead))
}

// refresh drops what is left of proposals that nobody asked for, if too many scores have arrived since. The searcher is
// told that they are skipped, and an event says so.
func (s *Study) refresh(ctx context.Context) error {
	s.mu.Lock()
	stale := s.ahead && s.asked == 0 && s.told-s.known > s.pending/fewAnswers
	s.mu.Unlock()
	for stale && len(s.queue) > 0 {
		if err := s.skip(ctx, unscored(s.queue[0], Skipped)); err != nil {
			return err
		}
		s.queue = s.queue[1:]
	}
	if len(s.queue) > 0 || s.taken == 0 || s.asked > 0 {
		return nil
	}
	e := Event{Taken: s.taken, Observed: s.seen}
	if d, durable := s.searcher.(Durable); durable {
		var err error
		if e.State, err = d.Snapshot(); err != nil {
			return fmt.Errorf("snapshot of the searcher: %w", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.opts.Store.Save(ctx, e); err != nil {
		return fmt.Errorf("store that %d proposals are dropped: %w", e.Taken, err)
	}
	s.saved++
	s.taken, s.ahead = 0, false
	return nil
}

// waiting returns how many of an event's trials wait for an answer.
func (e Event) waiting() (n int) {
	for _, t := range e.Trials {
		if t.State == Pending {
			n++
		}
	}
	return n
}
