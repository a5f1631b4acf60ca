package molecule

import (
	"bytes"
	"hash/fnv"
	"slices"
)

// RingKinds returns, ascending and distinct, ids of the kinds of rings in Graph. Rings are of one kind if they have the same atoms
// and bonds in the same order around: elements, charges, aromaticity, and what is double-bonded to them outside all rings, as
// the oxygen of a lactam. Hydrogens, other substituents, stereochemistry and what the ring is fused with do not matter.
func (m *Molecule) RingKinds() []uint64 { return m.graph().ringKinds() }

func (g Graph) ringKinds() []uint64 {
	order := map[[2]int]byte{} // of each bond, doubled: that of an aromatic one is 1.5
	outside := make([][]byte, len(g.Atoms))
	for _, b := range g.Bonds {
		order[[2]int{b.Begin, b.End}] = byte(2 * b.Order)
		order[[2]int{b.End, b.Begin}] = byte(2 * b.Order)
		if b.Order == 2 && !b.InRing {
			outside[b.Begin] = append(outside[b.Begin], byte(g.Atoms[b.End].Number))
			outside[b.End] = append(outside[b.End], byte(g.Atoms[b.Begin].Number))
		}
	}
	kinds := make([]uint64, len(g.Rings))
	for i, ring := range g.Rings {
		atoms, bonds := make([][]byte, len(ring)), make([]byte, len(ring))
		for j, a := range ring {
			slices.Sort(outside[a])
			atom := g.Atoms[a]
			atoms[j] = []byte{byte(atom.Number), byte(atom.Charge), 0, byte(len(outside[a]))}
			if atom.Aromatic {
				atoms[j][2] = 1
			}
			atoms[j] = append(atoms[j], outside[a]...)
			bonds[j] = order[[2]int{a, ring[(j+1)%len(ring)]}]
		}
		kinds[i] = ringKind(atoms, bonds)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// ringKind hashes the least of all ways to read a ring: begun at any atom, in either direction. Bond i is between
// atom i and the next.
func ringKind(atoms [][]byte, bonds []byte) uint64 {
	n := len(atoms)
	var least []byte
	for begin := range n {
		var there, back []byte
		for k := range n {
			there = append(append(there, atoms[(begin+k)%n]...), bonds[(begin+k)%n])
			back = append(append(back, atoms[(begin+n-k)%n]...), bonds[(begin+2*n-k-1)%n])
		}
		for _, text := range [][]byte{there, back} {
			if least == nil || bytes.Compare(text, least) < 0 {
				least = text
			}
		}
	}
	h := fnv.New64a()
	h.Write(least)
	return h.Sum64()
}
