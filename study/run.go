package study

import (
	"context"
	"errors"
	"fmt"
	"math"
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
		// All of the initial design, or of a larger batch, is scored side by side.
		var err error
		if open, err = s.ask(ctx, s.opts.Batch, math.MaxInt); errors.Is(err, ErrDone) {
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
	var failed error
	var once sync.Once
	calls := make(chan []Proposal)
	var workers sync.WaitGroup
	for range min(s.opts.Workers, len(open)) {
		workers.Go(func() {
			for call := range calls {
				if ctx.Err() != nil {
					return
				}
				if err := s.call(ctx, call); err != nil {
					once.Do(func() {
						failed = err
						cancel(err)
					})
				}
			}
		})
	}
	for call := range slices.Chunk(open, s.opts.PerCall) {
		select {
		case calls <- call:
		case <-ctx.Done():
		}
	}
	close(calls)
	workers.Wait()
	if failed == nil && ctx.Err() != nil {
		failed = context.Cause(ctx)
	}
	if failed != nil { // the searcher observes the batch when it is complete, so that a run that goes on is the same
		return failed
	}
	s.searching.Lock()
	defer s.searching.Unlock()
	return s.observe(ctx)
}

// call scores proposals by one call of the oracle, and stores all answers that can be stored.
func (s *Study) call(ctx context.Context, open []Proposal) error {
	inputs := make([]string, len(open))
	for i, p := range open {
		inputs[i] = p.Input
	}
	results, err := oracle.Score(ctx, s.problem.Oracle, inputs)
	if err != nil {
		more := ""
		if len(open) > 1 {
			more = fmt.Sprintf(" and %d more", len(open)-1)
		}
		return fmt.Errorf("trial %d: score %q%s: %w", open[0].ID, inputs[0], more, err)
	}
	var first error
	for i, r := range results {
		if err := s.record(context.WithoutCancel(ctx), open[i], Answer{Result: r}); first == nil {
			first = err
		}
	}
	return first
}

// begun returns the number of trials, pending ones included.
func (s *Study) begun() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.trials)
}
