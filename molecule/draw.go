package molecule

import "fmt"

// A Drawing is a molecule and what is written below it.
type Drawing struct {
	Molecule *Molecule
	Legend   string
}

// Draw returns a grid of molecules as a standalone SVG on white, row by row, each in a square of size pixels.
// Size and columns are at least 1.
func Draw(drawings []Drawing, columns, size int) ([]byte, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	refs := make([]molRef, len(drawings))
	legends := make([]string, len(drawings))
	for i, d := range drawings {
		ref, err := d.Molecule.depicted()
		if err != nil {
			return nil, fmt.Errorf("molecule %d: %w", i+1, err)
		}
		defer ref.free()
		refs[i], legends[i] = ref, d.Legend
	}
	return draw(refs, legends, columns, size)
}

// depicted returns a copy of m with coordinates in the plane.
func (m *Molecule) depicted() (molRef, error) {
	defer m.lock()()
	return m.ref.depicted()
}
