package evolve

import (
	"context"
	"fmt"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// What tells which strings can be scored by their likeness to others.
const (
	fewViable  = 3     // strings that were scored, and as many that failed
	mostViable = 1_000 // the latest trials

	viableVariance = 0.04 // of 0 and 1, which the surrogate would meet exactly otherwise, certain of all between them
)

// newViable returns a model of which strings can be scored, for Space.Kin: a scored string has 1, a failed one 0, and one half is between them. It also
// learns what Searcher.chance cannot: that letters fail together, or that too many changes do.
func (s *Searcher) newViable() *outcome {
	v := &outcome{constraints: []study.Constraint{{Op: ">=", Bound: 0.5}}, model: s.surrogate()}
	v.model.given = new(gp.Standardise)
	return v
}

// fitViable fits it to the trials.
func (s *Searcher) fitViable(ctx context.Context) error {
	if s.viable == nil {
		return nil
	}
	trials := s.trials[max(0, len(s.trials)-mostViable):]
	xs := make([]string, len(trials))
	for i := range trials {
		xs[i] = trials[i].Input
	}
	var points []point
	failed := 0
	for i, d := range s.reader.read(xs) {
		t := &trials[i]
		p := point{trial: t.ID, x: t.Input, variance: viableVariance, batch: t.Batch}
		switch {
		case d == nil:
			continue
		case t.State == study.Scored:
			p.y = 1
		case t.State == study.Failed && !t.Struck():
			failed++
		default:
			continue
		}
		points = append(points, p)
	}
	if min(failed, len(points)-failed) < fewViable {
		s.viable.model.forget()
		return nil
	}
	if err := s.viable.model.fit(ctx, points, len(points)); err != nil {
		return fmt.Errorf("which strings can be scored: %w", err)
	}
	return nil
}
