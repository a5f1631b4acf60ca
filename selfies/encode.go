package selfies

import (
	"cmp"
	"fmt"
	"math"
)

// Encode translates a SMILES to SELFIES: the same atoms in the same order, with aromatic bonds made single and double.
//
// The error gives the byte offset at which the SMILES is invalid, has aromatic bonds that cannot be made single and
// double, violates the constraints, or has a branch or ring that is too long for SELFIES.
func Encode(smiles string) (string, error) {
	m, err := parse(smiles)
	if err != nil {
		return "", fmt.Errorf("SMILES: %w", err)
	}
	lengths, err := m.lengths()
	if err != nil {
		return "", fmt.Errorf("SMILES: %w", err)
	}
	dst := make([]byte, 0, 5*len(smiles))
	for i := range m.atoms {
		if !m.atoms[i].root {
			continue
		}
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = m.appendFragment(dst, i, lengths)
	}
	return string(dst), nil
}

// lengths returns for each atom the number of tokens of the atom and everything attached to it. The error names a
// branch or ring that is too long for the digits of the index alphabet.
func (m *molecule) lengths() ([]int, error) {
	lengths := make([]int, len(m.atoms))
	for i := len(lengths) - 1; i >= 0; i-- {
		a := &m.atoms[i]
		lengths[i] = 1
		for j, b := range a.bonds {
			index := none // the number after a branch or ring token
			switch {
			case b.ring == 0:
				lengths[i] += lengths[b.to]
				if j < len(a.bonds)-1 {
					index = lengths[b.to] - 1
				}
			case b.to < i:
				index = i - b.to - 1
			}
			if index >= 1<<(4*maxDigits) {
				return nil, fmt.Errorf("byte %d: a ring or branch of %d tokens; SELFIES allows at most %d", a.pos, index+1, 1<<(4*maxDigits))
			}
			if index != none {
				lengths[i] += 1 + digits(index)
			}
		}
	}
	return lengths, nil
}

// visit is a position in a walk along the bonds: an atom, and the index of its next bond.
type visit struct{ atom, next int }

// appendFragment appends an atom and everything attached to it.
func (m *molecule) appendFragment(dst []byte, root int, lengths []int) []byte {
	dst = m.appendToken(dst, root, bond{order: single})
	for stack := []visit{{root, 0}}; len(stack) > 0; { // a chain, its branch, the branch of that, …
		v := &stack[len(stack)-1]
		bonds := m.atoms[v.atom].bonds
		if v.next == len(bonds) {
			stack = stack[:len(stack)-1]
			continue
		}
		b := bonds[v.next]
		v.next++
		switch {
		case b.ring > 0 && b.to > v.atom: // written at the other end
		case b.ring > 0:
			left := m.bond(b.to, v.atom)
			dst = append(dst, '[')
			if left.stereo != 0 || b.stereo != 0 {
				dst = append(dst, cmp.Or(left.stereo, '-'), cmp.Or(b.stereo, '-'))
			}
			dst = appendCounting(dst, b.order, "Ring", v.atom-b.to-1)
		case v.next == len(bonds):
			dst = m.appendToken(dst, b.to, b)
			*v = visit{b.to, 0}
		default:
			dst = appendCounting(append(dst, '['), b.order, "Branch", lengths[b.to]-1)
			dst = m.appendToken(dst, b.to, b)
			stack = append(stack, visit{b.to, 0})
		}
	}
	return dst
}

// appendCounting appends the rest of a branch or ring token, and its index.
func appendCounting(dst []byte, o order, kind string, index int) []byte {
	dst = append(dst, o.String()...)
	dst = append(dst, kind...)
	dst = append(dst, byte('0'+digits(index)), ']')
	return appendIndex(dst, index)
}

// appendToken appends the token of an atom with the bond to it.
func (m *molecule) appendToken(dst []byte, i int, b bond) []byte {
	a := m.atoms[i]
	if a.chirality > 0 && m.reordered(i) {
		a.chirality = 3 - a.chirality
	}
	dst = b.appendSign(append(dst, '['))
	return append(a.append(dst), ']')
}

// reordered reports whether the decoder will write the bonds of an atom in an odd permutation of their order here,
// which would turn @ into @@: it writes rings that end at the atom first, then those that begin at it, ordered by their
// other ends.
func (m *molecule) reordered(i int) bool {
	rank := func(b bond) int {
		switch {
		case b.ring == 0:
			return math.MaxInt
		case b.to < i:
			return none
		}
		return b.to
	}
	odd := false
	for j, later := range m.atoms[i].bonds {
		for _, earlier := range m.atoms[i].bonds[:j] {
			if rank(earlier) > rank(later) {
				odd = !odd
			}
		}
	}
	return odd
}
