package selfies

import "strconv"

// molecule is a graph whose atoms are in the order of the string it was parsed from: each atom comes after the one it is
// attached to, and a branch before the rest of its chain.
type molecule struct {
	atoms []atom
	rings int // number of ring bonds
}

// bond leads from an atom to an attached one, or closes a ring and is then stored at both ends.
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

// valence returns the contribution of the bond to the valence of its atoms. A delocalized bond counts as single.
func (o order) valence() int { return int(max(o, single)) }

// String returns the symbol of a kekulized bond, in both languages.
func (o order) String() string { return [...]string{single: "", double: "=", triple: "#"}[o] }

// appendSign appends the symbol of a bond, as written before an atom or a ring number.
func (b bond) appendSign(dst []byte) []byte {
	if b.order == single && b.stereo != 0 {
		return append(dst, b.stereo)
	}
	return append(dst, b.order.String()...)
}

// add adds an atom. It begins a fragment if from is none, and is attached to from otherwise.
func (m *molecule) add(a atom, from int, b bond) int {
	a.bonds = make([]bond, 0, 3)
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

// bond returns the bond between two atoms as stored at the one that comes first in the string, or nil.
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

// smiles writes the molecule like the Python library: with brackets for all atoms but plain ones of organic elements,
// the symbol of a ring bond at both ends, and rings numbered in order of appearance.
func (m *molecule) smiles() string {
	dst := make([]byte, 0, 4*len(m.atoms))
	numbers := make([]int, m.rings+1) // numbers of the rings so far
	next := 1
	for root := range m.atoms {
		if !m.atoms[root].root {
			continue
		}
		if root > 0 {
			dst = append(dst, '.')
		}
		dst = m.atoms[root].appendSMILES(dst)
		for stack := []visit{{root, 0}}; len(stack) > 0; { // a chain, its branch, the branch of that, …
			v := &stack[len(stack)-1]
			bonds := m.atoms[v.atom].bonds
			if v.next == len(bonds) {
				if stack = stack[:len(stack)-1]; len(stack) > 0 {
					dst = append(dst, ')')
				}
				continue
			}
			b := bonds[v.next]
			v.next++
			switch {
			case b.ring > 0:
				if numbers[b.ring] == 0 {
					numbers[b.ring] = next
					next++
				}
				dst = appendRingNumber(b.appendSign(dst), numbers[b.ring])
			case v.next == len(bonds):
				dst = m.atoms[b.to].appendSMILES(b.appendSign(dst))
				*v = visit{b.to, 0}
			default:
				dst = m.atoms[b.to].appendSMILES(b.appendSign(append(dst, '(')))
				stack = append(stack, visit{b.to, 0})
			}
		}
	}
	return string(dst)
}

// appendSMILES appends the atom, in brackets unless it is plain and organic.
func (a *atom) appendSMILES(dst []byte) []byte {
	if a.hydrogens == implied {
		return append(dst, a.element...)
	}
	return append(a.append(append(dst, '[')), ']')
}

// appendRingNumber appends a ring number. Numbers from 100 are in parentheses: the Python library, which never reuses a
// number, writes them as %100, which means another ring.
func appendRingNumber(dst []byte, n int) []byte {
	switch {
	case n < 10:
		return strconv.AppendInt(dst, int64(n), 10)
	case n < 100:
		return strconv.AppendInt(append(dst, '%'), int64(n), 10)
	}
	return append(strconv.AppendInt(append(dst, "%("...), int64(n), 10), ')')
}
