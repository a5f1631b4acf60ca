package molecule

// Scaffold returns the canonical SMILES of the Bemis–Murcko scaffold (Bemis & Murcko 1996): the rings, the chains that
// join them, and the atoms that are double-bonded to either, as in RDKit, without stereochemistry. It is empty for a
// molecule without rings.
func (m *Molecule) Scaffold() (string, error) {
	keep := m.graph().scaffold()
	var remove []int
	for i, k := range keep {
		if !k {
			remove = append(remove, i)
		}
	}
	if len(remove) == len(keep) {
		return "", nil
	}
	s, err := m.Edit(Edit{Remove: remove})
	if err != nil {
		return "", err
	}
	defer s.Close()
	return Flat(s.SMILES())
}

// scaffold reports which atoms are of the scaffold.
func (g Graph) scaffold() []bool {
	degree, keep := make([]int, len(g.Atoms)), make([]bool, len(g.Atoms)) // bonds within the scaffold
	around := g.Neighbours()
	var ends []int // atoms to take off
	for i, a := range g.Atoms {
		degree[i], keep[i] = len(around[i]), true
		if degree[i] <= 1 && !a.InRing {
			ends = append(ends, i)
		}
	}
	for ; len(ends) > 0; ends = ends[1:] {
		keep[ends[0]] = false
		for _, next := range around[ends[0]] {
			if degree[next.Atom]--; degree[next.Atom] == 1 && keep[next.Atom] && !g.Atoms[next.Atom].InRing {
				ends = append(ends, next.Atom)
			}
		}
	}
	var doubled []int
	for _, b := range g.Bonds {
		if b.Order == 2 && keep[b.Begin] != keep[b.End] {
			doubled = append(doubled, b.Begin, b.End)
		}
	}
	for _, a := range doubled {
		keep[a] = true
	}
	return keep
}
