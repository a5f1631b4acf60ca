// Package genetic makes molecules from molecules by the operators of the graph-based genetic algorithm GB-GA (Jensen
// 2019, "A graph-based genetic algorithm and generative model/Monte Carlo tree search for the exploration of chemical
// space"): a child has a part of the graph of each of two parents, and some children mutate. Rearrangements, which keep
// the formula, are not of that program.
//
// Start reading at Breeder. crossover.go, mutation.go and rearrangement.go are the chemistry. The algorithm itself is
// baseline.GBGA.
//
// It needs RDKit: see package molecule.
package genetic

import (
	"context"
	"math/rand/v2"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// Options say which children are made. A zero field takes the value of the benchmark of Gao et al. 2022 (mol_opt), in
// the comment.
type Options struct {
	// A molecule with at least Fewest atoms and fewer than a bound, hydrogens apart, has the right size. The
	// bound is drawn from N(Size, SizeDeviation²) for each; 6, 39.15 and 3.5.
	Fewest              int
	Size, SizeDeviation float64

	// Wanted reports whether a child is kept. It is called from several goroutines. Nil: all are kept.
	Wanted func(m *molecule.Molecule) bool

	// Fits reports whether a child with this outline may be wanted. Children that do not fit are never built; another
	// edit is tried instead. It is called from several goroutines. Nil: all fit.
	Fits func(o Outline) bool
}

// Outline is what is known of a child before RDKit makes it, which takes most of the time.
type Outline struct {
	Weight float64 // molecular weight, g/mol; NaN with isotopes or unusual elements
	Charge int     // sum of the formal charges
	Rings  int     // independent rings; of bridged ones, Molecule.Rings may count more
}

// Defaults returns the values of zero fields.
func Defaults() Options { return Options{Fewest: 6, Size: 39.15, SizeDeviation: 3.5} }

// Breeder makes children: a T of each. It uses all processors; the same rng gives the same children on any number of
// them. A Breeder is not safe for concurrent use.
type Breeder[T any] struct {
	b       *breeder
	deliver func(smiles string, m *molecule.Molecule) T
}

// NewBreeder returns a Breeder. deliver returns what is wanted of a child from its canonical SMILES and the molecule, which
// is closed afterwards; m is nil if the Breeder made the same child lately. It is called from several goroutines. The
// error is molecule.ErrNoRDKit.
func NewBreeder[T any](opts Options, deliver func(smiles string, m *molecule.Molecule) T) (*Breeder[T], error) {
	b, err := newBreeder(opts)
	return &Breeder[T]{b, deliver}, err
}

// Cross returns a child of each pair of molecules, which has a part of the graph of each; the zero T where there is
// none, or it is not wanted. Parents are SMILES. The error wraps ctx's cause.
func (b *Breeder[T]) Cross(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]T, error) {
	return b.ofPairs(ctx, pairs, rng, b.b.crossover)
}

// Mutate returns a mutant of the first molecule of each pair; the zero T where there is none, or it is not wanted.
func (b *Breeder[T]) Mutate(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]T, error) {
	return b.ofPairs(ctx, pairs, rng, func(p, _ *parent, rng *rand.Rand, r *recall) *child { return b.b.choose(b.b.mutant(p, rng, r), r) })
}

// Rearrange returns an isomer of the first molecule of each pair: a branch moves, what is between two bonds is turned
// around, or two atoms swap their elements. The zero T stands where there is none, or it is not wanted.
func (b *Breeder[T]) Rearrange(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]T, error) {
	return b.ofPairs(ctx, pairs, rng, func(p, _ *parent, rng *rand.Rand, r *recall) *child { return b.b.choose(b.b.isomer(p, rng, r), r) })
}

// Breed returns n children as GB-GA makes them: each of two molecules drawn from a pool that is not empty, by Cross,
// and then mutated with a probability; the zero T where there is none.
func (b *Breeder[T]) Breed(ctx context.Context, pool []string, n int, mutation float64, rng *rand.Rand) ([]T, error) {
	return b.breed(ctx, pool, n, rng, func(_ int, rng *rand.Rand) (p, q string) {
		return pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))]
	}, func(p, q *parent, rng *rand.Rand, _ *recall) *child { return b.b.cross(p, q, mutation, rng) })
}

func (b *Breeder[T]) ofPairs(ctx context.Context, pairs [][2]string, rng *rand.Rand, produce func(p, q *parent, rng *rand.Rand, r *recall) *child) ([]T, error) {
	var pool []string
	for _, pair := range pairs {
		pool = append(pool, pair[0], pair[1])
	}
	return b.breed(ctx, pool, len(pairs), rng, func(i int, _ *rand.Rand) (p, q string) { return pairs[i][0], pairs[i][1] }, produce)
}

// breed returns n children of pairs from a pool.
func (b *Breeder[T]) breed(ctx context.Context, pool []string, n int, rng *rand.Rand, pair func(i int, rng *rand.Rand) (p, q string),
	produce func(p, q *parent, rng *rand.Rand, r *recall) *child) ([]T, error) {
	seed := rng.Uint64()
	b.b.meet(ctx, pool)
	born, recalls := make([]T, n), make([]recall, n)
	parallel.For(n, 1, func(i, _ int) {
		if ctx.Err() != nil {
			return
		}
		rng := rand.New(rand.NewPCG(seed, uint64(i))) // one stream per child, so that the number of goroutines does not matter
		x, y := pair(i, rng)
		p, q := b.b.parent(x), b.b.parent(y)
		if p == nil || q == nil {
			return
		}
		recalls[i].made = &b.b.made
		if c := produce(p, q, rng, &recalls[i]); c != nil {
			born[i] = b.deliver(c.smiles(), c.molecule)
			c.close()
		}
	})
	b.b.remember(recalls)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return born, nil
}
