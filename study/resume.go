package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// resume brings the searcher to where it was when the store's events ended, once. Up to the latest event with a state
// it observes what it observed then, and is restored; what it proposed after that it is asked for again. So the search
// goes on as if it had not been interrupted. After an error the searcher is somewhere in between, and so the error
// remains.
func (s *Study) resume(ctx context.Context) error {
	if len(s.past) == 0 {
		return nil
	}
	if s.failed != nil {
		return s.failed
	}
	began := time.Now()
	// The books as they were at the time: those of s hold everything, and may grow meanwhile. The budget may have been
	// larger.
	budget := s.opts.Budget + max(0, -s.Left())
	then := blank(s.problem, s.searcher, Options{Budget: budget, Logger: s.opts.Logger})
	if s.failed = then.repeat(ctx, s.past, s.opts.Watch); s.failed != nil {
		return s.failed
	}
	then.takeReport()
	s.queue, s.seen, s.empty, s.open, s.reported = then.queue, then.seen, then.empty, then.open, then.ended
	s.ahead, s.stride, s.known, s.observed = then.ahead, then.stride, then.known, then.observed
	s.opts.Logger.InfoContext(ctx, "resumed", "events", len(s.past), "trials", len(then.trials), "time", time.Since(began))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.past = nil
	s.batch, s.ended, s.report, s.news = then.batch, then.ended, then.report, s.news || then.news
	s.unseen = append(then.unseen, s.unseen...)
	return nil
}

// repeat goes through events as they happened. It watches batches that end where the searcher's state is known.
func (s *Study) repeat(ctx context.Context, events []Event, watch func(Status)) error {
	restore := -1 // event whose state is restored
	durable, ok := s.searcher.(Durable)
	for i, e := range events {
		if ok && e.State != nil {
			restore = i
		}
	}
	next := make([]int, len(events)) // what the searcher had observed when it was next asked
	for i, n := len(events)-1, len(events); i >= 0; i-- {
		next[i] = n
		if events[i].asked() {
			n = events[i].Observed
		}
	}
	if restore < 0 {
		s.opts.Watch = watch
	}
	same := true // as far as the searcher was asked again it proposed the same
	for i, e := range events {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if e.asked() {
			if err := s.catchUp(ctx, events, e.Observed); err != nil {
				return err
			}
		}
		switch {
		case !e.proposed(): // measurements, or the initial design
		case i <= restore || !same:
			s.expect(e)
		default:
			if err := s.repropose(ctx, e, &same); err != nil {
				return fmt.Errorf("batch %d: %w", s.Batch(), err)
			}
		}
		for _, t := range e.Trials {
			s.enter(t)
		}
		s.hope(e)
		s.saved++
		if e.tells() {
			s.told++
		}
		if e.Asked > 0 {
			s.ahead, s.stride = e.Asked > e.waiting(), e.Asked
		}
		if s.pending == 0 && s.saved <= next[i] { // as Tell and Run do
			if err := s.catchUp(ctx, events, s.saved); err != nil {
				return err
			}
		}
		if i == restore {
			switch err := durable.Restore(e.State); {
			case err != nil && !errors.Is(err, ErrForeign):
				return fmt.Errorf("restore the searcher: %w", err)
			case err != nil:
				same = false
				s.opts.Logger.WarnContext(ctx, "the search is resumed, but not exactly: it has observed all trials, and cannot use what else was stored of it", "error", err)
			}
			s.opts.Watch = watch
		}
	}
	s.pass(events, len(events))
	return nil
}

// hope keeps account, as Ask and Tell do, of how many proposals in a row have brought nothing new.
func (s *Study) hope(e Event) {
	waits := func(t Trial) bool { return t.State == Pending }
	switch {
	case !e.asked():
		s.news = s.news || !slices.ContainsFunc(e.Trials, waits)
	case slices.ContainsFunc(e.Trials, waits):
		s.empty = 0
	}
}

// catchUp has the searcher observe what it had observed when there were n events.
func (s *Study) catchUp(ctx context.Context, events []Event, n int) error {
	s.pass(events, n)
	return s.inform(ctx)
}

// pass puts trials of events before n into unseen, those that have not been there yet.
func (s *Study) pass(events []Event, n int) {
	for _, e := range events[s.seen:max(s.seen, min(n, len(events)))] {
		if e.tells() {
			s.observed++
		}
		for _, t := range e.Trials {
			if t.State != Pending {
				s.unseen = append(s.unseen, t)
			}
		}
		s.seen++
	}
}

// expect counts the proposals of an event as if the searcher had just made them.
func (s *Study) expect(e Event) {
	ended := func(batches int) {
		s.batch, s.ended = s.batch+batches, s.ended+batches
	}
	if e.Asked > 0 {
		s.renew()
		s.empty++
		s.known = s.observed
	}
	if e.Asked > 0 && e.Taken == 0 { // it proposed nothing
		ended(1)
	}
	for _, t := range e.Trials {
		if t.Kind == Acquired {
			ended(max(0, t.Batch-1-s.batch)) // batches whose strings were all skipped
			s.open[t.Batch]++
		}
	}
}

// repropose asks the searcher for the proposals of an event again. If it proposes others, because it runs on another
// machine or is of another version, those of the event hold, and it is not asked again.
func (s *Study) repropose(ctx context.Context, e Event, same *bool) error {
	if e.Asked > 0 {
		if err := s.propose(ctx, e.Asked); err != nil {
			return err
		}
	}
	taken := s.queue[:min(e.Taken, len(s.queue))]
	s.queue = s.queue[len(taken):]
	for _, t := range e.Trials {
		i := slices.IndexFunc(taken, func(p Proposal) bool { return p.X == t.X })
		if i < 0 {
			*same = false
			s.opts.Logger.WarnContext(ctx, "the search is resumed, but not exactly: asked again it proposes something else, as on another processor or by another version", "trial", t.ID, "string", t.X)
			s.queue = nil
			s.expect(e)
			return nil
		}
		taken = slices.Delete(slices.Clone(taken), i, i+1)
	}
	for _, p := range taken {
		if err := s.skip(ctx, unscored(p, Skipped)); err != nil {
			return err
		}
	}
	s.asked, s.taken = 0, 0
	return nil
}
