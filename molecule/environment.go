package molecule

import (
	"cmp"
	"slices"
)

// Environments returns the ids of the atom environments up to radius 1 (each atom alone, and with its bonds and neighbours),
// ascending and distinct: those of ECFP(1). See package molecule/corpus.
func (m *Molecule) Environments() []uint64 {
	if ids, ok := m.Graph().environments(); ok {
		return ids
	}
	return m.ECFP(1).IDs
}

// environments returns RDKit's ids in a fraction of its time, or false if there is hydrogen among the atoms, an isotope, whose mass
// counts, a rare kind of bond, or a molecule of two atoms.
func (g Graph) environments() ([]uint64, bool) {
	n := len(g.Atoms)
	alone := make([]uint32, n)
	ids := make([]uint64, n, 2*n)
	for i, a := range g.Atoms {
		if a.Isotope != 0 || a.Number == 1 {
			return nil, false
		}
		h := mix(0, uint32(a.Number))
		h = mix(h, uint32(a.Degree+a.Hydrogens))
		h = mix(h, uint32(a.Hydrogens))
		h = mix(h, uint32(a.Charge))
		h = mix(h, 0) // difference of the mass
		if a.InRing {
			h = mix(h, 1)
		}
		alone[i], ids[i] = h, uint64(h)
	}
	kinds := make([]uint32, len(g.Bonds)) // RDKit's numbers
	for i, b := range g.Bonds {
		switch {
		case g.Atoms[b.Begin].Degree == 1 && g.Atoms[b.End].Degree == 1: // both with the same environment, which counts once
			return nil, false
		case b.Aromatic && b.Order == 1.5:
			kinds[i] = 12
		case !b.Dative && (b.Order == 1 || b.Order == 2 || b.Order == 3):
			kinds[i] = uint32(b.Order)
		default:
			return nil, false
		}
	}
	with := make([]uint32, n) // neighbours
	for i, neighbours := range g.Neighbours() {
		slices.SortFunc(neighbours, func(a, b Neighbour) int {
			return cmp.Or(cmp.Compare(kinds[a.Bond], kinds[b.Bond]), cmp.Compare(alone[a.Atom], alone[b.Atom]))
		})
		with[i] = mix(0, alone[i])
		for _, to := range neighbours {
			with[i] = mix(with[i], mix(mix(0, kinds[to.Bond]), alone[to.Atom]))
		}
	}
	for i, a := range g.Atoms {
		if a.Degree > 0 {
			ids = append(ids, uint64(with[i]))
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), true
}

// mix is Boost's hash_combine of 32 bits.
func mix(seed, value uint32) uint32 { return seed ^ (value + 0x9e3779b9 + seed<<6 + seed>>2) }
