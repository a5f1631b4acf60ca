package molecules

import (
	"math"
	"slices"

	"github.com/invbo/invbo/molecule"
)

// What scaffolds are if they are ends that a linker joins, as the two ligands of a PROTAC.
const (
	leastEnd = 12 // atoms
	mostOpen = 2  // atoms that bear something else
	fewEnds  = 2
)

// ends closes the scaffolds that are ends, if there are two and more: what differs then lies between them, and the data say nothing of other ends.
// It returns the scaffolds as they are if there are none.
func ends(found []Scaffold, best *molecule.Molecule, all []*molecule.Molecule) ([]Scaffold, error) {
	closed := slices.Clone(found)
	n, taken := 0, map[int]bool{} // atoms of best in ends
	for i, s := range found {
		end, err := s.end(all)
		if err != nil {
			return nil, err
		}
		if end.SMILES == "" {
			continue
		}
		p, err := end.Pattern()
		if err != nil {
			return nil, err
		}
		apart := slices.IndexFunc(p.Matches(best, true), func(match []int) bool {
			return !slices.ContainsFunc(match, func(atom int) bool { return taken[atom] })
		})
		if apart < 0 {
			continue
		}
		for _, atom := range p.Matches(best, true)[apart] {
			taken[atom] = true
		}
		closed[i] = end
		n++
	}
	if n < fewEnds {
		return found, nil
	}
	return closed, nil
}

// end returns the scaffold closed, with * at the atoms that bear something else in more than a few molecules; without SMILES if it is no end.
func (s Scaffold) end(all []*molecule.Molecule) (end Scaffold, _ error) {
	m, err := molecule.Parse(s.SMILES)
	if err != nil {
		return end, err
	}
	defer m.Close()
	g := m.Graph()
	p, open := closable(g)
	if p.size() < leastEnd || len(p.rings()) == 0 {
		return end, nil
	}
	least := int(math.Ceil(nearlyAll * float64(len(all))))
	for i := range p.in {
		if !p.known(i) || open[i] {
			continue
		}
		p.closed[i] = true
		with, err := p.having(all)
		if err != nil {
			return end, err
		}
		if len(with) < least {
			p.closed[i], open[i] = false, true
		}
	}
	if len(open) > mostOpen {
		return end, nil
	}
	var e molecule.Edit
	for i, in := range p.in {
		if !in {
			e.Remove = append(e.Remove, i)
		} else if open[i] {
			e.Link = append(e.Link, molecule.Link{Begin: i, End: len(g.Atoms) + len(e.Add), Order: 1})
			e.Add = append(e.Add, anyElement)
		}
	}
	rest, err := m.Edit(e)
	if err != nil {
		return end, err
	}
	defer rest.Close()
	end.Closed = true
	end.SMILES, err = molecule.Flat(rest.SMILES())
	return end, err
}

// closable returns the part of a graph without its *, none of its atoms closed, and the atoms beside *.
func closable(g molecule.Graph) (p part, open map[int]bool) {
	p, open = part{g, make([]bool, len(g.Atoms)), g.Atoms, make([]bool, len(g.Atoms))}, map[int]bool{}
	for i, around := range g.Neighbours() {
		if p.in[i] = g.Atoms[i].Number != anyElement; !p.in[i] {
			continue
		}
		open[i] = slices.ContainsFunc(around, func(n molecule.Neighbour) bool { return g.Atoms[n.Atom].Number == anyElement })
		if !open[i] {
			delete(open, i)
		}
	}
	return p, open
}
