package molecules

import (
	"slices"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/access"
	"github.com/invbo/invbo/molecule/alerts"
)

// judged returns the form of a molecule that limits judge: that of the usual isotopes, without the charges that
// hydrogens can take away, since scores and rules are made of molecules drawn so. done frees it. A molecule that is
// drawn so is judged itself.
func judged(m *molecule.Molecule) (plain *molecule.Molecule, done func()) {
	plain, done = m, func() {}
	if slices.ContainsFunc(m.Graph().Atoms, func(a molecule.Atom) bool { return a.Isotope != 0 }) {
		if usual, err := unlabelled(m); err == nil {
			plain, done = usual, usual.Close
		}
	}
	if chargeable(plain.Graph()) {
		if neutral, err := plain.Neutral(); err == nil {
			done()
			return neutral, neutral.Close
		}
	}
	return plain, done
}

func unlabelled(m *molecule.Molecule) (*molecule.Molecule, error) {
	smiles, err := molecule.Unlabelled(m.SMILES())
	if err != nil {
		return nil, err
	}
	return molecule.Parse(smiles)
}

// chargeable reports whether hydrogens may take a charge away: from a cation that has some, or an anion that is beside
// no cation, as in nitro.
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

// protonated reports whether a cation has hydrogens.
func protonated(m *molecule.Molecule) bool {
	return slices.ContainsFunc(m.Graph().Atoms, func(a molecule.Atom) bool { return a.Charge > 0 && a.Hydrogens > 0 })
}

// Accessibility returns the synthetic accessibility score that limits judge.
func Accessibility(m *molecule.Molecule) float64 {
	plain, done := judged(m)
	defer done()
	return access.Score(plain)
}

// Alerts returns the rules of a set that a molecule matches, as it is drawn or as it is judged.
func Alerts(set *alerts.Set, m *molecule.Molecule) []alerts.Rule {
	rules := set.In(m)
	plain, done := judged(m)
	defer done()
	if plain == m {
		return rules
	}
	for _, r := range set.In(plain) {
		if !slices.Contains(rules, r) {
			rules = append(rules, r)
		}
	}
	return rules
}

// Beyond returns a set in which rules are matched that a molecule matches more often than another one (SMILES), as it
// is drawn or as it is judged; the set itself if that is no molecule.
func Beyond(set *alerts.Set, smiles string) (beyond *alerts.Set, err error) {
	beyond = set
	_ = molecule.Look(smiles, func(m *molecule.Molecule) {
		plain, done := judged(m)
		defer done()
		beyond, err = set.Beyond(m, plain)
	})
	return beyond, err
}
