package reaction

import "github.com/invbo/invbo/molecule"

// Screened returns at how many places a molecule has each pattern of a set, with the screens and without.
func (s *Set) Screened(m *molecule.Molecule) (with, without []int) {
	count := func(all []molecule.Sites) (n []int) {
		for _, of := range all {
			n = append(n, of.Different)
		}
		return n
	}
	return count(s.sites(m)), count(m.Sites(s.patterns))
}

// Cases returns the examples of the catalogue by the names of the reactions.
func Cases() map[string]string {
	all := map[string]string{}
	for _, e := range catalogue() {
		all[e.name] = e.example
	}
	return all
}
