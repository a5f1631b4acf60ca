// Package baseline holds searchers without a latent space, as baselines: the graph genetic algorithm GBGA, the Gaussian process on fingerprints of
// NewTanimoto (Tripp & Hernández-Lobato 2023, "Genetic algorithms are strong baselines for molecule generation"), the genetic
// algorithm GA on strings of any alphabet, and Random.
//
// GBGA and NewTanimoto search canonical SMILES and need RDKit: see package molecule.
package baseline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/study"
)

// GBGA is the graph genetic algorithm GB-GA (Jensen 2019) with the constants of its benchmark (Gao et al. 2022):
// each generation is a batch, and its scored molecules join the population.
type GBGA struct {
	population *genetic.Population
	random     *rand.PCG
}

// NewGBGA returns a GBGA over canonical SMILES. The same seed and answers give the same search on any number of
// processors. The error is molecule.ErrNoRDKit, or names an option.
func NewGBGA(opts genetic.Options, seed uint64) (*GBGA, error) {
	population, err := genetic.NewPopulation(opts)
	if err != nil {
		return nil, err
	}
	return &GBGA{population: population, random: rand.NewPCG(seed, 0)}, nil
}

// Propose returns the next generation, whatever n is: the children that are new and feasible, within the budget.
func (g *GBGA) Propose(ctx context.Context, known study.Ledger, _ int) ([]study.Proposal, error) {
	before := *g.random
	batch, err := g.breed(ctx, known)
	if err != nil { // the next Propose breeds the same generation
		*g.random = before
		return nil, fmt.Errorf("breed a generation: %w", err)
	}
	return batch, nil
}

func (g *GBGA) breed(ctx context.Context, known study.Ledger) ([]study.Proposal, error) {
	children, err := g.population.Children(ctx, rand.New(g.random))
	if err != nil {
		return nil, err
	}
	var batch []study.Proposal
	left := known.Left()
	for _, s := range children {
		if len(batch) == left {
			break
		}
		e := known.Lookup(s)
		if e.State != study.Unseen || slices.ContainsFunc(batch, func(p study.Proposal) bool { return p.X == s }) {
			continue
		}
		if ok, err := known.Feasible(e.Input); err != nil {
			return nil, err
		} else if ok {
			batch = append(batch, study.Proposal{X: s, Mean: math.NaN(), SD: math.NaN()})
		}
	}
	return batch, nil
}

// Observe adds scored molecules to the population and removes those whose score was corrected to a failure. A score that is only known to
// be above or below something counts as that.
func (g *GBGA) Observe(_ context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		if t.Input != "" && t.State != study.Skipped {
			g.population.Admit([]string{t.Input}, []float64{t.Value})
		}
	}
	return nil
}
