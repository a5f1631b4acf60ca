package molecules

import (
	"math"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/molecule"
)

// The groups of features, after those of atom environments of radius 0 to 3.
const (
	roles = 4 + iota
	pairs
	composition
	logP
	tpsa
	flexible
	rings
	aromaticRings
	ionizable
	configurations
)

// features returns what the surrogate compares molecules by: structure, and quantities that a score may have an optimum
// of, which is hardly to be learnt from structure. It is unsure where the order of atoms decides: of a property halfway
// between two steps, since logP and TPSA are sums, and of the number of rings of a cage, where it is not that of bonds
// that close rings. Configurations are those of the molecule that is read, as an edit may leave some at what is no
// center any more.
func features(m *molecule.Molecule) (groups []gp.Counts, sure bool) {
	const (
		longestPath = 10   // between the atoms of a pair, in bonds
		most        = 100  // steps of a property
		rounding    = 1e-9 // of a property, in steps
		perCharge   = 4    // steps

		environments = 3 // of configurations, in bonds
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
	acids, bases := g.Ionizable()
	charges := gp.Counts{IDs: []uint64{0, 1}, N: []uint32{1 + perCharge*uint32(acids), 1 + perCharge*uint32(bases)}}
	sure = sure && len(g.Centers) == 0 && len(g.DoubleBonds) == 0
	return append(groups, charges, gp.Counts(g.Configurations(environments))), sure
}

// comparisons returns the kernels on the groups of features. The data weigh them.
func comparisons() []gp.Term {
	term := func(k gp.Kernel, groups ...int) gp.Term { return gp.Term{Kernel: k, Groups: groups} }
	return []gp.Term{
		term(gp.Overlap, 0, 1, 2, 3), term(gp.Overlap, 0, 1, 2), term(gp.Overlap, 0, 1), term(gp.Overlap, roles), term(gp.Overlap, pairs),
		term(gp.Laplace, composition), term(gp.Laplace, logP), term(gp.Laplace, tpsa), term(gp.Laplace, flexible),
		term(gp.Laplace, rings), term(gp.Laplace, aromaticRings),
	}
}

// further returns the kernels that are used only where they predict far better: charge in water decides about much that
// is measured, such as logD, and about nothing that is computed from structure alone. Of a chiral compound, one
// configuration may be active alone.
func further() []gp.Term {
	return []gp.Term{{Kernel: gp.Laplace, Groups: []int{ionizable}}, {Kernel: gp.Overlap, Groups: []int{configurations}}}
}
