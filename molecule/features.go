package molecule

import "slices"

// Shells counts the atom environments of 0, 1, … and radius bonds around each atom, and returns one Counts for each
// radius. Together they are like ECFP, but by hashes of their own, and in a quarter of the time: for comparing
// molecules with each other, not with fingerprints of other programs. Unlike ECFP they hold environments of the same
// atoms twice.
func (g Graph) Shells(radius int) []Counts {
	kinds := make([]uint64, len(g.Atoms))
	for i, a := range g.Atoms {
		kinds[i] = a.kind()
	}
	shells := make([]Counts, 0, radius+1)
	g.environmentsOf(kinds, radius, func(shell []uint64) { shells = append(shells, count(slices.Clone(shell))) })
	return shells
}

// kind tells atoms apart by what RDKit's ECFP does.
func (a Atom) kind() uint64 {
	ring := uint64(0)
	if a.InRing {
		ring = 1
	}
	return uint64(a.Number)<<40 | uint64(a.Isotope)<<24 | uint64(uint8(a.Charge))<<16 | uint64(a.Hydrogens)<<12 | uint64(a.Degree)<<4 | ring
}

// Roles counts the atom environments of up to radius bonds, but tells atoms apart by their part in binding only:
// hydrogen bonds, charge, aromaticity and halogens, like FCFP but by rules and hashes of its own.
func (g Graph) Roles(radius int) Counts {
	kinds := make([]uint64, len(g.Atoms))
	for i, a := range g.Atoms {
		kinds[i] = a.role()
	}
	var ids []uint64
	g.environmentsOf(kinds, radius, func(shell []uint64) { ids = append(ids, shell...) })
	return count(ids)
}

// role returns a bit for each part that the atom may take in binding; 0 for aliphatic carbon.
func (a Atom) role() uint64 {
	const nitrogen, oxygen, fluorine, chlorine, bromine, iodine = 7, 8, 9, 17, 35, 53
	var role uint64
	for bit, has := range []bool{
		a.Number != 6,
		(a.Number == nitrogen || a.Number == oxygen) && a.Hydrogens > 0,                          // donor
		a.Number == oxygen || a.Number == nitrogen && a.Hydrogens == 0 && a.Hybridization == SP2, // acceptor
		a.Charge > 0 || a.Number == nitrogen && a.Hybridization == SP3,                           // base
		a.Number == fluorine || a.Number == chlorine || a.Number == bromine || a.Number == iodine,
		a.Aromatic,
	} {
		if has {
			role |= 1 << bit
		}
	}
	return role
}

// Composition counts the atoms of each element, hydrogens included, by atomic number.
func (g Graph) Composition() Counts {
	ids := make([]uint64, 0, 3*len(g.Atoms))
	for _, a := range g.Atoms {
		ids = append(ids, uint64(a.Number))
		for range a.Hydrogens {
			ids = append(ids, 1)
		}
	}
	return count(ids)
}

// Flexible returns the number of single bonds outside rings between two atoms that both have others: nearly
// Molecule.RotatableBonds, amides and neighbours of triple bonds included, and without RDKit's search for substructures.
func (g Graph) Flexible() int {
	count := 0
	for _, b := range g.Bonds {
		if b.Order == 1 && !b.InRing && g.Atoms[b.Begin].Degree > 1 && g.Atoms[b.End].Degree > 1 {
			count++
		}
	}
	return count
}

// environmentsOf yields the environments of each atom, of these kinds, of 0, 1, … and radius bonds.
func (g Graph) environmentsOf(kinds []uint64, radius int, yield func(shell []uint64)) {
	n, neighbours := len(g.Atoms), g.Neighbours()
	now, next := make([]uint64, n), make([]uint64, n)
	bonds := make([]uint64, len(g.Bonds)) // their kinds
	for i, b := range g.Bonds {
		if bonds[i] = uint64(2 * b.Order); b.Aromatic {
			bonds[i] = 3
		}
	}
	for i, kind := range kinds {
		now[i] = scramble(kind)
	}
	yield(now)
	around := make([]uint64, 0, 8)
	for range radius {
		for i := range n {
			around = around[:0]
			for _, to := range neighbours[i] {
				around = append(around, scramble(now[to.Atom]+bonds[to.Bond]))
			}
			slices.Sort(around)
			h := scramble(now[i] ^ 0x5bd1e995)
			for _, v := range around {
				h = scramble(h ^ v)
			}
			next[i] = h
		}
		now, next = next, now
		yield(now)
	}
}

// Pairs counts pairs of atoms at most longest bonds apart, by their elements, degrees, π bonds and distance, like
// AtomPairs but by hashes of its own, and in a fifth of the time.
func (g Graph) Pairs(longest int) Counts {
	n := len(g.Atoms)
	kind := make([]uint64, n)
	for i, a := range g.Atoms {
		pi := uint64(0)
		switch {
		case a.Hybridization == SP:
			pi = 2
		case a.Aromatic || a.Hybridization == SP2:
			pi = 1
		}
		kind[i] = uint64(a.Number)<<8 | uint64(a.Degree)<<2 | pi
	}
	kinds := slices.Compact(slices.Sorted(slices.Values(kind)))
	rank := make([]int, n)
	for i, k := range kind {
		rank[i], _ = slices.BinarySearch(kinds, k)
	}
	table := make([]uint32, len(kinds)*len(kinds)*longest) // in the order of ids, which saves sorting them
	distinct := 0
	for i, row := range g.distances() {
		for j, d := range row[:i] {
			if d > 0 && d <= longest {
				at := (min(rank[i], rank[j])*len(kinds)+max(rank[i], rank[j]))*longest + d - 1
				if table[at] == 0 {
					distinct++
				}
				table[at]++
			}
		}
	}
	c := Counts{IDs: make([]uint64, 0, distinct), N: make([]uint32, 0, distinct)}
	for at, n := range table {
		if n > 0 {
			d, ends := uint64(at%longest+1), at/longest
			c.IDs, c.N = append(c.IDs, kinds[ends/len(kinds)]<<32|kinds[ends%len(kinds)]<<8|d), append(c.N, n)
		}
	}
	return c
}

// count returns how often each of ids occurs. It sorts them.
func count(ids []uint64) Counts {
	slices.Sort(ids)
	distinct := 0
	for i, id := range ids {
		if i == 0 || id != ids[i-1] {
			distinct++
		}
	}
	c := Counts{IDs: make([]uint64, 0, distinct), N: make([]uint32, 0, distinct)}
	for i, id := range ids {
		if i > 0 && id == ids[i-1] {
			c.N[len(c.N)-1]++
			continue
		}
		c.IDs, c.N = append(c.IDs, id), append(c.N, 1)
	}
	return c
}

// scramble is the finalizer of SplitMix64.
func scramble(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
