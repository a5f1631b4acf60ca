package reaction

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// form is a tautomer of a molecule: hydrogens of aromatic rings move between nitrogens, and to oxygen and sulfur on the
// ring.
type form struct {
	*molecule.Molecule
	smiles string // canonical
	mobile []int  // atoms that such hydrogens move from or to
	rank   [5]int // less is better
}

// minor reports whether another form is preferred for its functional groups: pyridones to hydroxypyridines, thiols to
// thiones.
func (f form) minor(best form) bool { return f.rank[0] > best.rank[0] }

// place identifies the product of a form that reacts at these atoms: two forms of a molecule have the same place if
// their products are the same. It is empty if forms do not differ in any of the atoms, and the SMILES of the form if
// the atom in which they differ has no hydrogen to replace.
func (s *Set) place(f form, atoms []int) string {
	const mark = 85 // astatine, which no block has
	g := f.Graph()
	for _, a := range atoms {
		if !slices.Contains(f.mobile, a) {
			continue
		}
		if g.Atoms[a].Hydrogens == 0 {
			return f.smiles
		}
		marked, err := f.Edit(molecule.Edit{Add: []int{mark}, Link: []molecule.Link{{Begin: a, End: len(g.Atoms), Order: 1}}})
		if err != nil {
			return f.smiles
		}
		defer marked.Close()
		return s.best(marked.SMILES())
	}
	return ""
}

// forms calls see with the forms of a molecule, the best first, whichever of them is given: those of different
// canonical SMILES.
func forms(m *molecule.Molecule, see func(all []form)) {
	const most = 32
	if g := m.Graph(); len(donors(g)) == 0 || len(acceptors(g)) == 0 {
		see([]form{{Molecule: m, smiles: m.SMILES()}})
		return
	}
	all := []form{{Molecule: m, smiles: m.SMILES()}}
	for i := 0; i < len(all); i++ {
		f := &all[i]
		f.rank = rank(f.Graph())
		var next []*molecule.Molecule
		f.mobile, next = shifts(f.Molecule)
		for _, n := range next {
			smiles := n.SMILES()
			if len(all) == most || slices.ContainsFunc(all, func(known form) bool { return known.smiles == smiles }) {
				n.Close()
				continue
			}
			all = append(all, form{Molecule: n, smiles: smiles})
		}
	}
	slices.SortFunc(all, func(a, b form) int {
		return cmp.Or(slices.Compare(a.rank[:], b.rank[:]), strings.Compare(a.smiles, b.smiles))
	})
	see(all)
	for _, f := range all {
		if f.Molecule != m {
			f.Close()
		}
	}
}

// tautomer is what is remembered of a form.
type tautomer struct {
	smiles string // canonical
	minor  bool
}

// mayShift matches a SMILES with an aromatic nitrogen and what may be a hydrogen on one, or on oxygen or sulfur beside
// an aromatic ring.
var mayShift = regexp.MustCompile(`nH|[OS]H|^[OS]c|[^=][OS](?:\)|\.|$)`)

// tautomersOf returns the tautomers of a molecule, the best first, which it remembers. The error is that of molecule.Parse.
func (s *Set) tautomersOf(smiles string) ([]tautomer, error) {
	if !strings.Contains(smiles, "n") || !mayShift.MatchString(smiles) {
		return []tautomer{{smiles: smiles}}, nil
	}
	return s.tautomers.of(smiles, func() (all []tautomer, _ error) {
		err := molecule.Look(smiles, func(m *molecule.Molecule) {
			forms(m, func(fs []form) {
				for _, f := range fs {
					all = append(all, tautomer{f.smiles, f.minor(fs[0])})
				}
			})
		})
		return all, err
	})
}

// best returns the best tautomer of a molecule; the molecule itself if it cannot be read.
func (s *Set) best(smiles string) string {
	if all, err := s.tautomersOf(smiles); err == nil {
		return all[0].smiles
	}
	return smiles
}

// reacting returns the tautomers of a molecule that a reaction sees. A selective one sees the preferred functional
// groups alone. The error is that of molecule.Parse.
func (r *Reaction) reacting(smiles string) (all []string, _ error) {
	list, err := r.set.tautomersOf(smiles)
	for _, t := range list {
		if !r.run.Strict || !t.minor {
			all = append(all, t.smiles)
		}
	}
	return all, err
}

// aromaticCarbon returns the neighbor of an atom outside of the ring, and the order of the bond; −1 if it is not one
// aromatic carbon.
func aromaticCarbon(g molecule.Graph, i int) (carbon int, order float64) {
	around := g.Neighbours()[i]
	if len(around) != 1 || !g.Atoms[around[0].Atom].Aromatic || g.Atoms[around[0].Atom].Number != 6 {
		return -1, 0
	}
	return around[0].Atom, g.Bonds[around[0].Bond].Order
}

// donors returns the atoms whose hydrogen may move: of NH in an aromatic ring, and OH and SH on one.
func donors(g molecule.Graph) (all []int) {
	for i, a := range g.Atoms {
		switch {
		case a.Charge != 0 || a.Hydrogens != 1:
		case a.Number == 7 && a.Aromatic:
			all = append(all, i)
		case a.Number == 8 || a.Number == 16:
			if c, order := aromaticCarbon(g, i); c >= 0 && order == 1 {
				all = append(all, i)
			}
		}
	}
	return all
}

// acceptors returns the atoms that a hydrogen may move to.
func acceptors(g molecule.Graph) (all []int) {
	for i, a := range g.Atoms {
		switch {
		case a.Charge != 0 || a.Hydrogens != 0:
		case a.Number == 7 && a.Aromatic && a.Degree == 2:
			all = append(all, i)
		case a.Number == 8 || a.Number == 16:
			if c, order := aromaticCarbon(g, i); c >= 0 && order == 2 {
				all = append(all, i)
			}
		}
	}
	return all
}

// shifts returns the molecules in which one hydrogen has moved along conjugated bonds to an atom at the same ring, and
// the atoms concerned.
func shifts(m *molecule.Molecule) (mobile []int, all []*molecule.Molecule) {
	kekule, err := m.Kekule()
	if err != nil {
		return nil, nil
	}
	defer kekule.Close()
	g, bonds := m.Graph(), kekule.Graph().Bonds
	at := func(i int) int { // the ring atom that an atom is, or is bonded to
		if g.Atoms[i].Aromatic {
			return i
		}
		c, _ := aromaticCarbon(g, i)
		return c
	}
	for _, from := range donors(g) {
		for _, to := range acceptors(g) {
			sameRing := slices.ContainsFunc(g.Rings, func(ring []int) bool { return slices.Contains(ring, at(from)) && slices.Contains(ring, at(to)) })
			if !sameRing || !g.Atoms[from].Aromatic && !g.Atoms[to].Aromatic {
				continue
			}
			path := alternating(g, bonds, from, to)
			if path == nil {
				continue
			}
			var e molecule.Edit
			for _, b := range path {
				e.Link = append(e.Link, molecule.Link{Begin: bonds[b].Begin, End: bonds[b].End, Order: 3 - int(bonds[b].Order)})
			}
			moved, err := m.Edit(e)
			if err != nil {
				continue
			}
			if aromatic(moved.Graph()) != aromatic(g) {
				moved.Close()
				continue
			}
			mobile, all = append(mobile, from, to), append(all, moved)
		}
	}
	return mobile, all
}

// alternating returns the bonds of a path of aromatic atoms that begins with a single bond of a Kekule form, and ends
// with a double bond; nil if there is none.
func alternating(g molecule.Graph, bonds []molecule.Bond, from, to int) []int {
	seen := map[int]bool{from: true}
	var walk func(at int, order float64) []int
	walk = func(at int, order float64) []int {
		for _, n := range g.Neighbours()[at] {
			if seen[n.Atom] || bonds[n.Bond].Order != order {
				continue
			}
			if n.Atom == to && order == 2 {
				return []int{n.Bond}
			}
			if !g.Atoms[n.Atom].Aromatic || n.Atom == to {
				continue
			}
			seen[n.Atom] = true
			if rest := walk(n.Atom, 3-order); rest != nil {
				return append(rest, n.Bond)
			}
			delete(seen, n.Atom)
		}
		return nil
	}
	return walk(from, 1)
}

func aromatic(g molecule.Graph) (n int) {
	for _, a := range g.Atoms {
		if a.Aromatic {
			n++
		}
	}
	return n
}

// rank returns what a form is preferred by: few hydroxyl groups and thiones; azoles as 1H and not 2H or 4H; the NH of a
// lactam beside its carbonyl group; 1H-indazoles; 9H-purines.
func rank(g molecule.Graph) (r [5]int) {
	around := g.Neighbours()
	rings := func(i int) (n int) {
		for _, ring := range g.Rings {
			if slices.Contains(ring, i) {
				n++
			}
		}
		return n
	}
	isN := func(i int) bool { return g.Atoms[i].Aromatic && g.Atoms[i].Number == 7 }
	nitrogens := func(i int) (n int) { // beside an atom
		for _, b := range around[i] {
			if isN(b.Atom) {
				n++
			}
		}
		return n
	}
	carbonyl := func(i int) bool {
		return slices.ContainsFunc(around[i], func(n molecule.Neighbour) bool {
			return !g.Atoms[n.Atom].Aromatic && g.Bonds[n.Bond].Order == 2
		})
	}
	for i, a := range g.Atoms {
		c, order := aromaticCarbon(g, i)
		switch {
		case c >= 0 && (a.Number == 8 && a.Hydrogens == 1 || a.Number == 16 && order == 2):
			r[0]++
		case !isN(i) || a.Hydrogens == 0:
		default:
			for _, ring := range g.Rings {
				if !slices.Contains(ring, i) {
					continue
				}
				if len(ring) == 5 {
					paired := slices.ContainsFunc(ring, func(k int) bool { return k != i && isN(k) && nitrogens(k) > 0 })
					if beside := nitrogens(i); beside == 2 || beside == 0 && paired {
						r[1]++
					}
				}
				if slices.ContainsFunc(ring, carbonyl) && !slices.ContainsFunc(around[i], func(n molecule.Neighbour) bool { return carbonyl(n.Atom) }) {
					r[2]++
				}
			}
			for _, n := range around[i] {
				if rings(n.Atom) > 1 {
					r[3]--
					r[4] -= nitrogens(n.Atom)
				}
			}
		}
	}
	return r
}
