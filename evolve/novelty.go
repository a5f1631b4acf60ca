package evolve

import (
	"context"

	"github.com/invbo/invbo/gp"
)

const (
	curiosity    = 0.5  // deviation of the novelty's prior, as a share of that of the scores
	noveltyNoise = 1e-4 // variance of its noise, as a share of that of its prior
	large        = 10   // strings of a batch that does not explore
)

// newNovelty returns the uncertainty in batches that explore: how unlike a structure is to all known ones, whatever the
// surrogate says. Its prior has variance 1.
//
// The surrogate explains scores by quantities such as logP as far as it can. It is then overconfident about unfamiliar
// structures, and its batches soon vary one string. Every other small batch therefore takes only the mean from it, and
// σ from a Gaussian process on the similarity of structures, with hardly any noise, whose prior deviation is a share of
// that of the scores.
func newNovelty(similarity gp.Term, r *reader) *model {
	fixed := &Fixed{Transform: gp.Raw, Weights: []float64{1}, Noise: noveltyNoise}
	return &model{kernels: []gp.Term{similarity}, reader: r, given: &fixed.Transform, fixed: fixed}
}

// explores reports whether a batch of n strings explores: every other one that is not large, where scores differ and
// the surrogate models them as they are. In batches of 20 and of 50 exploring brought nothing. Where the surrogate
// models logarithms or ranks, good scores are rare, and what is unlike all known strings hardly ever has one.
func (s *Searcher) explores(batch, n int, points []point) bool {
	return s.novelty != nil && n < large && batch%2 == 0 && !flat(points) && s.model.Transform != gp.Log && s.model.Transform != gp.LogRanks
}

// explore has the acquisition take its uncertainty from the novelty, to which the structures of points are known.
func (s *Searcher) explore(ctx context.Context, a *acquisition, points []point) error {
	known := make([]point, len(points)) // only the variance is asked for, which scores do not matter for
	for i, p := range points {
		known[i] = point{trial: p.trial, x: p.x}
	}
	a.doubt, a.unit = s.novelty, curiosity*curiosity*s.model.spread
	return s.novelty.fit(ctx, known, len(known))
}
