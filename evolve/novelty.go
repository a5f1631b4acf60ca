package evolve

import (
	"context"

	"github.com/invbo/invbo/gp"
)

// novelty is the uncertainty in batches that explore: how unlike a structure is to all known ones, whatever the surrogate says.
//
// The surrogate explains scores by quantities such as logP as far as it can. It is then all but certain of structures of which it has
// seen nothing alike, and its batches soon vary one string. Every other small batch therefore takes only the mean from it, and σ
// from a Gaussian process on the similarity of structures, with hardly any noise, whose prior deviation is a share of that of the scores.
type novelty struct {
	model         // of the known structures, all with the score 0: only its variance is asked for
	prior float64 // its variance, which is 1 in model, on the scale of the transformed scores
}

const (
	curiosity    = 0.5  // deviation of the prior, as a share of that of the scores
	noveltyNoise = 1e-4 // variance of its noise, as a share of that of its prior
	large        = 10   // strings of a batch that does not explore
)

func newNovelty(similarity gp.Term, r *reader) *novelty {
	fixed := &Fixed{Transform: gp.Raw, Weights: []float64{1}, Noise: noveltyNoise}
	return &novelty{model: model{kernels: []gp.Term{similarity}, reader: r, given: &fixed.Transform, fixed: fixed}}
}

// explores reports whether a batch of n strings explores: every other one that is not large, where scores differ and the surrogate
// models them as they are. In batches of 20 and of 50 exploring brought nothing. Where the surrogate models logarithms or ranks, good
// scores are rare, and what is unlike all known strings hardly ever has one.
func (s *Searcher) explores(batch, n int, points []point) bool {
	return s.novelty != nil && n < large && batch%2 == 0 && !flat(points) && s.model.Transform != gp.Log && s.model.Transform != gp.LogRanks
}

// fit has the structures of points known. spread is the variance of the transformed scores.
func (n *novelty) fit(ctx context.Context, points []point, spread float64) error {
	n.prior = curiosity * curiosity * spread
	known := make([]point, len(points))
	for i, p := range points {
		known[i] = point{trial: p.trial, x: p.x}
	}
	return n.model.fit(ctx, known, len(known))
}

// predict returns the variance at structures.
func (n *novelty) predict(described []*Description) []float64 {
	_, sigma2 := n.model.predict(described)
	return n.scaled(sigma2)
}

// atPoints returns the variance at the points.
func (n *novelty) atPoints() []float64 {
	_, sigma2 := n.model.atPoints()
	return n.scaled(sigma2)
}

func (n *novelty) scaled(sigma2 []float64) []float64 {
	for i := range sigma2 {
		sigma2[i] *= n.prior
	}
	return sigma2
}
