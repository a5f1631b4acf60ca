package molecules

import (
	"slices"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/alerts"
)

// judged returns the form of a molecule that limits judge: that without the charges that hydrogens can take away, since scores and rules are
// made of molecules drawn so. done frees it. What has no such charges is judged itself.
func judged(m *molecule.Molecule) (neutral *molecule.Molecule, done func()) {
	if chargeable(m.Graph()) {
		if neutral, err := m.Neutral(); err == nil {
			return neutral, neutral.Close
		}
	}
	return m, func() {}
}

// chargeable reports whether hydrogens may take a charge away: from a cation that has some, or an anion that is beside no cation, as in nitro.
func chargeable(g molecule.Graph) bool {
	if !slices.ContainsFunc(g.Atoms, func(a molecule.Atom) bool { return a.Charge != 0 }) {
		return false
	}
	around := g.Neighbours()
	for i, a := range g.Atoms {
		besideCation := slices.ContainsFunc(around[i], func(n molecule.Neighbour) bool { return g.Atoms[n.Atom].Charge > 0 })
		if a.Charge > 0 && a.Hydrogens > 0 || a.Charge < 0 && !besideCation {
			return true
		}
	}
	return false
}

// Alerts returns the rules of a set that a molecule matches, as it is drawn or without charges.
func Alerts(set *alerts.Set, m *molecule.Molecule) []alerts.Rule {
	rules := set.In(m)
	neutral, done := judged(m)
	defer done()
	if neutral == m {
		return rules
	}
	for _, r := range set.In(neutral) {
		if !slices.Contains(rules, r) {
			rules = append(rules, r)
		}
	}
	return rules
}
