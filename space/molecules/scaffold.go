package molecules

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// leastScaffold is how many heavy atoms a scaffold has at least; some of them are a ring.
const leastScaffold = 8

// Scaffold is a part of molecules. Its atoms are told by element, its ring bonds have any order, and its other bonds have the given one: so all
// steroids have one, whether their rings are saturated or not.
type Scaffold struct{ SMILES string }

// Pattern compiles the scaffold. The error says what is wrong with its SMILES, or is molecule.ErrNoRDKit.
func (s Scaffold) Pattern() (*molecule.Pattern, error) {
	if strings.Contains(s.SMILES, ".") {
		return nil, errors.New("it is in several pieces; give each on its own")
	}
	m, err := molecule.Parse(s.SMILES)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	g := m.Graph()
	return part{g, slices.Repeat([]bool{true}, len(g.Atoms))}.pattern()
}

// scaffolds returns those of a molecule that nearly all molecules have, the best included, and not by chance: a library tells what is. Each is as
// large as it can be, atom by atom and ring by ring, from one of the best molecule's rings.
func scaffolds(best *molecule.Molecule, all, library []*molecule.Molecule) (found []Scaffold, _ error) {
	least := int(math.Ceil(nearlyAll * float64(len(all))))
	g := best.Graph()
	done := make([]bool, len(g.Atoms)) // in a scaffold, or in a ring that begins none
	for _, seed := range g.Rings {
		if !slices.ContainsFunc(seed, func(i int) bool { return !done[i] }) {
			continue
		}
		p := part{g, make([]bool, len(g.Atoms))}.with(seed)
		with, err := p.having(all)
		if err != nil {
			return nil, err
		}
		if len(with) >= least {
			if p, err = p.grow(with, least); err != nil {
				return nil, err
			}
		}
		for i, in := range p.in {
			done[i] = done[i] || in
		}
		if len(with) < least || p.size() < leastScaffold {
			continue
		}
		s, err := p.scaffold(best)
		if err != nil {
			return nil, err
		}
		pattern, err := s.Pattern()
		if err != nil {
			return nil, err
		}
		// A SMILES of a part may have fewer rings than the part had in the molecule.
		if n := len(having(pattern, all)); n >= least && pattern.In(best) && rare(pattern, library, n) {
			found = append(found, s)
		}
	}
	return found, nil
}

// part is a connected part of a molecule.
type part struct {
	graph molecule.Graph
	in    []bool // each atom
}

// with returns the part with more atoms.
func (p part) with(atoms []int) part {
	p.in = slices.Clone(p.in)
	for _, i := range atoms {
		p.in[i] = true
	}
	return p
}

func (p part) size() (n int) {
	for _, in := range p.in {
		if in {
			n++
		}
	}
	return n
}

// grow adds rings and atoms beside the part as long as enough molecules have it. What one part cannot take, no larger one can.
func (p part) grow(with []*molecule.Molecule, least int) (part, error) {
	refused := map[string]bool{}
	for grown := true; grown; {
		grown = false
		for _, more := range p.beside() {
			key := fmt.Sprint(more)
			if refused[key] {
				continue
			}
			next := p.with(more)
			still, err := next.having(with)
			if err != nil {
				return p, err
			}
			if len(still) >= least {
				p, with, grown = next, still, true
				break
			}
			refused[key] = true
		}
	}
	return p, nil
}

// beside returns what the part could grow by: rings that share atoms with it, rings bonded to it, and then atoms of chains.
func (p part) beside() (all [][]int) {
	around := p.graph.Neighbours()
	var fused, bonded, chains [][]int
	for _, ring := range p.graph.Rings {
		inside, touching := 0, false
		for _, i := range ring {
			if p.in[i] {
				inside++
			}
			touching = touching || p.touches(around[i])
		}
		switch {
		case inside > 0 && inside < len(ring):
			fused = append(fused, ring)
		case inside == 0 && touching:
			bonded = append(bonded, ring)
		}
	}
	for i, a := range p.graph.Atoms {
		if !a.InRing && !p.in[i] && p.touches(around[i]) {
			chains = append(chains, []int{i})
		}
	}
	return slices.Concat(fused, bonded, chains)
}

func (p part) touches(around []molecule.Neighbour) bool {
	return slices.ContainsFunc(around, func(n molecule.Neighbour) bool { return p.in[n.Atom] })
}

// having returns the molecules that have the part.
func (p part) having(all []*molecule.Molecule) ([]*molecule.Molecule, error) {
	pattern, err := p.pattern()
	if err != nil {
		return nil, err
	}
	return having(pattern, all), nil
}

// scaffold returns the part of m that its graph is of. Bonds of rings that are not aromatic are single, since their order does not matter.
func (p part) scaffold(m *molecule.Molecule) (Scaffold, error) {
	var e molecule.Edit
	for i, in := range p.in {
		if !in {
			e.Remove = append(e.Remove, i)
		}
	}
	for _, b := range p.graph.Bonds {
		if p.in[b.Begin] && p.in[b.End] && b.InRing && b.Order == 2 {
			e.Link = append(e.Link, molecule.Link{Begin: b.Begin, End: b.End, Order: 1})
		}
	}
	rest, err := m.Edit(e)
	if err != nil {
		return Scaffold{}, err
	}
	defer rest.Close()
	smiles, err := molecule.Flat(rest.SMILES())
	return Scaffold{smiles}, err
}

// pattern compiles the SMARTS of the part: its atoms with dots between them, and each bond as a ring closure, which needs no walk along the bonds.
func (p part) pattern() (*molecule.Pattern, error) {
	var text strings.Builder
	var open [100]int // bonds by the number of their closure; −1: free
	for n := range open {
		open[n] = -1
	}
	for i, around := range p.graph.Neighbours() {
		if !p.in[i] {
			continue
		}
		if text.Len() > 0 {
			text.WriteByte('.')
		}
		fmt.Fprintf(&text, "[#%d", p.graph.Atoms[i].Number)
		if p.graph.Atoms[i].InRing {
			text.WriteString(";R")
		}
		text.WriteByte(']')
		for _, b := range around {
			if !p.in[b.Atom] {
				continue
			}
			n, next := slices.Index(open[:], b.Bond), -1
			if n < 0 {
				if n, next = slices.Index(open[10:], -1)+10, b.Bond; n < 10 {
					return nil, errors.New("it has more than 90 bonds open at once")
				}
			}
			fmt.Fprintf(&text, "%s%%%d", p.bond(b.Bond), n)
			open[n] = next
		}
	}
	return molecule.CompilePattern(text.String())
}

// bond returns the SMARTS of a bond.
func (p part) bond(i int) string {
	switch b := p.graph.Bonds[i]; {
	case b.InRing:
		return "@"
	case b.Order == 2:
		return "="
	case b.Order == 3:
		return "#"
	case b.Order == 1 && !b.Dative:
		return "-"
	default:
		return "~"
	}
}
