package table

import (
	"io"
	"slices"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// AreMolecules reports whether the strings of a table are meant to be molecules: their column says so by its name, or most of its first
// cells are SMILES. In a build without RDKit nothing is a molecule.
func AreMolecules(r io.Reader, o Options) (bool, error) {
	const block = 4 << 20            // the beginning of the file
	if molecule.Available() == nil { // which helps to tell SMILES from their names
		o.Normalize = func(text string) (string, string, error) {
			smiles, err := molecule.Canonical(text)
			return smiles, "", err
		}
	}
	rows, err := openSource(r, maxScanned, block, o)
	if err != nil || molecule.Available() != nil {
		return false, err
	}
	g := rows.grid
	input, err := g.named(RoleInput, o.Input)
	if err != nil {
		return false, usage.Wrap(err)
	}
	var columns []int
	switch named := g.namedInputs(); {
	case input >= 0:
		columns = []int{input}
	case g.blocks:
		return true, nil
	case len(named) > 0:
		columns = named
	default:
		for i := range g.width {
			columns = append(columns, i)
		}
	}
	return slices.ContainsFunc(columns, func(i int) bool {
		return g.heading(i).any([]string{"smiles", "smi", "smile", "selfies", "selfie"}) || g.share(i, o.accepts) > 0.5
	}), nil
}
