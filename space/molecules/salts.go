package molecules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/salt"
)

// Salts is what salts, and other molecules of several components, are made of. The zero Salts allow any.
type Salts struct {
	Charges []string `json:"charges,omitzero"` // of the components of a molecule
	Parts   []string `json:"parts,omitzero"`   // components (SMILES) beside the parents of package salt: a molecule has no others
}

// SaltsOf returns what known molecules are made of; the zero Salts if none has several components. The error is ctx's
// cause. Of a component and its rivals, as in salts of two drugs, the parent is the one that occurs in the fewest
// molecules: counterions recur.
func SaltsOf(ctx context.Context, known []Known) (Salts, error) {
	if !slices.ContainsFunc(known, func(k Known) bool { return strings.Contains(k.SMILES, ".") }) {
		return Salts{}, nil
	}
	charges, parts := make([]string, len(known)), make([][]salt.Part, len(known))
	err := parallel.ForContext(ctx, len(known), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_ = molecule.Look(known[i].SMILES, func(m *molecule.Molecule) { // with an error it has none
				charges[i] = fmt.Sprint(componentCharges(m.Graph()))
				if strings.Contains(m.SMILES(), ".") {
					parts[i], _ = salt.Split(m.SMILES()) // likewise
				}
			})
		}
	})
	if err != nil {
		return Salts{}, err
	}
	occurs := map[string]int{} // molecules with a component, by salt.Part.Neutral
	for _, all := range parts {
		distinct := map[string]bool{}
		for _, p := range all {
			distinct[p.Neutral] = true
		}
		for neutral := range distinct {
			occurs[neutral]++
		}
	}
	var others []string
	for _, all := range parts {
		if len(all) == 0 {
			continue
		}
		parents := salt.Parents(all)
		parent := parents[0].Neutral
		for _, p := range parents[1:] {
			if parents[0].Rivals(p) && occurs[p.Neutral] < occurs[parent] {
				parent = p.Neutral
			}
		}
		for _, p := range all {
			if p.Neutral != parent {
				others = append(others, p.SMILES)
			}
		}
	}
	distinct := func(all []string) []string {
		slices.Sort(all)
		return slices.Compact(slices.DeleteFunc(all, func(s string) bool { return s == "" }))
	}
	return Salts{distinct(charges), distinct(others)}, nil
}

// allow reports whether a molecule may be made of its components: all but a parent must be known.
func (s Salts) allow(m *molecule.Molecule) bool {
	if len(s.Charges) == 0 {
		return true
	}
	if !slices.Contains(s.Charges, fmt.Sprint(componentCharges(m.Graph()))) {
		return false
	}
	isForeign := func(smiles string) bool {
		_, known := slices.BinarySearch(s.Parts, smiles)
		return !known
	}
	if texts := strings.Split(m.SMILES(), "."); len(texts) == 1 || !slices.ContainsFunc(texts, isForeign) {
		return true
	}
	parts, err := salt.Split(m.SMILES())
	if err != nil {
		return false
	}
	return slices.ContainsFunc(salt.Parents(parts), func(parent salt.Part) bool {
		return !slices.ContainsFunc(parts, func(p salt.Part) bool { return p.Neutral != parent.Neutral && isForeign(p.SMILES) })
	})
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
