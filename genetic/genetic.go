// Package genetic finds molecules that score well with the graph-based genetic algorithm GB-GA (Jensen 2019, "A graph-based
// genetic algorithm and generative model/Monte Carlo tree search for the exploration of chemical space"): parents
// are drawn by their fitness, a child has a part of the graph of each, some children mutate, the fittest survive.
//
// Population is the algorithm, a generation at a time: start reading there. A Breeder makes single children, for searches with
// a population of their own. crossover.go and mutation.go are the chemistry.
//
// It needs RDKit: see package molecule.
package genetic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/molecule"
)

// Options holds the constants of the algorithm. A zero field takes the value of the benchmark of Gao et al. 2022
// (mol_opt), in the comment.
type Options struct {
	Population int     // molecules that survive a generation; 120
	Offspring  int     // pairs of parents in a generation, which have a child at most; 70
	Mutation   float64 // probability that a child mutates; 0.067

	// A molecule with at least Fewest atoms and fewer than a bound, hydrogens apart, has the right size. The
	// bound is drawn from N(Size, SizeDeviation²) for each; 6, 39.15 and 3.5.
	Fewest              int
	Size, SizeDeviation float64

	// Wanted reports whether a Breeder keeps a child, whose molecule is closed afterwards. It is called from several goroutines. Nil: all
	// are kept. A Population keeps all.
	Wanted func(m *molecule.Molecule) bool
}

// Defaults returns the values of zero fields.
func Defaults() Options {
	return Options{Population: 120, Offspring: 70, Mutation: 0.067, Fewest: 6, Size: 39.15, SizeDeviation: 3.5}
}

func (o Options) withDefaults() Options {
	d := Defaults()
	o.Population = cmp.Or(o.Population, d.Population)
	o.Offspring = cmp.Or(o.Offspring, d.Offspring)
	o.Mutation = cmp.Or(o.Mutation, d.Mutation)
	o.Fewest = cmp.Or(o.Fewest, d.Fewest)
	o.Size = cmp.Or(o.Size, d.Size)
	o.SizeDeviation = cmp.Or(o.SizeDeviation, d.SizeDeviation)
	return o
}

// Individual is a molecule with its fitness.
type Individual struct {
	SMILES  string // canonical
	Fitness float64
}

// Population holds the surviving molecules and breeds children from them.
type Population struct {
	opts    Options
	breeder *breeder
	members []Individual // the fittest first, the older first among equals
}

// NewPopulation returns an empty population. The error is molecule.ErrNoRDKit, or names an invalid option.
func NewPopulation(opts Options) (*Population, error) {
	if opts.Population < 0 || opts.Offspring < 0 {
		return nil, fmt.Errorf("genetic: population %d and offspring %d must not be negative", opts.Population, opts.Offspring)
	}
	opts = opts.withDefaults()
	opts.Wanted = nil
	b, err := newBreeder(opts)
	if err != nil {
		return nil, err
	}
	return &Population{opts: opts, breeder: b}, nil
}

// Members returns the molecules, the fittest first.
func (p *Population) Members() []Individual { return slices.Clone(p.members) }

// Admit adds molecules, by their canonical SMILES, with their fitness (n each), and keeps the fittest. Of equals, the
// older ones survive. A molecule whose fitness is NaN or infinite is dropped; a member gets the new fitness.
func (p *Population) Admit(smiles []string, fitness []float64) {
	for i, v := range fitness {
		known := slices.IndexFunc(p.members, func(m Individual) bool { return m.SMILES == smiles[i] })
		switch usable := !math.IsNaN(v) && !math.IsInf(v, 0); {
		case known >= 0 && usable:
			p.members[known].Fitness = v
		case known >= 0:
			p.members = slices.Delete(p.members, known, known+1)
		case usable:
			p.members = append(p.members, Individual{smiles[i], v})
		}
	}
	slices.SortStableFunc(p.members, func(a, b Individual) int { return cmp.Compare(b.Fitness, a.Fitness) })
	p.members = p.members[:min(len(p.members), p.opts.Population)]
}

// Children returns the children of one generation, by their canonical SMILES: at most Options.Offspring, which may
// repeat and may be members. Breeding uses all processors; the same rng gives the same children on any number of them. The
// error wraps ctx's cause.
func (p *Population) Children(ctx context.Context, rng *rand.Rand) ([]string, error) {
	if len(p.members) == 0 {
		return nil, nil
	}
	pool := matingPool(p.members, p.opts.Population, rng)
	born, err := breed(ctx, p.breeder, pool, p.opts.Offspring, rng, func(_ int, of parents, rng *rand.Rand) string {
		return p.breeder.child(of[pool[rng.IntN(len(pool))]], of[pool[rng.IntN(len(pool))]], rng)
	})
	return slices.DeleteFunc(born, func(smiles string) bool { return smiles == "" }), err
}

// matingPool draws n parents in proportion to their fitness, with replacement. If some are negative, the least fitness is
// subtracted from all.
func matingPool(population []Individual, n int, rng *rand.Rand) []string {
	least := min(0, population[len(population)-1].Fitness)
	weights := make([]float64, len(population))
	for i, p := range population {
		weights[i] = p.Fitness - least + 1e-10 // if all are 0, all are equally likely
	}
	pool := make([]string, n)
	for i := range pool {
		pool[i] = population[pick(weights, rng)].SMILES
	}
	return pool
}

// pick draws an index in proportion to its weight.
func pick(weights []float64, rng *rand.Rand) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	u := rng.Float64() * sum
	last := 0
	for i, w := range weights {
		if w == 0 {
			continue
		}
		if u -= w; u < 0 {
			return i
		}
		last = i
	}
	return last // rounding left some of u
}
