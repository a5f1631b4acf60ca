package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/invbo/invbo/oracle"
)

// Run asks, scores and tells until the budget is spent. Strings of a batch are scored side by side. Every
// answer is stored the moment it arrives; the searcher observes the answers of a batch in the order of
// their IDs, so that the run is the same however fast each of them was.
//
// What is pending when Run begins is scored first. The error names the trial, and wraps ctx's cause if ctx
// ended the run. Run may be called again to continue, but not while it runs.
func (s *Study) Run(ctx context.Context) error {
	if s.problem.Oracle == nil {
		return errors.New("study: to Run, a Problem needs an Oracle")
	}
	if !s.running.CompareAndSwap(false, true) {
		return errors.New("study: Run is running already, and would ask the oracle again about what it asks now; wait for it")
	}
	defer s.running.Store(false)
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
			return fmt.Errorf("trial %d: ask: %w", len(s.Trials())+1, err) // all have an answer
		}
	}
}

// score asks the oracle about proposals. If one call fails, or an answer cannot be stored, no further call
// begins, and the answers of those under way are waited for and stored: they are paid for.
func (s *Study) score(ctx context.Context, open []Proposal) error {
	calls := slices.Collect(slices.Chunk(open, s.opts.PerCall))
	failed, fail := context.WithCancelCause(context.WithoutCancel(ctx)) // of the first error
	defer fail(nil)
	var next, underWay atomic.Int64
	var workers sync.WaitGroup
	for range min(s.opts.Workers, len(calls)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(calls) && ctx.Err() == nil && failed.Err() == nil; i = int(next.Add(1)) - 1 {
				underWay.Add(1)
				err := s.call(ctx, calls[i])
				others := underWay.Add(-1)
				if err == nil {
					continue
				}
				fail(err)
				if others > 0 && ctx.Err() == nil {
					s.opts.Logger.WarnContext(ctx, "a call of the oracle has failed; the study ends when those under way have answered", "calls", others, "error", err)
				}
			}
		})
	}
	workers.Wait()
	if err := cmp.Or(context.Cause(failed), context.Cause(ctx)); err != nil { // the searcher observes complete batches only, so that a resumed run is the same
		return err
	}
	s.searching.Lock()
	defer s.searching.Unlock()
	return s.observe(ctx)
}

// CallError is Run's error after a failed oracle call. It wraps the oracle's error and names the first trial of the call.
type CallError struct{ error }

func (e *CallError) Unwrap() error { return e.error }

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
		return &CallError{fmt.Errorf("trial %d: score %q%s: %w", open[0].ID, inputs[0], more, err)}
	}
	var first error
	for i, r := range results {
		if err := s.record(context.WithoutCancel(ctx), open[i], Answer{Result: r}); first == nil {
			first = err
		}
	}
	return first
}
