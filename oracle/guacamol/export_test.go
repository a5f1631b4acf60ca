package guacamol

import "github.com/invbo/invbo/molecule"

// ScoreMolecule scores a molecule.
func (o *Oracle) ScoreMolecule(m *molecule.Molecule) float64 { return o.score(m) }
