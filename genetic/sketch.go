package genetic

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// sketch is a Kekulé form after an edit. It tells most edits that RDKit or ringsOK would reject, and writes a SMILES of
// the others.
type sketch struct {
	edit    molecule.Edit
	atoms   []sketched
	odd     bool // it has a bond that is not single, double or triple, or a carbon cation with four bonds, which RDKit parses but does not produce
	largest int  // atoms of its largest ring; see allowed
	rings   int  // closures so far, while the SMILES is written
	text    strings.Builder

	sizes, queue []int // of around and parts
}

type sketched struct {
	number, charge, isotope int
	hydrogens               int    // of an atom that is not edited
	valence                 int    // sum of bond orders; hydrogens are added later
	edited                  bool   // it gets as many hydrogens as its valence has room for
	removed                 bool   //
	bonds                   []half // to atoms that are not removed
	depth                   int    // of the walk that found it, from 1; 0: not yet
	down, closures          []half // bonds of the walk, and closures of rings: these lead to their number
}

// half is a bond as one of its atoms sees it.
type half struct{ to, order int }

// draw sets the sketch to g, a Kekulé form, after an edit. What it was before is lost, but not the memory: most edits
// are impossible, so that many are drawn for a child.
func (s *sketch) draw(g molecule.Graph, e molecule.Edit) {
	s.edit, s.odd, s.rings = e, false, 0
	s.text.Reset()
	n := len(g.Atoms) + len(e.Add)
	s.atoms = slices.Grow(s.atoms[:0], n)[:n]
	for i := range s.atoms {
		a := &s.atoms[i]
		*a = sketched{bonds: a.bonds[:0], down: a.down[:0], closures: a.closures[:0]}
		if i < len(g.Atoms) {
			of := g.Atoms[i]
			a.number, a.charge, a.isotope, a.hydrogens = of.Number, of.Charge, of.Isotope, of.Hydrogens
		} else {
			a.number = e.Add[i-len(g.Atoms)]
		}
	}
	for _, c := range e.Change {
		a := &s.atoms[c.Atom]
		a.number, a.isotope, a.edited = c.Number, 0, true
	}
	for _, i := range e.Remove {
		s.atoms[i].removed = true
	}
	for _, b := range g.Bonds {
		if !slices.ContainsFunc(e.Link, func(l molecule.Link) bool {
			return l.Begin == b.Begin && l.End == b.End || l.Begin == b.End && l.End == b.Begin
		}) {
			s.odd = s.odd || b.Order != 1 && b.Order != 2 && b.Order != 3
			s.join(b.Begin, b.End, int(b.Order))
		}
	}
	for _, l := range e.Link {
		s.atoms[l.Begin].edited, s.atoms[l.End].edited = true, true
		if l.Order > 0 {
			s.join(l.Begin, l.End, l.Order)
		}
	}
	for i := range s.atoms {
		a := &s.atoms[i]
		s.odd = s.odd || a.edited && a.number == 6 && a.charge > 0 && a.valence > 3
	}
}

// join adds a bond. If one of its atoms is removed, the other has room for a hydrogen.
func (s *sketch) join(begin, end, order int) {
	a, b := &s.atoms[begin], &s.atoms[end]
	if a.removed || b.removed {
		a.edited, b.edited = true, true
		return
	}
	a.bonds, b.bonds = append(a.bonds, half{end, order}), append(b.bonds, half{begin, order})
	a.valence += order
	b.valence += order
}

// impossible reports that RDKit would reject the edit because an atom has too many bonds, or that a new bond closes a
// ring of a size that is not allowed. It does not recognize all such edits.
func (s *sketch) impossible() bool {
	for _, l := range s.edit.Link {
		if l.Order > 0 && (s.atoms[l.Begin].crowded() || s.atoms[l.End].crowded() || !allowed(s.around(l.Begin, l.End), s.largest)) {
			return true
		}
	}
	return slices.ContainsFunc(s.edit.Change, func(c molecule.Element) bool { return s.atoms[c.Atom].crowded() })
}

// crowded reports whether the atom is an uncharged C, N, O, F, Cl or Br with too many bonds. RDKit accepts nitrogen
// with five, which it rewrites as nitro and similar groups.
func (a *sketched) crowded() bool {
	if a.charge != 0 || !slices.Contains([]int{6, 7, 8, 9, 17, 35}, a.number) {
		return false
	}
	return a.valence > valences[a.number][0] && (a.number != 7 || a.valence == 4)
}

// strained reports that ringsOK would reject the result: because of the size of a ring, a double bond in one of 3 or 4,
// or a ring atom with two double bonds in rings. It does not recognize all such molecules; double bonds in small rings
// that RDKit might take as aromatic are left to it.
func (s *sketch) strained() bool {
	for i, a := range s.atoms {
		double := 0
		for _, h := range a.bonds {
			if h.to < i && h.order != 2 {
				continue // the other atom's
			}
			ring := s.around(i, h.to)
			if !allowed(ring, s.largest) || h.order == 2 && (ring == 3 || ring == 4) && s.saturated(i, h.to, ring) {
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

// saturated reports whether the rings of 3 or 4 atoms with the bond from i to j hold a carbon without double bonds:
// RDKit takes such a ring as not aromatic.
func (s *sketch) saturated(i, j, ring int) bool {
	sp3 := func(at int) bool {
		a := &s.atoms[at]
		return a.number == 6 && a.charge == 0 && !slices.ContainsFunc(a.bonds, func(h half) bool { return h.order > 1 })
	}
	for _, a := range s.atoms[i].bonds {
		for _, b := range s.atoms[j].bonds {
			closes := ring == 3 && a.to == b.to || ring == 4 && a.to != j && b.to != i && slices.ContainsFunc(s.atoms[a.to].bonds, func(h half) bool { return h.to == b.to })
			if closes && !sp3(a.to) && !sp3(b.to) {
				return false
			}
		}
	}
	return true
}

// outline returns that of the molecule.
func (s *sketch) outline() (o Outline) {
	atoms, ends := 0, 0
	for i := range s.atoms {
		a := &s.atoms[i]
		if a.removed {
			continue
		}
		n := a.hydrogens
		if a.edited {
			n = hydrogens(a.number, a.charge, a.valence)
		}
		mass, usual := masses[a.number]
		if !usual || a.isotope > 0 {
			mass = math.NaN()
		}
		o.Weight += mass + float64(n)*masses[1]
		o.Charge += a.charge
		atoms, ends = atoms+1, ends+len(a.bonds)
	}
	o.Rings = ends/2 - atoms + s.parts()
	return o
}

// parts returns how many parts there are with no bond between them.
func (s *sketch) parts() (parts int) {
	n := len(s.atoms)
	s.sizes = slices.Grow(s.sizes[:0], n)[:n]
	seen := s.sizes // 1 for atoms that were reached
	clear(seen)
	for i := range s.atoms {
		if s.atoms[i].removed || seen[i] > 0 {
			continue
		}
		parts++
		seen[i] = 1
		s.queue = append(s.queue[:0], i)
		for next := 0; next < len(s.queue); next++ {
			for _, h := range s.atoms[s.queue[next]].bonds {
				if seen[h.to] == 0 {
					seen[h.to] = 1
					s.queue = append(s.queue, h.to)
				}
			}
		}
	}
	return parts
}

// around returns the number of atoms of the smallest ring with the bond from begin to end; 0 if it is in none.
func (s *sketch) around(begin, end int) int {
	n := len(s.atoms)
	s.sizes = slices.Grow(s.sizes[:0], n)[:n]
	size := s.sizes // atoms on the shortest path from begin, both ends included; 0 if not reached
	clear(size)
	size[begin] = 1
	s.queue = append(s.queue[:0], begin)
	for next := 0; next < len(s.queue) && size[end] == 0; next++ {
		at := s.queue[next]
		for _, h := range s.atoms[at].bonds {
			if size[h.to] == 0 && (at != begin || h.to != end) {
				size[h.to] = size[at] + 1
				s.queue = append(s.queue, h.to)
			}
		}
	}
	return size[end]
}

// smiles returns a SMILES of the sketch, "" if it cannot be written. It stands for what molecule.Molecule.Edit returns,
// which keeps configurations, and takes several times as long.
func (s *sketch) smiles() string {
	if s.odd {
		return ""
	}
	for i := range s.atoms {
		if s.atoms[i].removed || s.atoms[i].depth > 0 {
			continue
		}
		if s.text.Len() > 0 {
			s.text.WriteByte('.')
		}
		s.walk(i, -1, 1)
		s.write(i)
	}
	return s.text.String()
}

// walk visits the part of atom i depth first.
func (s *sketch) walk(i, from, depth int) {
	s.atoms[i].depth = depth
	for _, h := range s.atoms[i].bonds {
		switch to := &s.atoms[h.to]; {
		case to.depth == 0:
			s.atoms[i].down = append(s.atoms[i].down, h)
			s.walk(h.to, i, depth+1)
		case h.to != from && to.depth < depth: // a ring closes
			s.rings++
			ring := half{s.rings, h.order}
			to.closures, s.atoms[i].closures = append(to.closures, ring), append(s.atoms[i].closures, ring)
		}
	}
}

var orders = [...]string{1: "", 2: "=", 3: "#"}

// write writes atom i and what the walk found after it.
func (s *sketch) write(i int) {
	a := &s.atoms[i]
	a.write(&s.text)
	for _, c := range a.closures {
		if s.text.WriteString(orders[c.order]); c.to > 9 {
			s.text.WriteByte('%')
		}
		fmt.Fprint(&s.text, c.to)
	}
	for k, h := range a.down {
		last := k == len(a.down)-1
		if !last {
			s.text.WriteByte('(')
		}
		s.text.WriteString(orders[h.order])
		s.write(h.to)
		if !last {
			s.text.WriteByte(')')
		}
	}
}

// write writes the atom, in brackets unless SMILES reads it without them.
func (a *sketched) write(to *strings.Builder) {
	symbol, organic := molecule.Symbol(a.number)
	room := hydrogens(a.number, a.charge, a.valence)
	n := a.hydrogens
	if a.edited {
		n = room
	}
	if organic && a.charge == 0 && a.isotope == 0 && n == room {
		to.WriteString(symbol)
		return
	}
	to.WriteByte('[')
	if a.isotope > 0 {
		fmt.Fprint(to, a.isotope)
	}
	to.WriteString(symbol)
	if n > 0 {
		fmt.Fprintf(to, "H%d", n)
	}
	if a.charge != 0 {
		fmt.Fprintf(to, "%+d", a.charge)
	}
	to.WriteByte(']')
}

// hydrogens returns how many hydrogens an atom takes beside bonds whose orders have this sum: those that fill the least
// of its valences that suffices, and none beyond the largest. A charged atom has the valences of the element with as
// many electrons.
func hydrogens(number, charge, sum int) int {
	for _, v := range valences[number-charge] {
		if v >= sum {
			return v - sum
		}
	}
	return 0
}

// valences holds those of each element, in ascending order.
var valences = map[int][]int{
	5: {3}, 6: {4}, 7: {3}, 8: {2}, 9: {1}, 14: {4}, 15: {3, 5}, 16: {2, 4, 6}, 17: {1}, 33: {3, 5}, 34: {2, 4, 6}, 35: {1}, 52: {2, 4, 6}, 53: {1},
}

// masses are the atomic weights of RDKit's periodic table, g/mol.
var masses = map[int]float64{
	1: 1.008, 5: 10.812, 6: 12.011, 7: 14.007, 8: 15.999, 9: 18.998, 14: 28.086, 15: 30.974, 16: 32.067, 17: 35.453, 33: 74.922, 34: 78.96,
	35: 79.904, 52: 127.6, 53: 126.904,
}
