package molecules

import (
	"math"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/molecule"
)

// features returns what the surrogate compares molecules by: structure, and quantities that a score may have an optimum of, which is
// hardly to be learnt from structure. It is unsure where the order of atoms decides: of a property halfway between two steps, since logP
// and TPSA are sums, and of the number of rings of a cage, where it is not that of bonds that close rings.
func features(m *molecule.Molecule) (groups []gp.Counts, sure bool) {
	const (
		longestPath = 10   // between the atoms of a pair, in bonds
		most        = 100  // steps of a property
		rounding    = 1e-9 // of a property, in steps
	)
	g := m.Graph()
	for _, c := range append(g.Shells(3), g.Roles(2), g.Pairs(longestPath), g.Composition()) {
		groups = append(groups, gp.Counts(c))
	}
	sure = len(g.Rings) == len(g.Bonds)-len(g.Atoms)+1 // of a molecule in one piece
	for _, property := range []struct{ value, step float64 }{
		{m.LogP() + 5, 0.25}, {m.TPSA(), 5}, {float64(g.Flexible()), 0.5}, {float64(m.Rings()), 0.25}, {float64(m.AromaticRings()), 0.25},
	} {
		steps := property.value / property.step
		sure = sure && math.Abs(steps-math.Floor(steps)-0.5) > rounding
		steps = min(max(0, math.Round(steps)), most)
		groups = append(groups, gp.Counts{IDs: []uint64{0}, N: []uint32{1 + uint32(steps)}})
	}
	return groups, sure
}

// comparisons returns the kernels on the groups of features. The data weigh them.
func comparisons() []gp.Term {
	var terms []gp.Term
	for _, groups := range [][]int{{0, 1, 2, 3}, {0, 1, 2}, {0, 1}, {4}, {5}} { // environments up to a radius, roles, pairs
		terms = append(terms, gp.Term{Kernel: gp.Overlap, Groups: groups})
	}
	for g := 6; g <= 11; g++ { // composition and properties
		terms = append(terms, gp.Term{Kernel: gp.Laplace, Groups: []int{g}})
	}
	return terms
}
