package genetic

import (
	"context"
	"math/rand/v2"

	"github.com/invbo/invbo/internal/parallel"
)

// Breeder makes single children, for searches with a population of their own. It uses all processors; the same rng gives the
// same children on any number of them. A Breeder is not safe for concurrent use.
type Breeder struct{ b *breeder }

// NewBreeder returns a Breeder with the Fewest, Size, SizeDeviation, Wanted and Born of opts. The error is molecule.ErrNoRDKit.
func NewBreeder(opts Options) (*Breeder, error) {
	b, err := newBreeder(opts.withDefaults())
	if err != nil {
		return nil, err
	}
	return &Breeder{b}, nil
}

// Cross returns a child of each pair of molecules, which has a part of the graph of each; "" where there is none, or
// it is not wanted. All strings are canonical SMILES. The error wraps ctx's cause.
func (b *Breeder) Cross(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]string, error) {
	return b.each(ctx, pairs, rng, func(p, q *parent, rng *rand.Rand) string {
		return b.b.deliver(b.b.crossover(p, q, rng))
	})
}

// Mutate returns a mutant of the first molecule of each pair; "" where there is none, or it is not wanted.
func (b *Breeder) Mutate(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]string, error) {
	return b.each(ctx, pairs, rng, func(p, _ *parent, rng *rand.Rand) string {
		return b.b.deliver(b.b.choose(b.b.mutant(p, rng)))
	})
}

func (b *Breeder) each(ctx context.Context, pairs [][2]string, rng *rand.Rand, breed func(p, q *parent, rng *rand.Rand) string) ([]string, error) {
	seed := rng.Uint64()
	var pool []string
	for _, pair := range pairs {
		pool = append(pool, pair[0], pair[1])
	}
	parents := b.b.parents(ctx, pool)
	born := make([]string, len(pairs))
	parallel.For(len(pairs), 1, func(i, _ int) {
		p, q := parents[pairs[i][0]], parents[pairs[i][1]]
		if ctx.Err() == nil && p != nil && q != nil {
			born[i] = breed(p, q, rand.New(rand.NewPCG(seed, uint64(i)))) // a stream for each, so that goroutines do not matter
		}
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return born, nil
}
