package molecule

import (
	"math"
	"slices"
)

// Bertz returns the molecular complexity of the heavy atoms in bits (Bertz 1981), as RDKit computes it:
//
//	C = η·(H(connections) + log₂ η) + n·H(elements)
//
// where η is the number of connections (pairs of adjacent bonds, and pairs within a multiple bond; an
// aromatic bond counts as 1.5 bonds), n the number of atoms, and H the entropy in bits of the distribution over classes.
// Two atoms are in one class if their sorted shortest-path lengths to the other atoms are the same, where a bond of order o
// has length 1/o; two connections are if their atoms are. A single atom has complexity 0.
func (m *Molecule) Bertz() float64 {
	g := m.graph()
	n := len(g.Atoms)
	if n < 2 {
		return 0
	}
	numbers := make([]int, n)
	for i, a := range g.Atoms {
		numbers[i] = a.Number
	}
	_, elements := information(numbers, slices.Repeat([]float64{1}, n))

	bonds := g.bertzBonds()
	class := bertzClasses(bonds)
	var kinds [][3]int // of connections: the classes of both ends, ordered, with that of the middle atom between them
	var counts []float64
	connect := func(one, middle, other int, count float64) {
		kinds, counts = append(kinds, [3]int{min(one, other), middle, max(one, other)}), append(counts, count)
	}
	const within = -1 // in place of a middle atom: both are pairs within a multiple bond
	for at := range bonds {
		for i, b := range bonds[at] {
			if at < b.to && b.order > 1 {
				connect(class[at], within, class[b.to], b.order*(b.order-1)/2)
			}
			for _, c := range bonds[at][i+1:] {
				connect(class[b.to], class[at], class[c.to], b.order*c.order)
			}
		}
	}
	eta, connections := information(kinds, counts)
	if eta == 0 {
		return elements
	}
	return connections + eta*math.Log2(eta) + elements
}

// bertzBond is a bond in the list of one of its atoms.
type bertzBond struct {
	to     int
	order  float64
	length int // 1/order, in twelfths: exact for all orders
}

// bertzBonds returns the bonds of each atom. A triple bond that is aromatic (in arynes) counts as aromatic, a bond of
// order 0 as single.
func (g Graph) bertzBonds() [][]bertzBond {
	bonds := make([][]bertzBond, len(g.Atoms))
	for _, b := range g.Bonds {
		order := max(b.Order, 1)
		if b.Aromatic {
			order = 1.5
		}
		length := int(math.Round(12 / order))
		bonds[b.Begin] = append(bonds[b.Begin], bertzBond{b.End, order, length})
		bonds[b.End] = append(bonds[b.End], bertzBond{b.Begin, order, length})
	}
	return bonds
}

// bertzClasses returns the class of each atom.
func bertzClasses(bonds [][]bertzBond) []int {
	const nearest = 100 // atoms that RDKit compares
	class := make([]int, len(bonds))
	var kinds [][]int
	for at := range bonds {
		paths := shortest(bonds, at)
		slices.Sort(paths)
		paths = paths[:min(len(paths), nearest)]
		class[at] = slices.IndexFunc(kinds, func(kind []int) bool { return slices.Equal(kind, paths) })
		if class[at] < 0 {
			class[at] = len(kinds)
			kinds = append(kinds, paths)
		}
	}
	return class
}

// shortest returns the lengths of the shortest paths from an atom to every atom.
func shortest(bonds [][]bertzBond, from int) []int {
	lengths := slices.Repeat([]int{math.MaxInt}, len(bonds)) // MaxInt: in another component
	lengths[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, b := range bonds[at] {
			if length := lengths[at] + b.length; length < lengths[b.to] {
				lengths[b.to] = length
				queue = append(queue, b.to)
			}
		}
	}
	return lengths
}

// information returns the sum of counts, and that times the entropy of their distribution over keys, in bits. It sums
// in the order in which keys first occur, so that the results are reproducible.
func information[K comparable](keys []K, counts []float64) (total, bits float64) {
	at := map[K]int{}
	var sums []float64
	for i, key := range keys {
		if _, ok := at[key]; !ok {
			at[key] = len(sums)
			sums = append(sums, 0)
		}
		sums[at[key]] += counts[i]
	}
	for _, c := range sums {
		total += c
	}
	for _, c := range sums {
		bits -= c * math.Log2(c/total)
	}
	return total, bits
}
