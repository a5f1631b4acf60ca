package genetic

import (
	"slices"

	"github.com/invbo/invbo/molecule"
)

// skeleton is a graph after an edit, as far as it decides whether RDKit and ringsOK would accept it.
type skeleton struct {
	bonds   [][]half  // of each atom to those that are left
	valence []float64 // sum of bond orders; hydrogens are added later
	carbon  []bool    // uncharged
}

func newSkeleton(g molecule.Graph, e molecule.Edit) skeleton {
	n := len(g.Atoms) + len(e.Add)
	s := skeleton{make([][]half, n), make([]float64, n), make([]bool, n)}
	for i, a := range g.Atoms {
		s.carbon[i] = a.Number == 6 && a.Charge == 0
	}
	for i, number := range e.Add {
		s.carbon[len(g.Atoms)+i] = number == 6
	}
	for _, c := range e.Change {
		s.carbon[c.Atom] = c.Number == 6 && (c.Atom >= len(g.Atoms) || g.Atoms[c.Atom].Charge == 0)
	}
	removed := make([]bool, n)
	for _, i := range e.Remove {
		removed[i] = true
	}
	join := func(begin, end int, order float64) {
		if removed[begin] || removed[end] {
			return
		}
		s.bonds[begin], s.bonds[end] = append(s.bonds[begin], half{end, int(order)}), append(s.bonds[end], half{begin, int(order)})
		s.valence[begin] += order
		s.valence[end] += order
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
	return s
}

// impossible reports, without making the edit, that RDKit would reject its result because an atom has too many bonds, or
// that a new bond closes a ring of more than 6 atoms. It does not recognize all such edits. Bonds of g are single, double or triple.
func impossible(g molecule.Graph, e molecule.Edit) bool { return newSkeleton(g, e).impossible(g, e) }

func (s skeleton) impossible(g molecule.Graph, e molecule.Edit) bool {
	for _, l := range e.Link {
		if l.Order > 0 && (crowded(g, e, l.Begin, s.valence) || crowded(g, e, l.End, s.valence) || s.around(l.Begin, l.End) > largestRing) {
			return true
		}
	}
	return slices.ContainsFunc(e.Change, func(c molecule.Element) bool { return crowded(g, e, c.Atom, s.valence) })
}

// strained reports that ringsOK would reject the result: because of a ring of more than 6 atoms, a double bond in one of 3 or
// 4, or a ring atom with two double bonds in rings. It does not recognize all such molecules; double bonds in small rings that
// RDKit might take as aromatic are left to it.
func (s skeleton) strained() bool {
	for i, bonds := range s.bonds {
		double := 0
		for _, h := range bonds {
			if h.to < i && h.order != 2 {
				continue // the other atom's
			}
			ring := s.around(i, h.to)
			if ring > largestRing || h.order == 2 && (ring == 3 || ring == 4) && s.saturated(i, h.to, ring) {
				return true
			}
			if h.order == 2 && ring > 0 {
				double++
			}
		}
		if double > 1 {
			return true
		}
	}
	return false
}

// saturated reports whether the rings of 3 or 4 atoms with the bond from i to j hold a carbon without double bonds: RDKit takes
// such a ring as not aromatic.
func (s skeleton) saturated(i, j, ring int) bool {
	sp3 := func(at int) bool {
		return s.carbon[at] && !slices.ContainsFunc(s.bonds[at], func(h half) bool { return h.order > 1 })
	}
	all := true
	for _, a := range s.bonds[i] {
		for _, b := range s.bonds[j] {
			closes := ring == 3 && a.to == b.to || ring == 4 && a.to != j && b.to != i && slices.ContainsFunc(s.bonds[a.to], func(h half) bool { return h.to == b.to })
			if closes {
				all = all && (sp3(a.to) || sp3(b.to))
			}
		}
	}
	return all
}

// crowded reports whether an uncharged atom is carbon, nitrogen, oxygen, fluorine, chlorine or bromine and has too many bonds. RDKit accepts nitrogen with
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
	case 9, 17, 35:
		return valence[atom] > 1
	}
	return false
}

// around returns the number of atoms of the smallest ring with the bond from begin to end; 0 if it is in none.
func (s skeleton) around(begin, end int) int {
	size := make([]int8, len(s.bonds)) // atoms on the shortest path from begin, both ends included; 0 if not reached
	size[begin] = 1
	queue := append(make([]int, 0, len(s.bonds)), begin)
	for head := 0; head < len(queue) && size[end] == 0; head++ {
		at := queue[head]
		for _, h := range s.bonds[at] {
			if size[h.to] == 0 && (at != begin || h.to != end) {
				size[h.to] = min(size[at], 100) + 1
				queue = append(queue, h.to)
			}
		}
	}
	return int(size[end])
}
