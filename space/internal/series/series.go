// Package series compares the molecules of a series with those of a library, which stand for those of no series.
package series

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/chance"
)

// Others draws the molecules of a library, always the same ones.
func Others(sample func(n int, rng *rand.Rand) []string) []string {
	const n = 1_000
	return sample(n, rand.New(rand.NewPCG(0, 0)))
}

// Parse returns molecules, without strings that are none, in their order. The error is ctx's cause.
func Parse(ctx context.Context, smiles []string) ([]*molecule.Molecule, error) {
	read := make([]*molecule.Molecule, len(smiles))
	err := parallel.ForContext(ctx, len(smiles), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			read[i], _ = molecule.Parse(smiles[i]) // nil with an error
		}
	})
	read = slices.DeleteFunc(read, func(m *molecule.Molecule) bool { return m == nil })
	if err != nil {
		CloseAll(read)
		return nil, err
	}
	return read, nil
}

// CloseAll closes molecules.
func CloseAll(all []*molecule.Molecule) {
	for _, m := range all {
		m.Close()
	}
}

// Having returns the molecules with a pattern.
func Having(p *molecule.Pattern, all []*molecule.Molecule) (with []*molecule.Molecule) {
	has := make([]bool, len(all))
	parallel.For(len(all), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			has[i] = p.In(all[i])
		}
	})
	for i, m := range all {
		if has[i] {
			with = append(with, m)
		}
	}
	return with
}

// Rare reports whether n molecules like those of a library would hardly ever all have a pattern.
func Rare(p *molecule.Pattern, library []*molecule.Molecule, n int) bool {
	return chance.Rare(float64(len(Having(p, library)))/float64(len(library)), n)
}

// Print returns what a molecule is compared by: counts of atom environments up to radius 2 (ECFP4).
func Print(m *molecule.Molecule) molecule.Counts { return m.ECFP(2) }
