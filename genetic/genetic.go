// Package genetic finds molecules that score well with the graph-based genetic algorithm GB-GA (Jensen 2019, "A graph-based
// genetic algorithm and generative model/Monte Carlo tree search for the exploration of chemical space"): parents
// are drawn by their fitness, a child has a part of the graph of each, some children mutate, the fittest survive.
//
// Population is the algorithm, a generation at a time; Evolve runs it for a fitness that is cheap, such as an
// acquisition function. Start reading there; crossover.go and mutation.go are the chemistry.
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
	Population  int     // molecules that survive a generation; 120
	Offspring   int     // pairs of parents in a generation, which have a child at most; 70
	Mutation    float64 // probability that a child mutates; 0.067
	Patience    int     // generations in a row without gain that end the search: less than 10⁻³ in the mean of the 100 fittest, or of as many as there are at the start; 5
	Generations int     // at most; no bound

	// A molecule with more than 5 atoms and fewer than a bound, hydrogens apart, has the right size. The
	// bound is drawn from N(Size, SizeDeviation²) for each; 39.15 and 3.5.
	Size, SizeDeviation float64

	// Feasible reports whether a child, given as canonical SMILES, may be a member. Infeasible children are not
	// evaluated. An error ends the search. Nil: all are feasible.
	Feasible func(smiles string) (bool, error)

	// Born is called with each child of a Breeder while it is there, from several goroutines: what it computes needs no parsing. Nil: nothing.
	Born func(smiles string, m *molecule.Molecule)
}

func (o Options) withDefaults() Options {
	o.Population = cmp.Or(o.Population, 120)
	o.Offspring = cmp.Or(o.Offspring, 70)
	o.Mutation = cmp.Or(o.Mutation, 0.067)
	o.Patience = cmp.Or(o.Patience, 5)
	o.Generations = cmp.Or(o.Generations, math.MaxInt)
	o.Size = cmp.Or(o.Size, 39.15)
	o.SizeDeviation = cmp.Or(o.SizeDeviation, 3.5)
	return o
}

const (
	fittest = 100  // molecules whose mean fitness Patience looks at
	gain    = 1e-3 // least increase of that mean that counts as a gain
)

// Individual is a molecule with its fitness.
type Individual struct {
	SMILES  string // canonical
	Fitness float64
}

// Fitness returns the fitness of each molecule; larger is better. Molecules whose fitness is NaN or infinite are dropped.
type Fitness func(ctx context.Context, smiles []string) ([]float64, error)

// Population holds the surviving molecules and breeds children from them.
type Population struct {
	opts    Options
	breeder *breeder
	members []Individual // the fittest first, the older first among equals
}

// NewPopulation returns an empty population. The error is molecule.ErrNoRDKit, or names an invalid option.
func NewPopulation(opts Options) (*Population, error) {
	if opts.Population < 0 || opts.Offspring < 0 || opts.Patience < 0 || opts.Generations < 0 {
		return nil, fmt.Errorf("genetic: population %d, offspring %d, patience %d and generations %d must not be negative",
			opts.Population, opts.Offspring, opts.Patience, opts.Generations)
	}
	opts = opts.withDefaults()
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
	return p.breeder.offspring(ctx, matingPool(p.members, p.opts.Population, rng), p.opts.Offspring, rng)
}

// Evolve returns the last population of molecules bred from those of start, the fittest first.
//
// Each molecule, by its canonical SMILES, goes to fitness once: those of start, then generation by generation.
// The same rng gives the same population on any number of processors. Evolve makes at most Options.Offspring attempts
// at a child in a generation, and ends by Options.Patience even if none succeeds.
//
// The error is fitness's or wraps ctx's cause, and the population so far comes with it; or it is molecule.ErrNoRDKit,
// or names an invalid option or string of start.
func Evolve(ctx context.Context, start []string, fitness Fitness, opts Options, rng *rand.Rand) ([]Individual, error) {
	p, err := NewPopulation(opts)
	if err != nil {
		return nil, err
	}
	opts = p.opts
	smiles := make([]string, len(start))
	for i, s := range start {
		if smiles[i], err = molecule.Canonical(s); err != nil {
			return nil, fmt.Errorf("genetic: initial molecule %d, %q: %w", i+1, s, err)
		}
	}
	seen := map[string]bool{}
	if smiles, err = unseen(smiles, seen, nil); err != nil {
		return nil, err
	}
	admit := func(smiles []string) error {
		if len(smiles) == 0 {
			return nil
		}
		values, err := fitness(ctx, smiles)
		if err != nil {
			return err
		}
		if len(values) != len(smiles) {
			panic(fmt.Sprintf("genetic: Fitness returned %d values for %d molecules", len(values), len(smiles)))
		}
		p.Admit(smiles, values)
		return nil
	}
	if err := admit(smiles); err != nil {
		return p.members, err
	}
	if len(p.members) == 0 {
		return nil, fmt.Errorf("genetic: none of the %d initial molecules has a fitness; give others", len(start))
	}
	top := min(fittest, len(p.members))
	mean, still := meanFitness(p.members[:top]), 0
	for g := 0; g < opts.Generations && still < opts.Patience; g++ {
		children, err := p.Children(ctx, rng)
		if err != nil {
			return p.members, fmt.Errorf("genetic: generation %d: %w", g+1, err)
		}
		if children, err = unseen(children, seen, opts.Feasible); err != nil {
			return p.members, err
		}
		if err := admit(children); err != nil {
			return p.members, err
		}
		before := mean
		mean = meanFitness(p.members[:top])
		still++
		if mean-before >= gain {
			still = 0
		}
	}
	return p.members, nil
}

// unseen returns the feasible molecules that are not in seen, and adds all molecules to seen.
func unseen(smiles []string, seen map[string]bool, feasible func(string) (bool, error)) ([]string, error) {
	var fresh []string
	for _, s := range smiles {
		if seen[s] {
			continue
		}
		seen[s] = true
		ok := true
		if feasible != nil {
			var err error
			if ok, err = feasible(s); err != nil {
				return nil, fmt.Errorf("genetic: is %s feasible: %w", s, err)
			}
		}
		if ok {
			fresh = append(fresh, s)
		}
	}
	return fresh, nil
}

func meanFitness(population []Individual) float64 {
	sum := 0.0
	for _, p := range population {
		sum += p.Fitness
	}
	return sum / float64(len(population))
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
