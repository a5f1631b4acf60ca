package molecules

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/chance"
	"github.com/invbo/invbo/space/internal/series"
)

// What a scaffold has at least. Chains and small rings are scaffolds, too, if hardly any other molecule has them, as a
// methacrylate.
const (
	leastScaffold = 8    // atoms, with a ring among them
	leastMotif    = 5    // atoms of others
	motifs        = 0.02 // of the library have one of these at most
)

// leastAny is how many molecules have an atom of any element there at least: half of all might by chance.
const leastAny = 10

// Scaffold is a part of molecules. Its atoms are told by element, and those of aromatic rings are aromatic; bonds of
// other rings have any order, and bonds outside rings have the given one: so all steroids have one, whether their rings
// are saturated or not. An atom * is of any element, with bonds of any order: something is there. If the scaffold is
// Closed, its bonds are as drawn, and nothing but hydrogen is bonded to it, unless beside a *, where anything or
// nothing may be.
type Scaffold struct {
	SMILES string
	Closed bool
}

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
	if !slices.ContainsFunc(g.Atoms, func(a molecule.Atom) bool { return a.Number != anyElement }) {
		return nil, errors.New("it has no element: * stands for any atom, so that nearly all molecules have it")
	}
	if !s.Closed {
		return part{graph: g, in: slices.Repeat([]bool{true}, len(g.Atoms)), atoms: g.Atoms}.pattern()
	}
	return closable(g).pattern()
}

// large reports whether a scaffold has a ring, and more atoms than are often alike by chance.
func (s Scaffold) large() (ok bool) {
	err := molecule.Look(s.SMILES, func(m *molecule.Molecule) { ok = len(m.Graph().Rings) > 0 })
	return ok && err == nil && s.size() >= leastScaffold
}

// size returns how many atoms a scaffold has that are not *.
func (s Scaffold) size() (n int) {
	err := molecule.Look(s.SMILES, func(m *molecule.Molecule) {
		n = stats.Count(m.Graph().Atoms, func(a molecule.Atom) bool { return a.Number != anyElement })
	})
	if err != nil {
		return 0
	}
	return n
}

// isIn reports whether one of some scaffolds has a pattern.
func isIn(some []Scaffold, p *molecule.Pattern) bool {
	return slices.ContainsFunc(some, func(s Scaffold) bool { return has(s.SMILES, p) })
}

// scaffolds returns those of a molecule that nearly all molecules have, the best included, and not by chance: a library
// tells what is. Each is as large as it can be, atom by atom and ring by ring, from one of the best molecule's rings,
// or else from an atom of its chains that is no carbon.
func scaffolds(ctx context.Context, best *molecule.Molecule, all, library []*molecule.Molecule) (found []Scaffold, _ error) {
	least := int(math.Ceil(chance.NearlyAll * float64(len(all))))
	g := best.Graph()
	seeds := slices.Clone(g.Rings)
	for i, a := range g.Atoms {
		if !a.InRing && a.Number != 6 {
			seeds = append(seeds, []int{i})
		}
	}
	done := make([]bool, len(g.Atoms)) // in a scaffold, or in what begins none
	for _, seed := range seeds {
		if !slices.ContainsFunc(seed, func(i int) bool { return !done[i] }) {
			continue
		}
		p := nothing(g).with(addition{atoms: seed})
		with, err := p.having(ctx, all)
		if err == nil && len(with) < least && p.aromatic(seed) {
			p = nothing(g).with(addition{atoms: seed, loose: true})
			with, err = p.having(ctx, all)
		}
		if err != nil {
			return nil, err
		}
		if len(with) >= least {
			if p, err = p.grow(ctx, with, least); err != nil {
				return nil, err
			}
		}
		for i, in := range p.in {
			done[i] = done[i] || in
		}
		if len(with) < least || p.size() < leastMotif {
			continue
		}
		s, pattern, err := p.scaffold(best)
		if err != nil {
			return nil, err
		}
		// A SMILES of a part may have fewer rings than the part had in the molecule.
		n := len(series.Having(pattern, all))
		if n < least || !pattern.In(best) || !series.Rare(pattern, library, n) {
			continue
		}
		if small := p.size() < leastScaffold || len(p.rings()) == 0; small && float64(len(series.Having(pattern, library))) > motifs*float64(len(library)) {
			continue
		}
		if isIn(found, pattern) {
			continue
		}
		var others []Scaffold // that are not in this one
		for _, other := range found {
			if p, err := other.Pattern(); err != nil || !has(s.SMILES, p) {
				others = append(others, other)
			}
		}
		found = append(others, s)
	}
	return found, nil
}

// part is a connected part of a molecule.
type part struct {
	graph molecule.Graph
	in    []bool          // each atom
	atoms []molecule.Atom // of the molecule: those of the graph may be of any element, or of rings that are aromatic or not

	closed []bool // atoms that are bonded to those of the part alone; nil: none
	drawn  bool   // bonds of rings have their order, too
}

// nothing returns the part of a molecule without atoms.
func nothing(g molecule.Graph) part {
	return part{graph: g, in: make([]bool, len(g.Atoms)), atoms: g.Atoms}
}

// addition is what a part may grow by.
type addition struct {
	atoms []int
	any   bool // they are *
	loose bool // they are rings that are aromatic or not
}

// with returns the part with more atoms.
func (p part) with(more addition) part {
	before := p.in
	p.in, p.graph.Atoms = slices.Clone(p.in), slices.Clone(p.graph.Atoms)
	for _, i := range more.atoms {
		p.in[i] = true
		a := &p.graph.Atoms[i]
		switch {
		case more.any:
			a.Number, a.Aromatic = anyElement, false
		case !more.loose:
			a.Aromatic = p.atoms[i].Aromatic
		case !before[i]: // others are of rings that are aromatic
			a.Aromatic = false
		}
	}
	return p
}

// aromatic reports whether some atoms are aromatic.
func (p part) aromatic(atoms []int) bool {
	return slices.ContainsFunc(atoms, func(i int) bool { return p.graph.Atoms[i].Aromatic })
}

// anyElement is the number of *.
const anyElement = 0

// size returns how many atoms the part has that are not *.
func (p part) size() (n int) {
	for i := range p.in {
		if p.known(i) {
			n++
		}
	}
	return n
}

// known reports whether an atom is in the part, and not *.
func (p part) known(i int) bool { return p.in[i] && p.graph.Atoms[i].Number != anyElement }

// rings returns the rings that the part has whole.
func (p part) rings() (whole [][]int) {
	for _, ring := range p.graph.Rings {
		if !slices.ContainsFunc(ring, func(i int) bool { return !p.in[i] }) {
			whole = append(whole, ring)
		}
	}
	return whole
}

// grow adds rings and atoms beside the part as long as enough molecules have it. What one part cannot take, no larger
// one can.
func (p part) grow(ctx context.Context, with []*molecule.Molecule, least int) (part, error) {
	refused := map[string]bool{}
	for grown := true; grown; {
		grown = false
		for _, more := range p.beside() {
			key := fmt.Sprint(more)
			if refused[key] || more.any && len(with) < leastAny {
				continue
			}
			next := p.with(more)
			still, err := next.having(ctx, with)
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

// beside returns what the part could grow by: rings that share atoms with it, rings bonded to it, atoms of chains, and
// then, where rings differ, their atoms: those by which they are bonded, and more of them along single bonds, or *,
// where an atom differs, too. So all nucleosides share a sugar with a nitrogen, whatever the base.
func (p part) beside() (all []addition) {
	around := p.graph.Neighbours()
	var fused, bonded, chains, pieces, anything []addition
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
			fused = append(fused, addition{atoms: ring})
			if p.aromatic(ring) {
				fused = append(fused, addition{atoms: ring, loose: true})
			}
		case inside == 0 && touching:
			bonded = append(bonded, addition{atoms: ring})
			if p.aromatic(ring) {
				bonded = append(bonded, addition{atoms: ring, loose: true})
			}
		}
	}
	for i, a := range p.graph.Atoms {
		if p.in[i] || !p.touches(around[i]) {
			continue
		}
		along := slices.ContainsFunc(around[i], func(n molecule.Neighbour) bool {
			b := p.graph.Bonds[n.Bond]
			return p.known(n.Atom) && p.inSmallRing(i, n.Atom) && (b.Order != 1 || a.Aromatic || p.graph.Atoms[n.Atom].Aromatic)
		})
		switch {
		case along:
			continue
		case a.InRing:
			pieces = append(pieces, addition{atoms: []int{i}})
		default:
			chains = append(chains, addition{atoms: []int{i}})
		}
		anything = append(anything, addition{atoms: []int{i}, any: true})
	}
	return slices.Concat(fused, bonded, chains, pieces, anything)
}

// inSmallRing reports whether two atoms are in one ring that is no macrocycle: along that, a scaffold may grow as along
// a chain.
func (p part) inSmallRing(i, j int) bool {
	const largest = 8
	return slices.ContainsFunc(p.graph.Rings, func(ring []int) bool {
		return len(ring) <= largest && slices.Contains(ring, i) && slices.Contains(ring, j)
	})
}

func (p part) touches(around []molecule.Neighbour) bool {
	return slices.ContainsFunc(around, func(n molecule.Neighbour) bool { return p.known(n.Atom) })
}

// having returns the molecules that have the part. The error says what is wrong with its pattern, or is ctx's cause.
func (p part) having(ctx context.Context, all []*molecule.Molecule) ([]*molecule.Molecule, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	pattern, err := p.pattern()
	if err != nil {
		return nil, err
	}
	return series.Having(pattern, all), nil
}

// chargedAny is a * that stands for an atom with a charge.
var chargedAny = regexp.MustCompile(`\[\*H?\d*[+-]\d*\]`)

// scaffold returns the part of m that its graph is of, and the pattern of that. Bonds whose order does not matter are
// single, unless they are aromatic.
func (p part) scaffold(m *molecule.Molecule) (s Scaffold, _ *molecule.Pattern, err error) {
	var e molecule.Edit
	for i, in := range p.in {
		if !in {
			e.Remove = append(e.Remove, i)
		} else if !p.known(i) {
			e.Change = append(e.Change, molecule.Element{Atom: i, Number: anyElement})
		}
	}
	for _, b := range p.graph.Bonds {
		if !p.in[b.Begin] || !p.in[b.End] || b.Order == 1 {
			continue
		}
		loose := b.Aromatic && !(p.graph.Atoms[b.Begin].Aromatic && p.graph.Atoms[b.End].Aromatic)
		if loose || b.InRing && b.Order == 2 || !p.known(b.Begin) || !p.known(b.End) {
			e.Link = append(e.Link, molecule.Link{Begin: b.Begin, End: b.End, Order: 1})
		}
	}
	rest, err := m.Edit(e)
	if err != nil {
		return s, nil, err
	}
	defer rest.Close()
	if s.SMILES, err = molecule.Flat(rest.SMILES()); err != nil {
		return s, nil, err
	}
	s.SMILES = chargedAny.ReplaceAllString(s.SMILES, "*")
	pattern, err := s.Pattern()
	return s, pattern, err
}

// pattern compiles the SMARTS of the part: its atoms with dots between them, and each bond as a ring closure, which
// needs no walk along the bonds.
func (p part) pattern() (*molecule.Pattern, error) {
	var text strings.Builder
	ringAtoms, ringBonds := map[int]bool{}, map[[2]int]bool{} // of whole rings
	for _, ring := range p.rings() {
		for k, i := range ring {
			j := ring[(k+1)%len(ring)]
			ringAtoms[i], ringBonds[[2]int{i, j}], ringBonds[[2]int{j, i}] = true, true, true
		}
	}
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
		degree := ""
		if p.closed != nil && p.closed[i] {
			degree = fmt.Sprintf(";D%d", len(around))
		}
		switch a := p.graph.Atoms[i]; {
		case a.Number == anyElement:
			text.WriteString("[!#1]")
		case ringAtoms[i] && a.Aromatic:
			fmt.Fprintf(&text, "[#%d;R;a%s]", a.Number, degree)
		case ringAtoms[i] && p.drawn:
			fmt.Fprintf(&text, "[#%d;R;A%s]", a.Number, degree)
		case ringAtoms[i]:
			fmt.Fprintf(&text, "[#%d;R%s]", a.Number, degree)
		default:
			fmt.Fprintf(&text, "[#%d%s]", a.Number, degree)
		}
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
			fmt.Fprintf(&text, "%s%%%d", p.bond(b.Bond, ringBonds[[2]int{i, b.Atom}]), n)
			open[n] = next
		}
	}
	return molecule.CompilePattern(text.String())
}

// bond returns the SMARTS of a bond, which may be in a ring that the part has whole.
func (p part) bond(i int, ring bool) string {
	switch b := p.graph.Bonds[i]; {
	case p.graph.Atoms[b.Begin].Number == anyElement, p.graph.Atoms[b.End].Number == anyElement:
		return "~"
	case ring && p.drawn && b.Aromatic:
		return ":"
	case ring && !p.drawn:
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
