package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/invbo/invbo/oracle"
)

// Run asks, scores and tells until the budget is spent. Strings of a batch are scored side by side. Every
// answer is stored the moment it arrives; the searcher observes the answers of a batch in the order of
// their IDs, so that the run is the same however fast each of them was.
//
// What is pending when Run begins is scored first. The error names the trial, and wraps ctx's cause if ctx
// ended the run. Run may be called again to continue.
func (s *Study) Run(ctx context.Context) error {
	if s.problem.Oracle == nil {
		return errors.New("study: to Run, a Problem needs an Oracle")
	}
	open := s.Pending()
	for {
		if err := s.score(ctx, open); err != nil {
			return err
		}
		// The whole initial design may be scored side by side.
		n := max(s.opts.Batch, s.unasked())
		var err error
		if open, err = s.Ask(ctx, n); errors.Is(err, ErrDone) {
			return nil
		} else if err != nil {
			return fmt.Errorf("trial %d: ask: %w", s.begun()+1, err)
		}
	}
}

// score asks the oracle about proposals. If one call fails, or an answer cannot be stored, no further call
// begins, and the answers of those under way are stored: they are paid for.
func (s *Study) score(ctx context.Context, open []Proposal) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type reply struct {
		calls []Proposal
		err   error
	}
	calls := make(chan []Proposal)
	replies := make(chan reply)
	var workers sync.WaitGroup
	for range min(s.opts.Workers, len(open)) {
		workers.Go(func() {
			for call := range calls {
				replies <- reply{call, s.call(ctx, call)}
			}
		})
	}
	go func() {
		defer close(replies)
		defer workers.Wait()
		defer close(calls)
		for call := range slices.Chunk(open, s.opts.PerCall) {
			select {
			case calls <- call:
			case <-ctx.Done():
				return
			}
		}
	}()
	var failed error
	for r := range replies {
		if r.err != nil && failed == nil {
			failed = fmt.Errorf("trial %d: %w", r.calls[0].ID, r.err)
			cancel(r.err)
		}
	}
	if failed == nil && ctx.Err() != nil {
		failed = context.Cause(ctx)
	}
	s.searching.Lock()
	defer s.searching.Unlock()
	s.sortUntold()
	return errors.Join(failed, s.observe(context.WithoutCancel(ctx)))
}

// call scores proposals by one call of the oracle, and stores the answers.
func (s *Study) call(ctx context.Context, open []Proposal) error {
	inputs := make([]string, len(open))
	for i, p := range open {
		inputs[i] = p.Input
	}
	results, err := oracle.Score(ctx, s.problem.Oracle, inputs)
	if err != nil {
		return fmt.Errorf("score %q: %w", inputs[0], err)
	}
	for i, r := range results {
		if err := s.record(context.WithoutCancel(ctx), open[i], Answer{Result: r}, true); err != nil {
			return err
		}
	}
	return nil
}

// sortUntold puts what the searcher has not observed into the order of IDs.
func (s *Study) sortUntold() {
	s.books.Lock()
	defer s.books.Unlock()
	slices.SortStableFunc(s.untold, func(a, b Trial) int { return a.ID - b.ID })
}

// unasked returns how many strings of the initial design have not been handed out.
func (s *Study) unasked() int {
	s.searching.Lock()
	defer s.searching.Unlock()
	if !s.started {
		return len(s.problem.Init)
	}
	return len(s.design)
}

// begun returns the number of trials, pending ones included.
func (s *Study) begun() int {
	s.books.Lock()
	defer s.books.Unlock()
	return len(s.trials)
}
