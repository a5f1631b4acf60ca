package selfies

// molecule is a graph that remembers the string it was read from. Atoms are in the order of the string:
// each comes after the one that it is attached to, and a branch before what follows the branch.
type molecule struct {
	atoms []atom
	rings int    // ring bonds that were given a number
	spare []bond // memory for the bonds of atoms to come
}

// bond leads from an atom to one that is attached to it, or closes a ring; then it stands at both ends.
type bond struct {
	to     int // none while a ring is open
	ring   int // number of the ring bond, from 1; 0 for other bonds
	order  order
	stereo byte // '/' or '\\' as written at this end, or 0
}

type order int8

const (
	delocalized order = iota // kekulize makes it single or double
	single
	double
	triple
)

// valence returns what the bond adds to the valence of its atoms. A delocalized one is at least single.
func (o order) valence() int { return int(max(o, single)) }

// String returns the sign of a bond that kekulize is done with, in both languages.
func (o order) String() string { return [...]string{single: "", double: "=", triple: "#"}[o] }

// appendSign appends what stands before an atom or a ring number.
func (b bond) appendSign(dst []byte) []byte {
	if b.order == single && b.stereo != 0 {
		return append(dst, b.stereo)
	}
	return append(dst, b.order.String()...)
}

// add adds an atom. It begins a fragment if from is none; otherwise it is attached to from.
func (m *molecule) add(a atom, from int, b bond) int {
	const usual = 3 // bonds of an atom that need no memory of their own
	if len(m.spare) < usual {
		m.spare = make([]bond, 32*usual)
	}
	a.bonds, m.spare = m.spare[:0:usual], m.spare[usual:]
	to := len(m.atoms)
	if from == none {
		a.root = true
	} else {
		b.to = to
		a.valence = b.order.valence()
		m.atoms[from].bonds = append(m.atoms[from].bonds, b)
		m.atoms[from].valence += b.order.valence()
	}
	m.atoms = append(m.atoms, a)
	return to
}

// bond returns the bond between two atoms as it stands at the first one in the string, or nil.
func (m *molecule) bond(a, b int) *bond {
	a, b = min(a, b), max(a, b)
	bonds := m.atoms[a].bonds
	for i := range bonds {
		if bonds[i].to == b {
			return &bonds[i]
		}
	}
	return nil
}
