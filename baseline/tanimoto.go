package baseline

import (
	"context"
	"math/rand/v2"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
)

// The published constants of the kernel.
const (
	radius = 3    // of the atom environments, in bonds: ECFP6
	bins   = 2048 // of the folded fingerprint
)

// mutants is the share of children that are mutants of one parent; the others are crosses of two.
const mutants = 0.1

// tanimoto are the published settings. The surrogate is fitted to the best and the latest molecules, as in any
// evolve.Searcher, not to all: that takes n² multiplications for each candidate.
func tanimoto(seed uint64) evolve.Options {
	return evolve.Options{
		Children: 200, Generations: 5, Pool: 10_000, Beta: [2]float64{0.01, 1}, Greedy: true, Patience: -1,
		Fixed: &evolve.Fixed{Transform: gp.Raw, Weights: []float64{1}, Noise: 1e-4},
		Seed:  seed,
	}
}

// NewTanimoto returns Bayesian optimization on fingerprints over canonical SMILES, with the published settings: an
// exact GP on the scores as they are, whose kernel is the Tanimoto similarity of counted atom environments, with mean
// 0, scale 1 and noise 10⁻⁴. A batch is the new molecules with the greatest upper confidence bounds
//
//	μ + β·σ    log₁₀ β ~ U(−2, 0), drawn once a batch
//
// that a graph genetic algorithm finds, which starts from the known molecules and 10,000 of the built-in library. feasible,
// study.Problem's, acts inside that loop; nil: all are. The error is molecule.ErrNoRDKit.
func NewTanimoto(feasible func(smiles string) (bool, error), seed uint64) (*evolve.Searcher, error) {
	return newTanimoto(feasible, tanimoto(seed))
}

func newTanimoto(feasible func(smiles string) (bool, error), opts evolve.Options) (*evolve.Searcher, error) {
	breeder, err := genetic.NewBreeder(genetic.Options{}, func(smiles string, _ *molecule.Molecule) evolve.Child { return evolve.Child{X: smiles} })
	if err != nil {
		return nil, err
	}
	pool := library.SMILES()
	return evolve.New(evolve.Space{
		Operators: []evolve.Operator{{Name: "breed", Make: func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
			n := int(mutants * float64(len(pairs)))
			mutated, err := breeder.Mutate(ctx, pairs[:n], rng)
			if err != nil {
				return nil, err
			}
			crossed, err := breeder.Cross(ctx, pairs[n:], rng)
			return append(mutated, crossed...), err
		}}},
		Kernels: []gp.Term{{Kernel: gp.Tanimoto}},
		Read: func(smiles string) (d evolve.Description, _ error) {
			m, err := molecule.Parse(smiles)
			if err != nil {
				return d, err
			}
			defer m.Close()
			d.Groups = []gp.Counts{gp.Counts(m.ECFP(radius).Fold(bins))}
			if feasible != nil {
				ok, err := feasible(smiles)
				d.Infeasible = err == nil && !ok // the study reports the error when it asks about a proposal
			}
			return d, nil
		},
		Pool: func(n int, rng *rand.Rand) []string {
			var some []string
			for _, i := range rng.Perm(len(pool))[:min(n, len(pool))] {
				some = append(some, pool[i])
			}
			return some
		},
	}, opts)
}
