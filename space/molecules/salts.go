package molecules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// Salts is what salts, and other molecules of several components, are made of. The zero Salts allow any.
type Salts struct {
	Charges []string `json:"charges,omitzero"` // of the components of a molecule
	Parts   []string `json:"parts,omitzero"`   // components (SMILES) beside that with the most carbon atoms: a molecule has no others
}

// SaltsOf returns what known molecules are made of; the zero Salts if none has several components.
func SaltsOf(known []Known) Salts {
	if !slices.ContainsFunc(known, func(k Known) bool { return strings.Contains(k.SMILES, ".") }) {
		return Salts{}
	}
	charges, parts := make([]string, len(known)), make([][]string, len(known))
	parallel.For(len(known), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_ = molecule.Look(known[i].SMILES, func(m *molecule.Molecule) { // with an error it has none
				charges[i] = fmt.Sprint(componentCharges(m.Graph()))
				if all := strings.Split(m.SMILES(), "."); len(all) > 1 {
					at := slices.Index(all, parentOf(all))
					parts[i] = slices.Delete(all, at, at+1)
				}
			})
		}
	})
	distinct := func(all []string) []string {
		slices.Sort(all)
		return slices.Compact(slices.DeleteFunc(all, func(s string) bool { return s == "" }))
	}
	return Salts{distinct(charges), distinct(slices.Concat(parts...))}
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
	parent := parentOf(parts)
	foreign := func(part string) bool {
		_, known := slices.BinarySearch(s.Parts, part)
		return part != parent && !known
	}
	return !slices.ContainsFunc(parts, foreign) && slices.Contains(s.Charges, fmt.Sprint(componentCharges(m.Graph())))
}

// parentOf returns the component with the most carbon atoms, the others being its counterions.
func parentOf(parts []string) string {
	return slices.MaxFunc(parts, func(a, b string) int { return carbons(a) - carbons(b) })
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
