package molecules

import (
	"context"
	"slices"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/series"
)

const (
	leastEnd   = 12   // atoms of an end that a linker joins, as the ligands of a PROTAC
	mostOpen   = 2    // atoms of an end that bear something else
	fewEnds    = 2    // where there are so many, they are closed
	fewClosed  = 20   // molecules: in series of as many, all scaffolds are closed
	nearlyNone = 0.03 // of those with a scaffold bear something at an atom that is closed
)

// closeScaffolds closes scaffolds where nothing else was ever bonded to them: all scaffolds in larger series, and
// otherwise those that are the ends of all molecules, if there are at least two. Proposals then differ only where the
// molecules do, since the molecules say nothing about the rest.
func closeScaffolds(ctx context.Context, found []Scaffold, best *molecule.Molecule, all []*molecule.Molecule) ([]Scaffold, error) {
	closed, ends := slices.Clone(found), slices.Clone(found)
	n, taken := 0, map[int]bool{} // ends, and their atoms in best
	for i, s := range found {
		c, open, err := s.close(ctx, best, all)
		if err != nil {
			return nil, err
		}
		if !c.Closed {
			continue
		}
		closed[i] = c
		if open <= mostOpen && c.apart(best, taken) {
			ends[i] = c
			n++
		}
	}
	switch {
	case len(all) >= fewClosed:
		return closed, nil
	case n >= fewEnds:
		return ends, nil
	}
	return found, nil
}

// apart reports whether an end is in the molecule without atoms that are taken, and takes its own.
func (s Scaffold) apart(m *molecule.Molecule, taken map[int]bool) bool {
	p, err := s.Pattern()
	if err != nil {
		return false
	}
	for _, match := range p.Matches(m, true) {
		if len(match) >= leastEnd && !slices.ContainsFunc(match, func(atom int) bool { return taken[atom] }) {
			for _, atom := range match {
				taken[atom] = true
			}
			return true
		}
	}
	return false
}

// close returns the scaffold with the bonds that it has in m, closed, and how many of its atoms are open. Open atoms
// have a *: more than a few of all molecules bear something else there. The scaffold is not Closed if more than a few
// have other bonds in it, or if all its atoms are open.
func (s Scaffold) close(ctx context.Context, m *molecule.Molecule, all []*molecule.Molecule) (closed Scaffold, open int, _ error) {
	own, err := s.Pattern()
	if err != nil {
		return closed, 0, err
	}
	all = series.Having(own, all)
	least := len(all) - int(nearlyNone*float64(len(all)))
	drawn, err := s.drawn(m)
	if drawn == nil || err != nil {
		return closed, 0, err
	}
	defer drawn.Close()
	g := drawn.Graph()
	p := closable(g)
	may := p.closed
	p.closed = make([]bool, len(may))
	if with, err := p.having(ctx, all); err != nil || len(with) < least || len(p.rings()) == 0 {
		return closed, 0, err
	}
	var e molecule.Edit
	for i := range g.Atoms {
		p.closed[i] = p.in[i] && may[i]
		if p.closed[i] {
			with, err := p.having(ctx, all)
			if err != nil {
				return closed, 0, err
			}
			p.closed[i] = len(with) >= least
		}
		switch {
		case !p.in[i] || p.closed[i]:
			continue
		case may[i]:
			e.Link = append(e.Link, molecule.Link{Begin: i, End: len(g.Atoms) + len(e.Add), Order: 1})
			e.Add = append(e.Add, anyElement)
		}
		open++
	}
	if open == p.size() {
		return closed, 0, nil
	}
	rest, err := drawn.Edit(e)
	if err != nil {
		return closed, 0, nil // an atom has no place for a *
	}
	defer rest.Close()
	if closed.SMILES, err = molecule.Flat(rest.SMILES()); err != nil {
		return closed, 0, err
	}
	closed.Closed = true
	if p, err := closed.Pattern(); err != nil || len(series.Having(p, all)) < least { // aromatic rings may be others in a part of a molecule
		return Scaffold{}, 0, err
	}
	return closed, open, nil
}

// drawn returns the scaffold as a part of m, in which its * are *; nil: m has it in no way that is a molecule.
func (s Scaffold) drawn(m *molecule.Molecule) (*molecule.Molecule, error) {
	p, err := s.Pattern()
	if err != nil {
		return nil, err
	}
	matches := p.Matches(m, true)
	own, err := molecule.Parse(s.SMILES)
	if err != nil || len(matches) == 0 {
		return nil, err
	}
	defer own.Close()
	var e molecule.Edit
	kept := map[int]bool{} // atoms of m
	for i, a := range own.Graph().Atoms {
		at := matches[0][i]
		kept[at] = true
		if a.Number == anyElement {
			e.Change = append(e.Change, molecule.Element{Atom: at, Number: anyElement})
		}
	}
	for i := range m.Graph().Atoms {
		if !kept[i] {
			e.Remove = append(e.Remove, i)
		}
	}
	drawn, err := m.Edit(e)
	if err != nil {
		return nil, nil
	}
	return drawn, nil
}

// closable returns the part of a graph without its *. All its atoms are closed except those beside a *.
func closable(g molecule.Graph) part {
	p := part{graph: g, in: make([]bool, len(g.Atoms)), atoms: g.Atoms, drawn: true, closed: make([]bool, len(g.Atoms))}
	for i, around := range g.Neighbours() {
		p.in[i] = g.Atoms[i].Number != anyElement
		p.closed[i] = !slices.ContainsFunc(around, func(n molecule.Neighbour) bool { return g.Atoms[n.Atom].Number == anyElement })
	}
	return p
}
