package molecule

import "slices"

// Configurations counts the configurations of tetrahedral centers and double bonds, each with the atom environment
// around it of up to radius bonds, as in Shells. Mirror images have none in common, unless they are the same. A
// configuration counts for each radius at which the environments of the neighbours tell these apart, so that analogs
// share those of the smaller radii. Two centers of a ring count together, too, as cis or trans.
func (g Graph) Configurations(radius int) Counts {
	if len(g.Centers) == 0 && len(g.DoubleBonds) == 0 {
		return Counts{}
	}
	kinds := make([]uint64, len(g.Atoms))
	for i, a := range g.Atoms {
		kinds[i] = a.kind()
	}
	var shells [][]uint64 // of each radius, the environment of each atom
	g.environmentsOf(kinds, radius, func(shell []uint64) { shells = append(shells, slices.Clone(shell)) })
	around := g.Neighbours()
	var ids []uint64
	for r := range radius {
		inner, outer := shells[r], shells[r+1]
		id := func(environment uint64, mirrored bool) {
			h := scramble(environment ^ uint64(r+1)<<56)
			if mirrored {
				h = ^h
			}
			ids = append(ids, h)
		}
		for _, c := range g.Centers {
			if odd, ok := permuted(around[c.Atom], func(n Neighbour) uint64 { return inner[n.Atom] }); ok {
				id(outer[c.Atom], odd != c.Clockwise)
			}
		}
		for _, ring := range g.Rings {
			g.relative(ring, inner, func(i, j, apart int, opposite bool) {
				id(scramble(outer[i]+outer[j])+uint64(apart), opposite)
			})
		}
		for _, d := range g.DoubleBonds {
			b := g.Bonds[d.Bond]
			first, same, ok := higher(around[b.Begin], b.End, d.Ends[0], inner)
			second, also, both := higher(around[b.End], b.Begin, d.Ends[1], inner)
			if ok && both {
				id(outer[b.Begin]+outer[b.End]+first+second, d.Cis == (same == also))
			}
		}
	}
	return count(ids)
}

// relative yields pairs of centers of a ring, how many bonds they are apart there, and whether their configurations are
// opposite as one goes around it, whichever way.
func (g Graph) relative(ring []int, environments []uint64, yield func(i, j, apart int, opposite bool)) {
	type center struct {
		place int
		turns bool
	}
	var centers []center
	for _, c := range g.Centers {
		at := slices.Index(ring, c.Atom)
		if at < 0 {
			continue
		}
		n := len(ring)
		before, after := ring[(at+n-1)%n], ring[(at+1)%n]
		rank := func(n Neighbour) uint64 { // along the ring, and then by the environment
			switch n.Atom {
			case before:
				return 0
			case after:
				return 1
			}
			return max(2, environments[n.Atom])
		}
		if odd, ok := permuted(g.Neighbours()[c.Atom], rank); ok {
			centers = append(centers, center{at, odd != c.Clockwise})
		}
	}
	for i, a := range centers {
		for _, b := range centers[:i] {
			apart := max(a.place, b.place) - min(a.place, b.place)
			yield(ring[a.place], ring[b.place], min(apart, len(ring)-apart), a.turns != b.turns)
		}
	}
}

// permuted reports whether it takes an odd number of swaps to sort neighbours, which are in the order of their bonds,
// by rank. Ranks must differ.
func permuted(neighbours []Neighbour, rank func(n Neighbour) uint64) (odd, differ bool) {
	for i, a := range neighbours {
		for _, b := range neighbours[:i] {
			switch x, y := rank(b), rank(a); {
			case x == y:
				return false, false
			case x > y:
				odd = !odd
			}
		}
	}
	return odd, true
}

// higher returns the greater environment of an atom's neighbours but for one, and whether it is that of one of them.
// Two must differ.
func higher(neighbours []Neighbour, but, of int, environments []uint64) (highest uint64, isOf, differ bool) {
	var all []uint64
	for _, n := range neighbours {
		if n.Atom != but {
			all = append(all, environments[n.Atom])
		}
	}
	if len(all) == 2 && all[0] == all[1] {
		return 0, false, false
	}
	highest = slices.Max(all)
	return highest, environments[of] == highest, true
}
