package baseline

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/study"
)

// GA is a genetic algorithm on strings of any alphabet, without a surrogate: parents are drawn from the best strings by
// their scores, and the operators of the space, all as often, make children of them.
type GA struct {
	space      evolve.Space
	seed       uint64
	population population
}

const (
	survivors = 100   // strings that parents are drawn from
	rounds    = 2_000 // attempts at a new string: then there is none
)

// NewGA returns a GA on a space. The same seed and answers give the same search.
func NewGA(space evolve.Space, seed uint64) *GA {
	return &GA{space: space, seed: seed, population: population{size: survivors}}
}

// Propose returns n children that are new and feasible, or fewer if less than that is left of the budget, or if 2,000
// attempts in a row find no other; study.ErrExhausted if they find none.
func (g *GA) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	if len(g.population.members) == 0 {
		return nil, study.ErrExhausted
	}
	return breed(ctx, g.space, rand.New(rand.NewPCG(g.seed, uint64(known.Batch()))), g.population.draw, known, n)
}

// breed returns children of parents that are drawn, as GA.Propose says.
func breed(ctx context.Context, space evolve.Space, rng *rand.Rand, draw func(*rand.Rand) string, known study.Ledger, n int) ([]study.Proposal, error) {
	n = min(n, known.Left())
	var batch []study.Proposal
	for round := 0; round < rounds && len(batch) < n; round++ {
		op := space.Operators[rng.IntN(len(space.Operators))]
		children, err := op.Make(ctx, [][2]string{{draw(rng), draw(rng)}}, rng)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op.Name, err)
		}
		for _, c := range children {
			if len(batch) == n || !allows(space, c) {
				continue
			}
			before := len(batch)
			if batch, err = join(batch, c.X, known); err != nil {
				return nil, err
			}
			if len(batch) > before {
				round = 0
			}
		}
	}
	if len(batch) == 0 {
		return nil, study.ErrExhausted
	}
	return batch, nil
}

// allows reports whether there is a child and the space lets it be proposed.
func allows(space evolve.Space, c evolve.Child) bool {
	if c.X == "" || c.Description != nil {
		return c.X != "" && !c.Description.Infeasible
	}
	d, err := space.Read(c.X)
	return err == nil && !d.Infeasible
}

// Observe adds scored strings to those that parents are drawn from, and removes those whose score was corrected to a
// failure.
func (g *GA) Observe(_ context.Context, trials ...study.Trial) error {
	g.population.observe(trials)
	return nil
}
