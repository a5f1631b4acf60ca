package selfies

import "slices"

// MaxBonds is maxBonds.
var MaxBonds = maxBonds

// Link is a bond with the signs of its direction at both of its atoms.
type Link struct {
	a, b          int
	order         order
	first, second byte
}

// Describe returns the atoms, in order, and the bonds of a SMILES with kekulized bonds, independent of how it is
// written. A center has the chirality that it has when its bonds are ordered by the atoms they lead to.
func Describe(smiles string) (atoms []string, links []Link, err error) {
	m, err := parse(smiles)
	if err != nil {
		return nil, nil, err
	}
	for i := range m.atoms {
		a := m.atoms[i]
		for j, later := range a.bonds {
			for _, earlier := range a.bonds[:j] {
				if a.chirality > 0 && earlier.to > later.to {
					a.chirality = 3 - a.chirality
				}
			}
		}
		atoms = append(atoms, string(a.append(nil)))
		for _, b := range a.bonds {
			if b.to > i {
				l := Link{i, b.to, b.order, b.stereo, 0}
				if b.ring > 0 {
					other := m.atoms[b.to].bonds
					l.second = other[slices.IndexFunc(other, func(o bond) bool { return o.ring == b.ring })].stereo
				}
				links = append(links, l)
			}
		}
	}
	slices.SortFunc(links, func(x, y Link) int { return (x.a-y.a)*len(m.atoms) + x.b - y.b })
	return atoms, links, nil
}
