package molecules

import (
	"fmt"
	"slices"

	"github.com/invbo/invbo/molecule"
)

// Ions returns what salts are made of, as Limits have it: the charges of the components of each known molecule. It is nil if most have one component.
func Ions(known []Known) (all []string) {
	several := 0
	for _, k := range known {
		_ = molecule.Look(k.SMILES, func(m *molecule.Molecule) { // with an error it has none
			charges := componentCharges(m.Graph())
			if len(charges) > 1 {
				several++
			}
			all = append(all, fmt.Sprint(charges))
		})
	}
	if 2*several <= len(all) {
		return nil
	}
	slices.Sort(all)
	return slices.Compact(all)
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
