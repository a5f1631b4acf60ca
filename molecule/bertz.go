package molecule

import (
	"math"
	"slices"
)

// Bertz returns the molecular complexity of Bertz 1981 in bits, of the heavy atoms, by RDKit's reading of it:
//
//	C = η·(H(connections) + log₂ η) + n·H(elements)
//
// where η is the number of connections (pairs of adjacent bonds, and pairs within a multiple bond; an
// aromatic bond is 1.5 bonds), n the number of atoms, and H the entropy in bits of their shares. Connections are alike
// if their atoms are alike, and atoms are if the lengths of the shortest paths to all others are, a bond of
// order o being 1/o long. It is 0 for one atom.
func (m *Molecule) Bertz() float64 { return m.graph().bertz() }

func (g Graph) bertz() float64 {
	n := len(g.Atoms)
	if n < 2 {
		return 0
	}
	elements := tally[int]{}
	for _, a := range g.Atoms {
		elements.add(a.Number, 1)
	}

	bonds := g.bertzBonds()
	class := bertzClasses(bonds)
	connections := tally[[3]int]{} // the classes of the ends in order, that of the middle between them
	connect := func(one, middle, other int, count float64) {
		connections.add([3]int{min(one, other), middle, max(one, other)}, count)
	}
	const within = -1 // there is no middle within a bond
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
	if len(connections.counts) == 0 {
		return elements.information()
	}
	eta := connections.total()
	return connections.information() + eta*math.Log2(eta) + elements.information()
}

// bertzBond is a bond as one of its atoms sees it.
type bertzBond struct {
	to     int
	order  float64
	length int // 1/order, in twelfths: exact for all orders
}

// bertzBonds returns the bonds of each atom. An aromatic bond stays one where it is a triple bond, too (arynes);
// one of order 0 counts as single.
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

// bertzClasses numbers the kinds of atoms.
func bertzClasses(bonds [][]bertzBond) []int {
	const nearest = 100 // as many atoms as RDKit looks at
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

// shortest returns the length of the shortest path from an atom to each.
func shortest(bonds [][]bertzBond, from int) []int {
	lengths := slices.Repeat([]int{math.MaxInt}, len(bonds)) // of an atom of another component
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

// tally counts by key, in the order in which keys first came, so that sums never differ.
type tally[K comparable] struct {
	at     map[K]int
	counts []float64
}

func (t *tally[K]) add(key K, count float64) {
	if t.at == nil {
		t.at = map[K]int{}
	}
	i, ok := t.at[key]
	if !ok {
		i = len(t.counts)
		t.at[key] = i
		t.counts = append(t.counts, 0)
	}
	t.counts[i] += count
}

func (t *tally[K]) total() float64 {
	total := 0.0
	for _, c := range t.counts {
		total += c
	}
	return total
}

// information returns the total times the entropy of the shares, in bits.
func (t *tally[K]) information() float64 {
	total, sum := t.total(), 0.0
	for _, c := range t.counts {
		sum -= c * math.Log2(c/total)
	}
	return sum
}
