package molecule

import "fmt"

// An Edit changes a molecule. Atoms are numbered as in Graph; new atoms follow. Atoms are added and changed first, then bonds;
// last, atoms are removed with their bonds.
//
// Atoms that are changed, or whose bonds are, get as many hydrogens as their valence allows, and lose their stereochemistry.
// Aromatic bonds are replaced by single and double bonds first, as by Kekule.
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
// The error is an *InvalidError.
func (m *Molecule) Kekule() (*Molecule, error) {
	defer m.lock()()
	return made(m.ref.kekule())
}

// KekuleGraph returns the Graph of the Kekule form of a canonical SMILES, in less than half the time of Parse and Kekule. It has no
// hybridizations and conjugated bonds unless the molecule has configurations. Errors are those of Parse.
func KekuleGraph(smiles string) (Graph, error) {
	if smiles != "" && unreadable(smiles) == "" && Available() == nil {
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

// Merge returns a molecule of two unconnected parts, the atoms of a followed by those of b, without aromatic bonds. The
// error is an *InvalidError.
func Merge(a, b *Molecule) (*Molecule, error) {
	b, err := b.Kekule() // a copy, which no other goroutine locks
	if err != nil {
		return nil, err
	}
	defer b.Close()
	defer a.lock()()
	return made(a.ref.merge(b.ref))
}

// made returns the molecule that RDKit made, or an InvalidError if it threw an exception.
func made(ref molRef, err error) (*Molecule, error) {
	if err != nil {
		return nil, &InvalidError{Kind: "Exception", Reason: err.Error()}
	}
	return newMolecule(ref), nil
}

// Edit returns the edited molecule, parsed from its SMILES, which renumbers the atoms. The error is an *InvalidError if the
// result is not a valid molecule. Edit panics if e names an atom, an element or an order that does not exist.
func (m *Molecule) Edit(e Edit) (*Molecule, error) {
	e.check(len(m.Graph().Atoms))
	smiles, kind, reason := m.edited(e)
	if reason != "" {
		return nil, &InvalidError{Kind: kind, Reason: reason}
	}
	return Parse(smiles)
}

func (m *Molecule) edited(e Edit) (smiles, kind, reason string) {
	defer m.lock()()
	return m.ref.edit(e)
}

// check panics unless e can be applied to a molecule of n atoms.
func (e Edit) check(n int) {
	n += len(e.Add)
	atom := func(i int) {
		if i < 0 || i >= n {
			panic(fmt.Sprintf("molecule: Edit: atom %d of %d", i, n))
		}
	}
	element := func(number int) {
		if number < 0 || number > 118 {
			panic(fmt.Sprintf("molecule: Edit: element %d", number))
		}
	}
	for _, number := range e.Add {
		element(number)
	}
	for _, c := range e.Change {
		atom(c.Atom)
		element(c.Number)
	}
	for _, l := range e.Link {
		atom(l.Begin)
		atom(l.End)
		if l.Begin == l.End || l.Order < 0 || l.Order > 3 {
			panic(fmt.Sprintf("molecule: Edit: bond of order %d from atom %d to %d", l.Order, l.Begin, l.End))
		}
	}
	for _, i := range e.Remove {
		atom(i)
	}
}
