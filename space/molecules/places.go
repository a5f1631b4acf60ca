package molecules

import (
	"context"
	"slices"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/series"
)

// Place is where a molecule bears what may change.
type Place struct {
	Atom  int  // that stays
	Group int  // that is bound to it; −1: a hydrogen
	Free  bool // anything may take its place, also if all known molecules have the same there
}

// open opens scaffolds at places: nothing is closed there, and what is bound to the Free ones is left out. best is the
// best of all molecules.
func (c *Common) open(ctx context.Context, fixed Fixed, best *molecule.Molecule, all []*molecule.Molecule) error {
	var opened []Scaffold
	places := fixed.Places(best)
	for _, s := range c.Scaffolds {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s, ok, err := s.open(best, places, all)
		if err != nil {
			return err
		}
		if ok && !slices.Contains(opened, s) {
			opened = append(opened, s)
		}
	}
	c.Scaffolds = opened
	for i, s := range c.Cores {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p, err := s.Pattern()
		if err != nil {
			return err
		}
		at := slices.IndexFunc(all, p.In)
		if at < 0 {
			continue
		}
		var ok bool
		if c.Cores[i], ok, err = s.open(all[at], fixed.Places(all[at]), all); err != nil {
			return err
		}
		if p, err = c.Cores[i].Pattern(); !ok || err != nil || slices.ContainsFunc(fixed.Plain, func(smiles string) bool { return has(smiles, p) }) { // any molecule has it
			c.Cores = nil
			return err
		}
	}
	return nil
}

// open returns the scaffold of m, one of all molecules, without what keeps places as they are; ok is false if little is
// left.
func (s Scaffold) open(m *molecule.Molecule, places []Place, all []*molecule.Molecule) (opened Scaffold, ok bool, _ error) {
	own, err := molecule.Parse(s.SMILES)
	if err != nil {
		return s, false, err
	}
	defer own.Close()
	g := own.Graph()
	matches, err := s.matches(m, g)
	if err != nil {
		return s, false, err
	}
	opens := make([]bool, len(g.Atoms)) // they get a *
	removed := make([]bool, len(g.Atoms))
	around := g.Neighbours()
	for _, match := range matches {
		for _, place := range places {
			atom, group := slices.Index(match, place.Atom), -1
			if place.Group >= 0 {
				group = slices.Index(match, place.Group)
			}
			beside := func(n molecule.Neighbour) bool { return g.Atoms[n.Atom].Number == anyElement }
			switch {
			case atom < 0:
			case group >= 0 && place.Free:
				if branch := branchOf(g, group, atom); branch != nil {
					for _, i := range branch {
						removed[i] = true
					}
					opens[atom] = s.Closed
				}
			case group < 0 && s.Closed && !slices.ContainsFunc(around[atom], beside):
				opens[atom] = true
			}
		}
	}
	var e molecule.Edit
	known := 0 // atoms that are left
	for i, a := range g.Atoms {
		switch {
		case removed[i]:
			e.Remove = append(e.Remove, i)
			continue
		case opens[i]:
			e.Link = append(e.Link, molecule.Link{Begin: i, End: len(g.Atoms) + len(e.Add), Order: 1})
			e.Add = append(e.Add, anyElement)
		}
		if a.Number != anyElement {
			known++
		}
	}
	switch {
	case len(e.Add)+len(e.Remove) == 0:
		return s, true, nil
	case known < leastMotif:
		return s, false, nil
	}
	rest, err := own.Edit(e)
	if err != nil {
		return s, false, nil // an atom has no place for a *
	}
	defer rest.Close()
	opened.Closed = s.Closed
	if opened.SMILES, err = molecule.Flat(rest.SMILES()); err != nil {
		return s, false, err
	}
	before, err := s.Pattern()
	if err != nil {
		return s, false, err
	}
	after, err := opened.Pattern()
	if err != nil {
		return s, false, err
	}
	return opened, len(series.Having(after, all)) >= len(series.Having(before, all)), nil // aromatic rings may be others in a part of a molecule
}

// matches returns where m has the scaffold whose graph is given: for each of its atoms that of m, −1 for a * where
// anything or nothing may be.
func (s Scaffold) matches(m *molecule.Molecule, g molecule.Graph) ([][]int, error) {
	p, err := s.Pattern()
	if err != nil {
		return nil, err
	}
	matches := p.Matches(m, true)
	if len(matches) == 0 && s.Closed { // m bears something where nearly all molecules do not
		wide := closable(g)
		wide.closed = nil
		if p, err = wide.pattern(); err != nil {
			return nil, err
		}
		matches = p.Matches(m, true)
	}
	for k, match := range matches {
		all := make([]int, len(g.Atoms))
		for i, a := range g.Atoms {
			if all[i] = -1; !s.Closed || a.Number != anyElement {
				all[i], match = match[0], match[1:]
			}
		}
		matches[k] = all
	}
	return matches, nil
}

// branchOf returns an atom and those behind it, as seen from another one that it is bound to; nil if a ring joins them.
func branchOf(g molecule.Graph, atom, from int) []int {
	around := g.Neighbours()
	branch := []int{atom}
	for k := 0; k < len(branch); k++ {
		for _, n := range around[branch[k]] {
			switch {
			case n.Atom == from && k > 0:
				return nil
			case n.Atom != from && !slices.Contains(branch, n.Atom):
				branch = append(branch, n.Atom)
			}
		}
	}
	return branch
}
