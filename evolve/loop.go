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

	// Make returns a child of each pair of parents, the zero Child where there is none. An operator may look at one parent only, or at none.
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
	op    int // operator that made it; −1: known, or of the pool
	known bool
	value float64 // of the acquisition
}

// loop maximizes an acquisition over strings.
type loop struct {
	operators   []Operator // that of a child is drawn uniformly
	children    int
	generations int

	judge func(children []Child) (values []float64, ok []bool) // the acquisition, and whether a string may be a member
}

// quantiles of the population that parents are drawn from: uniformly over the top .1 %, …, 100 %.
const quantiles = 25

// run returns the population after all generations, best first, and how many new strings each operator made. start has values.
func (l *loop) run(ctx context.Context, start []candidate, rng *rand.Rand) ([]candidate, []int, error) {
	population := slices.Clone(start)
	seen := map[string]bool{}
	for _, c := range population {
		seen[c.x] = true
	}
	made := make([]int, len(l.operators))
	for g := range l.generations {
		slices.SortStableFunc(population, func(a, b candidate) int { return cmp.Compare(b.value, a.value) })
		pairs := make([][][2]string, len(l.operators))
		for range l.children {
			o := rng.IntN(len(l.operators))
			pairs[o] = append(pairs[o], [2]string{parent(population, rng), parent(population, rng)})
		}
		var fresh []candidate
		var born []Child // of fresh
		for o, op := range l.operators {
			if len(pairs[o]) == 0 {
				continue
			}
			children, err := op.Make(ctx, pairs[o], rng)
			if err != nil {
				return nil, nil, fmt.Errorf("generation %d: %s: %w", g+1, op.Name, err)
			}
			for _, c := range children {
				if c.X != "" && !seen[c.X] {
					seen[c.X] = true
					made[o]++
					fresh, born = append(fresh, candidate{x: c.X, op: o}), append(born, c)
				}
			}
		}
		values, ok := l.judge(born)
		for i, c := range fresh {
			if c.value = values[i]; ok[i] {
				population = append(population, c)
			}
		}
	}
	slices.SortStableFunc(population, func(a, b candidate) int { return cmp.Compare(b.value, a.value) })
	return population, made, nil
}

// parent draws a string from a sorted population.
func parent(population []candidate, rng *rand.Rand) string {
	q := math.Pow(10, -3*float64(rng.IntN(quantiles))/(quantiles-1))
	n := max(1, int(math.Ceil(q*float64(len(population)))))
	return population[rng.IntN(n)].x
}
