package genetic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// sketch is a Kekulé form while its SMILES is written.
type sketch struct {
	atoms []sketched
	text  strings.Builder
	rings int // closures so far
}

type sketched struct {
	number, charge, isotope int
	hydrogens               int    // of an atom that is not edited
	edited                  bool   // it gets as many hydrogens as its valence has room for
	removed                 bool   //
	bonds                   []half // to atoms that are not removed
	depth                   int    // of the walk that found it, from 1; 0: not yet
	down, closures          []half // bonds of the walk, and closures of rings: these lead to their number
}

// half is a bond as one of its atoms sees it.
type half struct{ to, order int }

// smilesOf returns a SMILES of g after an edit, and whether it could write one. g is a Kekulé form without stereochemistry.
// The text stands for what molecule.Molecule.Edit returns, which keeps configurations, and takes several times as long.
func smilesOf(g molecule.Graph, e molecule.Edit) (string, bool) {
	s := sketch{atoms: make([]sketched, 0, len(g.Atoms)+len(e.Add))}
	for _, a := range g.Atoms {
		s.atoms = append(s.atoms, sketched{number: a.Number, charge: a.Charge, isotope: a.Isotope, hydrogens: a.Hydrogens})
	}
	for _, number := range e.Add {
		s.atoms = append(s.atoms, sketched{number: number})
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
			if b.Order != 1 && b.Order != 2 && b.Order != 3 {
				return "", false
			}
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
		if s.atoms[i].removed || s.atoms[i].depth > 0 {
			continue
		}
		if s.text.Len() > 0 {
			s.text.WriteByte('.')
		}
		s.walk(i, -1, 1)
		s.write(i)
	}
	return s.text.String(), s.text.Len() > 0
}

// join adds a bond. If one of its atoms is removed, the other has room for a hydrogen.
func (s *sketch) join(a, b, order int) {
	if s.atoms[a].removed || s.atoms[b].removed {
		s.atoms[a].edited, s.atoms[b].edited = true, true
		return
	}
	s.atoms[a].bonds = append(s.atoms[a].bonds, half{b, order})
	s.atoms[b].bonds = append(s.atoms[b].bonds, half{a, order})
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
	sum := 0
	for _, h := range a.bonds {
		sum += h.order
	}
	symbol, organic := molecule.Symbol(a.number)
	room := hydrogens(a.number, a.charge, sum)
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

// hydrogens returns how many hydrogens an atom takes beside bonds whose orders have this sum: those that fill the least of its
// valences that suffices, and none beyond the largest. A charged atom has the valences of the element with as many electrons.
func hydrogens(number, charge, sum int) int {
	var valences []int
	switch number - charge {
	case 5:
		valences = []int{3}
	case 6, 14:
		valences = []int{4}
	case 7:
		valences = []int{3}
	case 8:
		valences = []int{2}
	case 15, 33:
		valences = []int{3, 5}
	case 16, 34, 52:
		valences = []int{2, 4, 6}
	case 9, 17, 35, 53:
		valences = []int{1}
	}
	for _, v := range valences {
		if v >= sum {
			return v - sum
		}
	}
	return 0
}
