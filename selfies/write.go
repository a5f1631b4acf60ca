package selfies

import "strconv"

// smiles writes the molecule like the Python library: with brackets for all atoms but plain ones of organic elements, the symbol of
// a ring bond at both ends, and rings numbered in order of appearance.
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

// appendRingNumber appends a ring number. Numbers from 100 are in parentheses: the Python library, which never reuses a number,
// writes them as %100, which means another ring.
func appendRingNumber(dst []byte, n int) []byte {
	switch {
	case n < 10:
		return strconv.AppendInt(dst, int64(n), 10)
	case n < 100:
		return strconv.AppendInt(append(dst, '%'), int64(n), 10)
	}
	return append(strconv.AppendInt(append(dst, "%("...), int64(n), 10), ')')
}
