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
// counts, or a rare kind of bond.
func (g Graph) environments() ([]uint64, bool) {
	type neighbour struct{ bond, id uint32 }
	n := len(g.Atoms)
	alone, around := make([]uint32, n), make([][]neighbour, n)
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
	all := make([]neighbour, 2*len(g.Bonds))
	for i, a := range g.Atoms {
		around[i], all = all[:0:a.Degree], all[a.Degree:]
	}
	for _, b := range g.Bonds {
		var kind uint32 // RDKit's number
		switch {
		case b.Aromatic && b.Order == 1.5:
			kind = 12
		case !b.Dative && (b.Order == 1 || b.Order == 2 || b.Order == 3):
			kind = uint32(b.Order)
		default:
			return nil, false
		}
		around[b.Begin] = append(around[b.Begin], neighbour{kind, alone[b.End]})
		around[b.End] = append(around[b.End], neighbour{kind, alone[b.Begin]})
	}
	with := make([]uint32, n) // neighbours
	for i, neighbours := range around {
		slices.SortFunc(neighbours, func(a, b neighbour) int { return cmp.Or(cmp.Compare(a.bond, b.bond), cmp.Compare(a.id, b.id)) })
		with[i] = mix(0, alone[i])
		for _, to := range neighbours {
			with[i] = mix(with[i], mix(mix(0, to.bond), to.id))
		}
	}
	for _, b := range g.Bonds { // two atoms alone have the same environment, which counts once
		if g.Atoms[b.Begin].Degree == 1 && g.Atoms[b.End].Degree == 1 {
			least := min(with[b.Begin], with[b.End])
			with[b.Begin], with[b.End] = least, least
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
