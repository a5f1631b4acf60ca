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
	rng        *rand.Rand
	queue      []study.Proposal // of this generation, not yet proposed
	batches    batches          // generations
}

// NewGBGA returns a GBGA over canonical SMILES. The same seed and answers give the same search on any number of
// processors. The error is molecule.ErrNoRDKit, or names an option.
func NewGBGA(opts genetic.Options, seed uint64) (*GBGA, error) {
	population, err := genetic.NewPopulation(opts)
	if err != nil {
		return nil, err
	}
	return &GBGA{population: population, rng: rand.New(rand.NewPCG(seed, 0))}, nil
}

// Propose returns up to n molecules of this generation. It breeds the next one when all have been proposed.
func (g *GBGA) Propose(ctx context.Context, books study.Ledger, n int) ([]study.Proposal, error) {
	if len(g.queue) == 0 {
		if err := g.breed(ctx, books); err != nil {
			return nil, fmt.Errorf("breed a generation: %w", err)
		}
	}
	n = min(n, len(g.queue))
	batch := g.queue[:n]
	g.queue = g.queue[n:]
	return batch, nil
}

// breed queues the children that are new and feasible, as far as the budget goes.
func (g *GBGA) breed(ctx context.Context, books study.Ledger) error {
	children, err := g.population.Children(ctx, g.rng)
	if err != nil {
		return err
	}
	left := books.Left()
	for _, s := range children {
		if len(g.queue) == left {
			break
		}
		e := books.Lookup(s)
		if e.State != study.Unseen || slices.ContainsFunc(g.queue, func(p study.Proposal) bool { return p.X == s }) {
			continue
		}
		if ok, err := books.Feasible(e.Input); err != nil {
			return err
		} else if ok {
			g.queue = append(g.queue, study.Proposal{X: s, Kind: study.Acquired, Batch: g.batches.begun + 1, Mean: math.NaN(), SD: math.NaN()})
		}
	}
	if len(g.queue) > 0 {
		g.batches.begun++
		g.batches.open += len(g.queue)
	}
	return nil
}

// Observe takes scored molecules into the population.
func (g *GBGA) Observe(_ context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		if t.Input != "" {
			g.population.Admit([]string{t.Input}, []float64{t.Value})
		}
		g.batches.observe(t)
	}
	return nil
}

// Report counts the generations.
func (g *GBGA) Report() study.Report { return study.Report{Batches: g.batches.ended} }
