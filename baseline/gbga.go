// Package baseline holds searchers without a latent space, as baselines: the graph genetic algorithm GBGA, the Gaussian
// process on fingerprints of NewTanimoto (Tripp & Hernández-Lobato 2023, "Genetic algorithms are strong baselines for
// molecule generation"), the genetic algorithm GA on strings of any alphabet, and Random.
//
// GBGA and NewTanimoto search canonical SMILES and need RDKit: see package molecule.
package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
)

// GBGA is the graph genetic algorithm GB-GA (Jensen 2019): parents are drawn by their scores, a child has a part of the
// graph of each, some children mutate, and the best molecules survive. Each generation is a batch.
type GBGA struct {
	opts       GBGAOptions
	breeder    *genetic.Breeder[string]
	population population
	random     *rand.PCG
}

// GBGAOptions holds the constants of the algorithm. A zero field takes the value of its benchmark (Gao et al. 2022,
// mol_opt), in the comment.
type GBGAOptions struct {
	Offspring int     // pairs of parents in a generation, which have a child at most; 70
	Mutation  float64 // probability that a child mutates; 0.067
}

// gbgaSurvivors is the number of molecules that survive a generation, as in that benchmark.
const gbgaSurvivors = 120

// NewGBGA returns a GBGA over canonical SMILES. The same seed and answers give the same search on any number of
// processors. The error is molecule.ErrNoRDKit, or names an option.
func NewGBGA(opts GBGAOptions, seed uint64) (*GBGA, error) {
	if opts.Offspring < 0 {
		return nil, fmt.Errorf("baseline: offspring %d must not be negative", opts.Offspring)
	}
	opts = GBGAOptions{cmp.Or(opts.Offspring, 70), cmp.Or(opts.Mutation, 0.067)}
	breeder, err := genetic.NewBreeder(genetic.Options{}, func(smiles string, _ *molecule.Molecule) string { return smiles })
	if err != nil {
		return nil, err
	}
	return &GBGA{opts, breeder, population{size: gbgaSurvivors}, rand.NewPCG(seed, 0)}, nil
}

// Propose returns the next generation, whatever n is: the children that are new and feasible, within the budget.
func (g *GBGA) Propose(ctx context.Context, known study.Ledger, _ int) (batch []study.Proposal, err error) {
	before := *g.random
	defer func() {
		if err != nil { // the next Propose breeds the same generation
			*g.random = before
			err = fmt.Errorf("breed a generation: %w", err)
		}
	}()
	if len(g.population.members) == 0 {
		return nil, nil
	}
	rng := rand.New(g.random)
	parents := make([]string, gbgaSurvivors)
	for i := range parents {
		parents[i] = g.population.draw(rng)
	}
	children, err := g.breeder.Breed(ctx, parents, g.opts.Offspring, g.opts.Mutation, rng)
	if err != nil {
		return nil, err
	}
	left := known.Left()
	for _, x := range children {
		if x == "" || len(batch) == left {
			continue
		}
		if batch, err = join(batch, x, known); err != nil {
			return nil, err
		}
	}
	return batch, nil
}

// Observe adds scored molecules to the population and removes those whose score was corrected to a failure.
func (g *GBGA) Observe(_ context.Context, trials ...study.Trial) error {
	g.population.observe(trials)
	return nil
}
