package molecule

import (
	"slices"
	"strings"
)

// AsDrawn returns a molecule (SMILES) as that of its tautomers that is the core with groups: itself, if it is.
// Tautomers differ as those with one Family: in hydrogens at atoms other than carbon. ok is false if it has no such
// tautomer, or one with other configurations.
func (c *Core) AsDrawn(smiles string) (drawn string, ok bool) {
	if all := c.tautomers(smiles, 1); len(all) > 0 {
		return all[0], true
	}
	return "", false
}

// Drawings returns a molecule (SMILES) as all those of its tautomers that are the core with groups, first that of
// AsDrawn. There are several of a core that is symmetric but for its mobile hydrogens, such as that of a pyrazole, and
// each gives its points other groups.
func (c *Core) Drawings(smiles string) []string {
	if !c.shifts() {
		return c.tautomers(smiles, 1)
	}
	return c.tautomers(smiles, maxMatches)
}

// Shifts reports whether Drawings may be several: a hydrogen that moves gives the points other groups.
func (c *Core) Shifts() bool { return c.shifts() }

// findShifts returns what Shifts does, by molecules with different groups at all points, and with a hydrogen at one of them.
func (c *Core) findShifts() bool {
	for hydrogen := -1; hydrogen < len(c.Points); hydrogen++ {
		groups := make([]string, len(c.Points))
		for i := range groups {
			if groups[i] = strings.Repeat("C", i+1) + "[*:1]"; i == hydrogen {
				groups[i] = Hydrogen(1)
			}
		}
		if smiles, err := c.Join(groups); err == nil && len(c.tautomers(smiles, 2)) > 1 {
			return true
		}
	}
	return false
}

// tautomers returns the tautomers of a molecule (SMILES) that are the core with different groups, some at most: first
// itself, if it is.
func (c *Core) tautomers(smiles string, most int) (drawn []string) {
	m, err := Parse(smiles)
	if err != nil {
		return nil
	}
	defer m.Close()
	tried := map[string]bool{} // groups
	switch fit, why, all := c.fit(m); {
	case fit.Groups != nil:
		drawn = append(drawn, smiles)
		for _, groups := range c.waysOf(m, fit, all) {
			tried[strings.Join(groups, " ")] = true
		}
	case why == OtherConfiguration:
		return nil
	}
	if len(drawn) == most {
		return drawn
	}
	flat, err := c.flat()
	if err != nil {
		return drawn
	}
	const enough = 30 // that are tried
	tries := 0
	for _, match := range flat.skeleton.Matches(m, false) {
		if tries == enough || len(drawn) == most {
			break
		}
		if _, charge := countOf(m.Graph(), match); charge != flat.charge {
			continue
		}
		a, ok := flat.regrouped(m, match)
		key := strings.Join(a.groups, " ")
		if !ok || tried[key] {
			continue
		}
		tried[key] = true
		tries++
		other, ok := flat.tautomer(m, a)
		if !ok || slices.Contains(drawn, other) || other == m.SMILES() {
			continue
		}
		if _, why := c.Fit(other); why == NoMisfit {
			drawn = append(drawn, other)
		}
	}
	return drawn
}

// tautomer returns the core with the groups of a molecule, and with its configurations, if that is a tautomer of the
// molecule.
func (c *Core) tautomer(m *Molecule, a arrangement) (string, bool) {
	core, marked := c.SMILES, hasStereo(m.SMILES())
	if marked {
		if own, err := c.whole.configured(m, a.match); err == nil && own != "" {
			core = own
		}
	}
	joined, err := joinCore(core, c.Points, a.groups)
	if err != nil || Family(joined) != Family(m.SMILES()) {
		return "", false
	}
	same := true
	if marked {
		err = Look(joined, func(other *Molecule) {
			defined, _ := m.Stereocenters()
			kept, _ := other.Stereocenters()
			same = defined == kept
		})
	}
	return joined, same && err == nil
}

// regrouped returns the groups of the core's atoms, where these are the atoms of a match of its skeleton.
func (c *Core) regrouped(m *Molecule, match []int) (a arrangement, ok bool) {
	of, why := c.cut(m, match, true)
	if why != NoMisfit {
		return a, false
	}
	return c.arrangement(match, c.inOrder(of)), true
}

// singly returns the group that begins with an atom, which has a double bond to an atom of the core, with a single one.
func singly(m *Molecule, atom int, core map[int]int) (group string, ok bool) {
	g := m.Graph()
	around := g.Neighbours()
	branch := []int{atom}
	for k := 0; k < len(branch); k++ {
		for _, n := range around[branch[k]] {
			if _, inside := core[n.Atom]; !inside && !slices.Contains(branch, n.Atom) {
				branch = append(branch, n.Atom)
			}
		}
	}
	e := Edit{Add: []int{0}, Link: []Link{{Begin: atom, End: len(g.Atoms), Order: 1}}}
	for i := range g.Atoms {
		if !slices.Contains(branch, i) {
			e.Remove = append(e.Remove, i)
		}
	}
	rest, err := m.Edit(e)
	if err != nil {
		return "", false
	}
	defer rest.Close()
	group, err = Canonical(strings.Replace(rest.SMILES(), "*", "[*:1]", 1))
	return group, err == nil
}
