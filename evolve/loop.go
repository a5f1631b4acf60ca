package evolve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Operator makes strings from strings. The same rng makes the same strings on any number of processors.
type Operator struct {
	Name string

	// Make returns a child of each pair of parents, the zero Child where there is none. An operator may look at one
	// parent only, or at none. Parents are empty where the population is, which only Space.Breeds can cause.
	Make func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]Child, error)
}

// Child is a string that an Operator made.
type Child struct {
	X           string       // empty: there is no child
	Description *Description // what the Space's Read returns for X, if the operator knows it; nil: Read is called
}

// candidate is a string of the population.
type candidate struct {
	x     string
	op    int // record of the operator that made it; of known strings and those of the pool, the last one
	known bool
	at    int     // among Space.Only
	value float64 // of the acquisition
}

// quantiles of the population that parents are drawn from: uniformly over the top .1 %, …, 100 %.
const quantiles = 25

// evolve maximizes an acquisition over strings: it returns start, whose values are known, with the children of all
// generations, best first. It adds the new strings of each operator to made.
func (s *Searcher) evolve(ctx context.Context, a *acquisition, start []candidate, made []int, rng *rand.Rand) ([]candidate, error) {
	population, operators := slices.Clone(start), s.space.Operators
	best := func(a, b candidate) int { return cmp.Compare(b.value, a.value) }
	seen := map[string]bool{}
	for _, c := range population {
		seen[s.input(c.x)] = true
	}
	for g := range s.opts.Generations {
		slices.SortStableFunc(population, best)
		pairs := make([][][2]string, len(operators))
		for range s.opts.Children {
			o := rng.IntN(len(operators))
			pairs[o] = append(pairs[o], [2]string{parent(population, rng), parent(population, rng)})
		}
		var fresh []candidate
		var born []Child // of fresh
		for o, op := range operators {
			if len(pairs[o]) == 0 {
				continue
			}
			children, err := op.Make(ctx, pairs[o], rng)
			if err != nil {
				return nil, fmt.Errorf("generation %d: %s: %w", g+1, op.Name, err)
			}
			for _, c := range children {
				if input := s.input(c.X); c.X != "" && !seen[input] {
					seen[input] = true
					made[o]++
					fresh, born = append(fresh, candidate{x: c.X, op: o}), append(born, c)
				}
			}
		}
		values, ok := s.judge(a, born, &s.reader.lately)
		for i, c := range fresh {
			c.value = values[i]
			if ok[i] {
				population = append(population, c)
			}
		}
	}
	slices.SortStableFunc(population, best)
	return population, nil
}

// parent draws a string from a sorted population; the empty one if that is empty.
func parent(population []candidate, rng *rand.Rand) string {
	if len(population) == 0 {
		return ""
	}
	q := math.Pow(10, -3*float64(rng.IntN(quantiles))/(quantiles-1))
	n := max(1, int(math.Ceil(q*float64(len(population)))))
	return population[rng.IntN(n)].x
}
