package molecule

import "fmt"

// A Drawing is a molecule with a legend below it.
type Drawing struct {
	Molecule *Molecule
	Legend   string // ASCII; RDKit's font lacks most other characters
}

// Draw returns a grid of molecules as a standalone SVG on white, row by row, each in a square of size pixels.
// It panics if there are no drawings, columns or pixels.
func Draw(drawings []Drawing, columns, size int) ([]byte, error) {
	if len(drawings) == 0 || columns < 1 || size < 1 {
		panic(fmt.Sprintf("molecule: Draw: %d drawings, %d columns, %d pixels", len(drawings), columns, size))
	}
	depicted := make([]*Molecule, len(drawings))
	legends := make([]string, len(drawings))
	for i, d := range drawings {
		m, err := made(d.Molecule.depicted())
		if err != nil {
			return nil, fmt.Errorf("molecule %d: %w", i+1, err)
		}
		defer m.Close()
		depicted[i], legends[i] = m, d.Legend
	}
	return draw(depicted, legends, columns, size)
}
