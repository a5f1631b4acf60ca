package molecule

import "fmt"

// An Edit changes a molecule. Its atoms are those of Graph; new ones are numbered after them. First atoms are
// added and changed, then bonds, and at the end atoms are removed with their bonds.
//
// An atom that is changed, or whose bonds are, gets the hydrogens that its valence leaves room for and has no
// configuration any more. Aromatic bonds count as the single and double ones of Kekule.
type Edit struct {
	Add    []int     // atomic numbers of new atoms: 0 (any atom, *) to 118
	Change []Element // atoms that become another element; charges stay
	Link   []Link    // bonds made, changed or cut
	Remove []int     // atoms
}

// An Element says what an atom becomes.
type Element struct{ Atom, Number int }

// A Link says what the bond between two atoms becomes. Order is 1, 2 or 3, or 0 for none.
type Link struct{ Begin, End, Order int }

// Kekule returns the molecule with single and double bonds in place of aromatic ones, as Graph and patterns see it.
// The error is an *InvalidError.
func (m *Molecule) Kekule() (*Molecule, error) {
	defer m.lock()()
	return made(m.ref.kekule())
}

// Merge returns the atoms of a and after them those of b as one molecule of two parts, without aromatic bonds. The
// error is an *InvalidError.
func Merge(a, b *Molecule) (*Molecule, error) {
	b, err := b.Kekule() // a copy: nobody else locks it
	if err != nil {
		return nil, err
	}
	defer b.Close()
	defer a.lock()()
	return made(a.ref.merge(b.ref))
}

// made returns what RDKit made of a molecule, or an InvalidError if it threw an exception.
func made(ref molRef, err error) (*Molecule, error) {
	if err != nil {
		return nil, &InvalidError{Kind: "Exception", Reason: err.Error()}
	}
	return newMolecule(ref), nil
}

// Edit returns what m becomes, as read back from its SMILES: its atoms are numbered anew. The error is an
// *InvalidError if that is no molecule. Edit panics if e names an atom, an element or an order that
// there is not.
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

// check panics unless e can be made to a molecule of n atoms.
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
