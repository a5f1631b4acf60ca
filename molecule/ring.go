package molecule

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// RingKinds returns the ids of the kinds of rings in Graph, and of the kinds of pairs of rings that share atoms,
// ascending and distinct.
//
// Two rings are of the same kind if they have the same sequence of atoms (element, charge, aromaticity, and the
// elements that are double-bonded to it outside rings, such as the oxygen of a lactam) and bonds. Hydrogens, other
// substituents and stereochemistry do not matter. Two pairs are of the same kind if their rings are, and if they share
// the same number of atoms: 1 in a spiro compound, 2 in most fused ones, more in a bridged one.
func (m *Molecule) RingKinds() []uint64 {
	g := m.graph()
	outside := make([][]byte, len(g.Atoms))
	for _, b := range g.Bonds {
		if b.Order == 2 && !b.InRing {
			outside[b.Begin] = append(outside[b.Begin], byte(g.Atoms[b.End].Number))
			outside[b.End] = append(outside[b.End], byte(g.Atoms[b.Begin].Number))
		}
	}
	kinds := make([]uint64, len(g.Rings))
	for i, ring := range g.Rings {
		text, ends, bonds := make([]byte, 0, 8*len(ring)), make([]int, len(ring)+1), make([]byte, len(ring))
		for j, a := range ring {
			slices.Sort(outside[a])
			atom, aromatic := g.Atoms[a], byte(0)
			if atom.Aromatic {
				aromatic = 1
			}
			text = append(text, byte(atom.Number), byte(atom.Charge), aromatic, byte(len(outside[a])))
			text = append(text, outside[a]...)
			ends[j+1] = len(text)
		}
		for j, b := range g.ringBonds(ring) {
			bonds[j] = byte(2 * b.Order) // that of aromatic bonds is 1.5
		}
		kinds[i] = ringKind(func(j int) []byte { return text[ends[j]:ends[j+1]] }, bonds)
	}
	for i, ring := range g.Rings {
		for j, other := range g.Rings[:i] {
			if n := common(ring, other); n > 0 {
				kinds = append(kinds, pairKind(kinds[i], kinds[j], n))
			}
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// common returns the number of atoms that two rings share.
func common(a, b []int) int {
	n := 0
	for _, atom := range a {
		if slices.Contains(b, atom) {
			n++
		}
	}
	return n
}

// pairKind returns the id of a pair of rings that share n atoms.
func pairKind(a, b uint64, n int) uint64 {
	text := binary.BigEndian.AppendUint64(nil, min(a, b))
	text = binary.BigEndian.AppendUint64(text, max(a, b))
	return hash(binary.AppendUvarint(text, uint64(n)))
}

// ringKind returns the id of a ring: the hash of the lexically smallest sequence of its atoms and bonds, over all
// starting atoms and both directions. Bond i is between atom i and the next.
func ringKind(atom func(i int) []byte, bonds []byte) uint64 {
	n := len(bonds)
	var least, text []byte
	take := func() {
		if least == nil || bytes.Compare(text, least) < 0 {
			least, text = text, least
		}
		text = text[:0]
	}
	for begin := range n {
		for k := range n {
			text = append(append(text, atom((begin+k)%n)...), bonds[(begin+k)%n])
		}
		take()
		for k := range n {
			text = append(append(text, atom((begin+n-k)%n)...), bonds[(begin+2*n-k-1)%n])
		}
		take()
	}
	return hash(least)
}

func hash(text []byte) uint64 {
	h := fnv.New64a()
	h.Write(text)
	return h.Sum64()
}
