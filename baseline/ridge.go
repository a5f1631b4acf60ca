package baseline

import (
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
)

// NewRidge returns ridge regression on features of strings, whose best predictions are proposed: a batch is the new
// strings with the greatest means that evolution finds, or that are among those that may be proposed. Features are what
// the space tells unlike strings by, such as the atom environments of molecules, and otherwise its first group, such as
// the tokens at the positions of aligned sequences, one-hot; the vector of a string has length 1. The penalty is that
// of the greatest marginal likelihood.
func NewRidge(space evolve.Space, seed uint64) (*evolve.Searcher, error) {
	const least = 1e-9 // weight of the deviation
	standardise, read, groups := gp.Standardise, space.Read, []int{0}
	if space.Novelty != nil {
		groups = space.Novelty.Groups
	}
	space.Kernels = []gp.Term{{Kernel: gp.Overlap, Groups: groups}}
	space.Improve, space.Novelty, space.Reference = false, nil, ""
	space.Read = func(x string) (evolve.Description, error) {
		d, err := read(x)
		d.Trend = nil
		return d, err
	}
	return evolve.New(space, evolve.Options{Transform: &standardise, Greedy: true, Beta: [2]float64{least, least}, Patience: -1, Seed: seed})
}
