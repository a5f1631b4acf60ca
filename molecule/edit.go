package molecule

import (
	"fmt"
	"slices"
)

// An Edit changes a molecule. Atoms are numbered as in Graph; new atoms follow. Atoms are added and changed first, then
// bonds; last, atoms are removed with their bonds.
//
// Atoms that are changed, or whose bonds are, get as many hydrogens as their valence allows, and lose their
// stereochemistry. A center keeps it if one neighbor is replaced by another, which takes its place. Aromatic bonds are
// replaced by single and double bonds first, as by Kekule.
type Edit struct {
	Add    []int     // atomic numbers of new atoms: 0 (any atom, *) to 118
	Change []Element // atoms that become another element and keep their charge
	Link   []Link    // bonds to add, change or remove
	Remove []int     // atoms to remove
}

// An Element is the new atomic number of an atom.
type Element struct{ Atom, Number int }

// A Link is the new order of the bond between two atoms: 1, 2, 3, or 0 for no bond.
type Link struct{ Begin, End, Order int }

// Kekule returns the molecule with single and double bonds in place of aromatic ones, in its Graph and for patterns.
func (m *Molecule) Kekule() (*Molecule, error) { return made(m.kekule()) }

// KekuleGraph returns the Graph of the Kekule form of a canonical SMILES, in less than half the time of Parse and
// Kekule. It has no hybridizations and conjugated bonds unless the molecule has configurations. Errors are those of
// Parse.
func KekuleGraph(smiles string) (Graph, error) {
	if readable(smiles, MaxLength) == nil {
		if g, ok := kekuleGraph(smiles); ok {
			return g, nil
		}
	}
	m, err := Parse(smiles)
	if err != nil {
		return Graph{}, err
	}
	defer m.Close()
	form, err := m.Kekule()
	if err != nil {
		return Graph{}, err
	}
	defer form.Close()
	return form.Graph(), nil
}

// Merge returns a molecule of two unconnected parts, the atoms of a followed by those of b, without aromatic bonds.
func Merge(a, b *Molecule) (*Molecule, error) {
	b, err := b.Kekule() // a copy, which no other goroutine locks
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return made(a.merge(b))
}

// Edit returns the edited molecule, parsed from its SMILES, which renumbers the atoms. The error says why the result is
// not a molecule. Edit panics if e names an atom, an element or an order that does not exist.
func (m *Molecule) Edit(e Edit) (*Molecule, error) {
	e.check(len(m.Graph().Atoms))
	smiles, err := m.edited(e)
	if err != nil {
		return nil, err
	}
	return Parse(smiles)
}

// check panics unless e can be applied to a molecule of n atoms.
func (e Edit) check(n int) {
	atoms, numbers := slices.Clone(e.Remove), slices.Clone(e.Add)
	for _, c := range e.Change {
		atoms, numbers = append(atoms, c.Atom), append(numbers, c.Number)
	}
	for _, l := range e.Link {
		atoms = append(atoms, l.Begin, l.End)
		if l.Begin == l.End || l.Order < 0 || l.Order > 3 {
			panic(fmt.Sprintf("molecule: Edit: bond of order %d from atom %d to %d", l.Order, l.Begin, l.End))
		}
	}
	for _, i := range atoms {
		if i < 0 || i >= n+len(e.Add) {
			panic(fmt.Sprintf("molecule: Edit: atom %d of %d", i, n+len(e.Add)))
		}
	}
	for _, number := range numbers {
		if number < 0 || number >= len(symbols) {
			panic(fmt.Sprintf("molecule: Edit: element %d", number))
		}
	}
}
