package molecule

import "slices"

// Environments returns the ids of the atom environments up to radius 1 (each atom alone, and with its bonds and
// neighbours), ascending and distinct: those of ECFP(1). They are computed once and shared: do not modify them. See
// package molecule/corpus.
func (m *Molecule) Environments() []uint64 { return m.environments() }

// ecfp returns RDKit's fingerprint in a fraction of its time, or false if there is hydrogen among the atoms, an
// isotope, whose mass counts, or a rare kind of bond.
//
// An environment of radius r has the bonds of those of radius r − 1 of an atom and its neighbours. If another one has
// the same bonds, that of the smaller radius counts, or of the same radius that with the smaller id; the atom of the
// other has none from there on.
func (g Graph) ecfp(radius int) (Counts, bool) {
	kinds := make([]uint32, len(g.Bonds)) // RDKit's numbers
	for i, b := range g.Bonds {
		switch {
		case b.Aromatic && b.Order == 1.5:
			kinds[i] = 12
		case !b.Dative && (b.Order == 1 || b.Order == 2 || b.Order == 3):
			kinds[i] = uint32(b.Order)
		default:
			return Counts{}, false
		}
	}
	n := len(g.Atoms)
	all := make([]uint32, n, (radius+1)*n) // ids of environments
	for i, a := range g.Atoms {
		if a.Isotope != 0 || a.Number == 1 {
			return Counts{}, false
		}
		h := mix(0, uint32(a.Number))
		h = mix(h, uint32(a.Degree+a.Hydrogens))
		h = mix(h, uint32(a.Hydrogens))
		h = mix(h, uint32(a.Charge))
		h = mix(h, 0) // difference of the mass
		if a.InRing {
			h = mix(h, 1)
		}
		all[i] = h
	}
	size := (len(g.Bonds) + 63) / 64                     // words of a set of bonds
	inner, outer := slices.Clone(all), make([]uint32, n) // ids of the last radius, and of this one
	within := make([]uint64, n*size)                     // bonds of the last radius, of one atom after the other
	var seen []uint64                                    // bonds of environments that count
	done := make([]bool, n)                              // atoms without further environments
	around, order := g.Neighbours(), make([]uint64, 0, n)
	var pairs []uint64 // kinds of bonds, with neighbours' ids
	for r := range radius {
		bonds := slices.Clone(within)
		order = order[:0]
		for i, neighbours := range around {
			if outer[i] = 0; done[i] || len(neighbours) == 0 {
				continue
			}
			pairs = pairs[:0]
			set := bonds[i*size : (i+1)*size]
			for _, to := range neighbours {
				pairs = append(pairs, uint64(kinds[to.Bond])<<32|uint64(inner[to.Atom]))
				set[to.Bond/64] |= 1 << (to.Bond % 64)
				for w, b := range within[to.Atom*size : (to.Atom+1)*size] {
					set[w] |= b
				}
			}
			slices.Sort(pairs)
			id := mix(uint32(r), inner[i])
			for _, p := range pairs {
				id = mix(id, mix(mix(0, uint32(p>>32)), uint32(p)))
			}
			outer[i] = id
			order = append(order, uint64(id)<<32|uint64(i))
		}
		slices.Sort(order)
		for _, o := range order {
			i := int(uint32(o))
			set := bonds[i*size : (i+1)*size]
			for other := seen; len(other) > 0 && !done[i]; other = other[size:] {
				done[i] = other[0] == set[0] && slices.Equal(other[:size], set)
			}
			if !done[i] {
				seen, all = append(seen, set...), append(all, outer[i])
			}
		}
		within = bonds
		inner, outer = outer, inner
	}
	slices.Sort(all)
	c := Counts{IDs: make([]uint64, 0, len(all)), N: make([]uint32, 0, len(all))}
	for i, id := range all {
		if i > 0 && id == all[i-1] {
			c.N[len(c.N)-1]++
			continue
		}
		c.IDs, c.N = append(c.IDs, uint64(id)), append(c.N, 1)
	}
	return c, true
}

// mix is Boost's hash_combine of 32 bits.
func mix(seed, value uint32) uint32 { return seed ^ (value + 0x9e3779b9 + seed<<6 + seed>>2) }
