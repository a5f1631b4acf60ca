package baseline

import (
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
)

// NewRidge returns ridge regression on the letters of aligned sequences, one-hot, whose best predictions are proposed: a batch is the new
// strings with the greatest means that evolution finds, or that are among those that may be proposed. The first group of features of the
// space holds a token for each position, as in package space/protein. The penalty is that of the greatest marginal likelihood.
func NewRidge(space evolve.Space, seed uint64) (*evolve.Searcher, error) {
	const least = 1e-9 // weight of the deviation
	standardise, read := gp.Standardise, space.Read
	space.Kernels = []gp.Term{{Kernel: gp.Overlap, Groups: []int{0}}}
	space.Improve, space.Novelty, space.Reference = false, nil, ""
	space.Read = func(x string) (evolve.Description, error) {
		d, err := read(x)
		d.Trend = nil
		return d, err
	}
	return evolve.New(space, evolve.Options{Transform: &standardise, Greedy: true, Beta: [2]float64{least, least}, Patience: -1, Seed: seed})
}
