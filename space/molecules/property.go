package molecules

import (
	"fmt"
	"strings"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/access"
)

// Property is a number that can be computed of any molecule. It may be called from several goroutines.
type Property func(m *molecule.Molecule) float64

// resembles begins the name of a property that is the similarity to a molecule, whose SMILES follows.
const resembles = "similarity:"

var computed = []struct {
	name string
	of   Property
}{
	{"qed", (*molecule.Molecule).QED},
	{"sa", access.Score},
	{"logp", (*molecule.Molecule).LogP},
	{"weight", (*molecule.Molecule).Weight},
	{"tpsa", (*molecule.Molecule).TPSA},
	{"charge", func(m *molecule.Molecule) float64 { return float64(m.Charge()) }},
	{"rings", func(m *molecule.Molecule) float64 { return float64(m.Rings()) }},
}

// PropertyNamed returns the property of that name, ignoring case, such as qed or logP, or similarity:SMILES, the
// Tanimoto similarity of counted ECFP4 to a molecule; nil: there is none of that name. The error says why there is no
// similarity to a molecule.
func PropertyNamed(name string) (Property, error) {
	for _, p := range computed {
		if strings.EqualFold(p.name, name) {
			return p.of, nil
		}
	}
	if len(name) < len(resembles) || !strings.EqualFold(name[:len(resembles)], resembles) {
		return nil, nil
	}
	smiles := name[len(resembles):]
	m, err := molecule.Parse(smiles)
	if err != nil {
		return nil, fmt.Errorf("similarity to %q: %w", smiles, err)
	}
	defer m.Close()
	target := m.ECFP(2)
	return func(m *molecule.Molecule) float64 { return molecule.Tanimoto(m.ECFP(2), target) }, nil
}
