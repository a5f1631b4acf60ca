package genetic

import (
	"slices"

	"github.com/invbo/invbo/molecule"
)

// impossible reports, without making the edit, that RDKit or ringsOK would reject its result: because an atom has too many
// bonds, or because a new bond closes a ring of more than 6 atoms. It does not recognize all such edits. Bonds of g are
// single, double or triple.
func impossible(g molecule.Graph, e molecule.Edit) bool {
	n := len(g.Atoms) + len(e.Add)
	neighbours := make([][]int, n)
	valence := make([]float64, n) // sum of bond orders; hydrogens are added later
	join := func(begin, end int, order float64) {
		if slices.Contains(e.Remove, begin) || slices.Contains(e.Remove, end) {
			return
		}
		neighbours[begin], neighbours[end] = append(neighbours[begin], end), append(neighbours[end], begin)
		valence[begin] += order
		valence[end] += order
	}
	for _, b := range g.Bonds {
		if !slices.ContainsFunc(e.Link, func(l molecule.Link) bool {
			return l.Begin == b.Begin && l.End == b.End || l.Begin == b.End && l.End == b.Begin
		}) {
			join(b.Begin, b.End, b.Order)
		}
	}
	for _, l := range e.Link {
		if l.Order > 0 {
			join(l.Begin, l.End, float64(l.Order))
		}
	}
	for _, l := range e.Link {
		if l.Order > 0 && (crowded(g, e, l.Begin, valence) || crowded(g, e, l.End, valence) || around(neighbours, l.Begin, l.End) > largestRing) {
			return true
		}
	}
	return slices.ContainsFunc(e.Change, func(c molecule.Element) bool { return crowded(g, e, c.Atom, valence) })
}

// crowded reports whether an uncharged atom is carbon, nitrogen or oxygen and has too many bonds. RDKit accepts nitrogen with
// five, which it rewrites as nitro and similar groups.
func crowded(g molecule.Graph, e molecule.Edit, atom int, valence []float64) bool {
	var number int
	if atom < len(g.Atoms) {
		if g.Atoms[atom].Charge != 0 {
			return false
		}
		number = g.Atoms[atom].Number
	} else {
		number = e.Add[atom-len(g.Atoms)]
	}
	for _, c := range e.Change {
		if c.Atom == atom {
			number = c.Number
		}
	}
	switch number {
	case 6:
		return valence[atom] > 4
	case 7:
		return valence[atom] == 4
	case 8:
		return valence[atom] > 2
	}
	return false
}

// around returns the number of atoms of the smallest ring with the bond from begin to end; 0 if it is in none.
func around(neighbours [][]int, begin, end int) int {
	size := make([]int, len(neighbours)) // atoms on the shortest path from begin, both ends included; 0 if not reached
	size[begin] = 1
	queue := []int{begin}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, to := range neighbours[at] {
			if size[to] == 0 && (at != begin || to != end) {
				size[to] = size[at] + 1
				queue = append(queue, to)
			}
		}
	}
	return size[end]
}
