package molecules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// Salts is what salts, and other molecules of several components, are made of. The zero Salts allow any.
type Salts struct {
	Charges []string `json:"charges,omitzero"` // of the components of a molecule
	Parts   []string `json:"parts,omitzero"`   // components (SMILES): a molecule has no other but for that with the most carbon atoms
}

// SaltsOf returns what known molecules are made of; the zero Salts if none has several components.
func SaltsOf(known []Known) (s Salts) {
	if !slices.ContainsFunc(known, func(k Known) bool { return strings.Contains(k.SMILES, ".") }) {
		return Salts{}
	}
	for _, k := range known {
		_ = molecule.Look(k.SMILES, func(m *molecule.Molecule) { // with an error it has none
			s.Charges = append(s.Charges, fmt.Sprint(componentCharges(m.Graph())))
			s.Parts = append(s.Parts, strings.Split(m.SMILES(), ".")...)
		})
	}
	slices.Sort(s.Charges)
	slices.Sort(s.Parts)
	return Salts{slices.Compact(s.Charges), slices.Compact(s.Parts)}
}

// allow reports whether a molecule may be made of its components.
func (s Salts) allow(m *molecule.Molecule) bool {
	if len(s.Charges) == 0 {
		return true
	}
	parts := strings.Split(m.SMILES(), ".")
	if len(parts) == 1 {
		return slices.Contains(s.Charges, fmt.Sprint(componentCharges(m.Graph())))
	}
	parent := slices.MaxFunc(parts, func(a, b string) int { return carbons(a) - carbons(b) })
	foreign := func(part string) bool {
		_, known := slices.BinarySearch(s.Parts, part)
		return part != parent && !known
	}
	return !slices.ContainsFunc(parts, foreign) && slices.Contains(s.Charges, fmt.Sprint(componentCharges(m.Graph())))
}

// carbons counts the carbon atoms of a molecule.
func carbons(smiles string) (n int) {
	_ = molecule.Look(smiles, func(m *molecule.Molecule) { // with an error it has none
		for _, a := range m.Graph().Atoms {
			if a.Number == 6 {
				n++
			}
		}
	})
	return n
}

// componentCharges returns the charge of each component, in ascending order.
func componentCharges(g molecule.Graph) (charges []int) {
	around, seen := g.Neighbours(), make([]bool, len(g.Atoms))
	for first := range g.Atoms {
		if seen[first] {
			continue
		}
		seen[first] = true
		charge := 0
		for stack := []int{first}; len(stack) > 0; {
			atom := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			charge += g.Atoms[atom].Charge
			for _, n := range around[atom] {
				if !seen[n.Atom] {
					seen[n.Atom] = true
					stack = append(stack, n.Atom)
				}
			}
		}
		charges = append(charges, charge)
	}
	slices.Sort(charges)
	return charges
}
