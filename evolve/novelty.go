package evolve

import (
	"slices"

	"github.com/invbo/invbo/gp"
)

// novelty is the uncertainty in batches that explore: how unlike a structure is to all known ones, whatever the surrogate says.
//
// The surrogate explains scores by quantities such as logP as far as it can. It is then all but certain of structures of which it has
// seen nothing alike, and its batches soon vary one string. Every other small batch therefore takes only the mean from it, and σ
// from a Gaussian process on the similarity of structures, with hardly any noise, whose prior deviation is a share of that of the scores.
type novelty struct {
	term     gp.Term // similarity
	gp       *gp.Mixture
	trials   []int   // of its points, in their order
	variance float64 // of its prior, on the scale of the transformed scores
}

const (
	curiosity    = 0.5  // deviation of the prior, as a share of that of the scores
	noveltyNoise = 1e-4 // variance of its noise, as a share of that of its prior
	large        = 10   // strings of a batch that does not explore
)

// explores reports whether a batch of n strings explores: every other one that is not large, where scores differ and the surrogate
// models them as they are. In batches of 20 and of 50 exploring brought nothing. Where the surrogate models logarithms or ranks, good
// scores are rare, and what is unlike all known strings hardly ever has one.
func (s *Searcher) explores(batch, n int, points []point) bool {
	return s.novelty != nil && n < large && batch%2 == 0 && !flat(points) && s.model.transform != gp.Log && s.model.transform != gp.LogRanks
}

// fit has the structures of points known, those that follow the points of the last fit being added. spread is the variance of the
// transformed scores.
func (n *novelty) fit(points []point, reader *reader, spread float64) error {
	trials, xs := make([]int, len(points)), make([]string, len(points))
	for i, p := range points {
		trials[i], xs[i] = p.trial, p.x
	}
	if n.gp == nil || len(n.trials) > len(trials) || !slices.Equal(n.trials, trials[:len(n.trials)]) {
		n.gp, n.trials = gp.NewMixture([]gp.Term{n.term}, []float64{1}, noveltyNoise), nil
	}
	if err := n.gp.Add(n.groups(reader.read(xs[len(n.trials):])), nil); err != nil {
		return err
	}
	n.trials = trials
	n.variance = curiosity * curiosity * spread
	return n.gp.Target(make([]float64, len(points)), 0) // there is no mean to be asked for
}

// groups returns the features that the term compares.
func (n *novelty) groups(described []*Description) [][]gp.Counts {
	all := groups(described)
	for i := range all {
		all[i] = all[i][:named(n.term)] // gp.Mixture would look at the others
	}
	return all
}

// predict returns the variance at structures.
func (n *novelty) predict(described []*Description) []float64 {
	_, sigma2 := n.gp.Predict(n.groups(described))
	return n.scaled(sigma2)
}

// atPoints returns the variance at the points.
func (n *novelty) atPoints() []float64 {
	_, sigma2 := n.gp.AtPoints()
	return n.scaled(sigma2)
}

func (n *novelty) scaled(sigma2 []float64) []float64 {
	for i := range sigma2 {
		sigma2[i] *= n.variance
	}
	return sigma2
}

// block returns structures for the batch to be picked from. Variances are shares of that of the prior.
func (n *novelty) block(described []*Description) *gp.Block { return n.gp.Block(n.groups(described)) }
