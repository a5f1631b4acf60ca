package molecules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/space/internal/design"
)

// Pool is a library of molecules. It may be long: a molecule is read when it is drawn.
type Pool struct {
	smiles []string
	parse  func(smiles string) (canonical string, err error) // nil: they are canonical, and molecules all
}

// NewPool returns the pool of molecules with these SMILES. The slice is not copied. A molecule that is drawn is what
// canonical returns for its SMILES; one with an error is passed over. canonical must be safe for concurrent use; nil
// stands for molecule.Canonical.
func NewPool(smiles []string, canonical func(smiles string) (string, error)) *Pool {
	if canonical == nil {
		canonical = molecule.Canonical
	}
	return &Pool{smiles, canonical}
}

// BuiltIn returns the pool of package library: 20,000 screening molecules.
func BuiltIn() *Pool { return &Pool{smiles: library.SMILES()} }

// Sample draws n molecules, or all if there are no more, and returns the canonical SMILES of those that are molecules.
func (p *Pool) Sample(n int, rng *rand.Rand) []string {
	at := draw(len(p.smiles), n, rng)
	all := make([]string, len(at))
	parallel.For(len(at), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			all[i] = p.read(at[i])
		}
	})
	return slices.DeleteFunc(all, func(smiles string) bool { return smiles == "" })
}

// Design returns n different molecules, drawn at random, as canonical SMILES: an initial design. They are good ones, as
// long as a few thousand draws give enough of these; a molecule for which good returns an error is not. good is called
// from several goroutines. The error says that the pool has fewer than n, or is ctx's cause.
func (p *Pool) Design(ctx context.Context, n int, rng *rand.Rand, good func(smiles string) (bool, error)) ([]string, error) {
	drawn := draw(len(p.smiles), max(20*n, 2_000), rng)
	rounds := func(yield func(design.Round) bool) {
		for part := range slices.Chunk(drawn, max(1, n)) {
			r := design.Round{N: len(part), Make: func(i int) (x, input string) {
				smiles := p.read(part[i])
				return smiles, smiles
			}}
			if !yield(r) {
				return
			}
		}
	}
	all, err := design.Select(ctx, n, rounds, good)
	if err != nil {
		return nil, err
	}
	if len(all) < n {
		return nil, fmt.Errorf("only %d different molecules, and %d are wanted", len(all), n)
	}
	return all, nil
}

// read returns the canonical SMILES of a molecule of the pool, "" if it is none.
func (p *Pool) read(at int) (smiles string) {
	if smiles = p.smiles[at]; p.parse != nil {
		smiles, _ = p.parse(smiles) // "" with an error
	}
	return smiles
}

// draw returns n different numbers below size in random order, or all if there are no more.
func draw(size, n int, rng *rand.Rand) []int {
	if n >= size {
		return rng.Perm(size)
	}
	drawn := make([]int, 0, n)
	seen := make(map[int]bool, n)
	for len(drawn) < n {
		if i := rng.IntN(size); !seen[i] {
			seen[i] = true
			drawn = append(drawn, i)
		}
	}
	return drawn
}
