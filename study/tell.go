package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
)

// Tell takes answers, in any order: to proposals, by ID or string, or for strings that were not proposed.
// Each is stored when Tell returns. A string that has a score already gets another measurement, which costs no call;
// an answer with a Measurement's ID replaces that measurement. A score that is NaN, infinite or beyond
// ±oracle.Largest is a failed measurement, and one with a Bound says only on which side of it the true score lies.
//
// The searcher observes answers once nothing is pending, or in the next Ask, in the order of their trials: the
// search does not depend on the order in which they were told in between.
//
// The error joins the errors of all answers that could not be taken; each of these names its string. The other answers
// are stored. Or the error is the searcher's.
func (s *Study) Tell(ctx context.Context, answers ...Answer) error {
	var errs []error
	for _, a := range answers {
		p, err := s.find(a)
		if err == nil {
			err = s.record(ctx, p, a)
		}
		if err == nil {
			err = s.settle(ctx)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// settle has the searcher observe answers if nothing is pending. While another goroutine's Ask proposes, they wait: they are
// stored already.
func (s *Study) settle(ctx context.Context) error {
	s.mu.Lock()
	pending := s.pending
	s.mu.Unlock()
	if pending > 0 || !s.searching.TryLock() {
		return nil
	}
	defer s.searching.Unlock()
	if len(s.past) > 0 { // to resume a searcher may take long: the next Ask does
		return nil
	}
	return s.inform(ctx)
}

// Check returns an error if the searcher cannot use a string, so that it cannot be told.
func (s *Study) Check(x string) error {
	input, err := s.problem.translate(x)
	return s.usable(x, input, err == nil)
}

// usable returns an error if the searcher cannot use x, whose input is known unless it is invalid.
func (s *Study) usable(x, input string, valid bool) error {
	if c, ok := s.searcher.(Checker); ok {
		if err := c.Check(x); err != nil {
			return err
		}
	}
	if c, ok := s.searcher.(InputChecker); ok && s.problem.Translate != nil && valid { // otherwise it is recorded as invalid, with the reason
		if err := c.CheckInput(input); err != nil {
			return fmt.Errorf("translated to %q: %w", input, err)
		}
	}
	return nil
}

// find returns the proposal that an answer belongs to, which is known or, with ID 0, External.
func (s *Study) find(a Answer) (Proposal, error) {
	if a.ID == 0 {
		known := s.Lookup(a.X)
		switch known.State {
		case Invalid:
			return Proposal{}, fmt.Errorf("tell %q: %s", a.X, known.Reason)
		case Unseen:
			if err := s.Check(a.X); err != nil {
				return Proposal{}, fmt.Errorf("tell %q: %w", a.X, err)
			}
			return Proposal{X: a.X, Name: a.Name, Input: known.Input, Kind: External, Mean: math.NaN(), SD: math.NaN()}, nil
		}
		a.ID = known.ID
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.ID < 1 || a.ID > len(s.trials) {
		return Proposal{}, fmt.Errorf("tell trial %d: there are %d; give the ID of a proposal, or its string", a.ID, len(s.trials))
	}
	t := s.trials[a.ID-1]
	if t.State == Invalid {
		return Proposal{}, fmt.Errorf("tell trial %d, %q: %s", t.ID, t.X, t.Reason)
	}
	t.Name = cmp.Or(a.Name, t.Name)
	return t.Proposal, nil
}
