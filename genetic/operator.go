package genetic

import (
	"context"
	"math/rand/v2"

	"github.com/invbo/invbo/molecule"
)

// Breeder makes single children, for searches with a population of their own: a T of each. It uses all processors; the same rng gives
// the same children on any number of them. A Breeder is not safe for concurrent use.
type Breeder[T any] struct {
	b       *breeder
	deliver func(m *molecule.Molecule) T
}

// NewBreeder returns a Breeder with the Fewest, Size, SizeDeviation and Wanted of opts. deliver returns what the search needs of a child,
// such as its SMILES, from the molecule, which is closed afterwards; it is called from several goroutines. The error is
// molecule.ErrNoRDKit.
func NewBreeder[T any](opts Options, deliver func(m *molecule.Molecule) T) (*Breeder[T], error) {
	b, err := newBreeder(opts.withDefaults())
	if err != nil {
		return nil, err
	}
	return &Breeder[T]{b, deliver}, nil
}

// Cross returns a child of each pair of molecules, which has a part of the graph of each; the zero T where there is none, or it is not
// wanted. Parents are SMILES. The error wraps ctx's cause.
func (b *Breeder[T]) Cross(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]T, error) {
	return b.each(ctx, pairs, rng, b.b.crossover)
}

// Mutate returns a mutant of the first molecule of each pair; the zero T where there is none, or it is not wanted.
func (b *Breeder[T]) Mutate(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]T, error) {
	return b.each(ctx, pairs, rng, func(p, _ *parent, rng *rand.Rand) *molecule.Molecule { return b.b.choose(b.b.mutant(p, rng)) })
}

func (b *Breeder[T]) each(ctx context.Context, pairs [][2]string, rng *rand.Rand, make func(p, q *parent, rng *rand.Rand) *molecule.Molecule) ([]T, error) {
	var pool []string
	for _, pair := range pairs {
		pool = append(pool, pair[0], pair[1])
	}
	return breed(ctx, b.b, pool, len(pairs), rng, func(i int, of parents, rng *rand.Rand) (child T) {
		p, q := of[pairs[i][0]], of[pairs[i][1]]
		if p == nil || q == nil {
			return child
		}
		if m := make(p, q, rng); m != nil {
			child = b.deliver(m)
			m.Close()
		}
		return child
	})
}
