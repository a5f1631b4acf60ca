package baseline

import "github.com/invbo/invbo/evolve"

// HurriedTanimoto is NewTanimoto with a search for the greatest acquisition that is short enough for tests.
func HurriedTanimoto(feasible func(smiles string) (bool, error), seed uint64) (*evolve.Searcher, error) {
	opts := tanimoto(seed)
	opts.Children, opts.Generations, opts.Pool = 20, 3, -1
	return newTanimoto(feasible, opts)
}

// Fronts and Crowding are the parts of NSGA2's order.
var (
	Fronts   = fronts
	Crowding = crowding
)
