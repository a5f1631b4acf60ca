package selfies

import (
	"fmt"
	"slices"
	"strconv"
)

// Decode returns a SELFIES string as SMILES, under the default constraints. See Constraints.Decode.
func Decode(s string) (string, error) { return Constraints(DefaultConstraints).Decode(s) }

// Decode returns a SELFIES string as SMILES. Every sequence of tokens of an alphabet decodes, to the
// empty string if no token is an atom.
//
// The error says at which byte s is not a sequence of tokens, or which token (counted from 0) is none of
// SELFIES. As in the Python library, it is asked of a token only when its turn comes.
func (c Constraints) Decode(s string) (string, error) {
	tokens, err := Split(s)
	if err != nil {
		return "", fmt.Errorf("SELFIES: %w", err)
	}
	tokens = slices.DeleteFunc(tokens, func(token string) bool { return token == "[nop]" })
	d := derivation{constraints: c}
	d.atoms = make([]atom, 0, len(tokens))
	for len(tokens) > 0 {
		end := slices.Index(tokens, ".")
		if end < 0 {
			end = len(tokens)
		}
		if err := d.derive(tokens[:end]); err != nil {
			return "", fmt.Errorf("SELFIES: %w", err)
		}
		tokens = tokens[min(end+1, len(tokens)):]
	}
	d.closeRings()
	return d.smiles(), nil
}

// derivation applies the grammar to tokens.
type derivation struct {
	molecule
	constraints Constraints
	closures    []closure
}

// closure is a ring that is asked for.
type closure struct {
	left, right int // atoms
	order       order
	stereo      [2]byte
}

// frame is the state of a chain: of the fragment, or of a branch that is being read.
type frame struct {
	end  int // the token behind the chain
	last int // the atom that the next one is attached to, or none
	free int // the largest order of a bond that the last atom may still make in this chain
}

// derive reads one fragment.
func (d *derivation) derive(tokens []string) error {
	at := 0
	for stack := []frame{{end: len(tokens), last: none}}; len(stack) > 0; {
		f := &stack[len(stack)-1]
		if at >= min(f.end, len(tokens)) || f.last != none && f.free == 0 {
			at = max(at, f.end) // nothing more can be attached: the rest of the chain is not read
			stack = stack[:len(stack)-1]
			continue
		}
		s, ok := parseSymbol(tokens[at])
		if s.kind == atomKind {
			s.atom.constrain(d.constraints)
		}
		if !ok || s.atom.capacity < 0 {
			return fmt.Errorf("%s is not a token of SELFIES", tokens[at])
		}
		at++
		switch {
		case s.kind == atomKind && f.last == none:
			f.last, f.free = d.add(s.atom, none, bond{}), s.atom.capacity
		case s.kind == atomKind:
			b := bond{order: min(s.order, order(f.free), order(s.atom.capacity)), stereo: s.stereo[0]}
			if f.free = s.atom.capacity - int(b.order); b.order > 0 {
				f.last = d.add(s.atom, f.last, b)
			}
		case f.last == none || s.kind == branchKind && f.free == 1:
			// No room: the token says nothing, and its index is read as tokens of its own.
		case s.kind == epsilonKind:
			f.free = 0
		default:
			n := index(tokens[at:], s.digits)
			at += s.digits
			if s.kind == branchKind {
				free := min(int(s.order), f.free-1)
				f.free -= free
				stack = append(stack, frame{at + n + 1, f.last, free})
				continue
			}
			shared := min(s.order, order(f.free))
			f.free -= int(shared)
			d.closures = append(d.closures, closure{max(0, f.last-n-1), f.last, shared, s.stereo})
		}
	}
	return nil
}

// closeRings makes the ring bonds that were asked for, as far as their atoms can still make bonds. They
// come before the other bonds of an atom.
func (d *derivation) closeRings() {
	for _, c := range d.closures {
		left, right := &d.atoms[c.left], &d.atoms[c.right]
		order := min(c.order, order(left.capacity-left.valence), order(right.capacity-right.valence))
		if c.left == c.right || order <= 0 {
			continue
		}
		if b := d.bond(c.left, c.right); b != nil { // add to the bond that is there
			order = min(order, triple-b.order)
			b.order += order
			if b.ring > 0 {
				right.bonds[slices.IndexFunc(right.bonds, func(b bond) bool { return b.to == c.left })].order += order
			}
		} else {
			d.rings++
			left.insertRing(bond{c.right, d.rings, order, c.stereo[0]})
			right.insertRing(bond{c.left, d.rings, order, c.stereo[1]})
		}
		left.valence += int(order)
		right.valence += int(order)
	}
}

// insertRing inserts a ring bond behind those that are there.
func (a *atom) insertRing(b bond) {
	at := slices.IndexFunc(a.bonds, func(b bond) bool { return b.ring == 0 })
	if at < 0 {
		at = len(a.bonds)
	}
	a.bonds = slices.Insert(a.bonds, at, b)
}

// smiles writes the molecule as the Python library does: brackets for all atoms but the plain ones of
// organic elements, the sign of a ring bond at both ends, rings numbered in the order they appear.
func (d *derivation) smiles() string {
	dst := make([]byte, 0, 4*len(d.atoms))
	numbers := make([]int, d.rings+1) // of the rings that have appeared
	next := 1
	for root := range d.atoms {
		if !d.atoms[root].root {
			continue
		}
		if root > 0 {
			dst = append(dst, '.')
		}
		dst = d.appendAtom(dst, root)
		for stack := []visit{{root, 0}}; len(stack) > 0; { // a chain, its branch, the branch of that, …
			v := &stack[len(stack)-1]
			bonds := d.atoms[v.atom].bonds
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
				dst = d.appendAtom(b.appendSign(dst), b.to)
				*v = visit{b.to, 0}
			default:
				dst = d.appendAtom(b.appendSign(append(dst, '(')), b.to)
				stack = append(stack, visit{b.to, 0})
			}
		}
	}
	return string(dst)
}

// appendAtom appends an atom, in brackets unless it is plain and organic.
func (d *derivation) appendAtom(dst []byte, i int) []byte {
	a := &d.atoms[i]
	if a.hydrogens == implied {
		return append(dst, a.element...)
	}
	return append(a.append(append(dst, '[')), ']')
}

// appendRingNumber appends a ring number. In parentheses where the Python library, which never uses a
// number twice, writes what means another ring.
func appendRingNumber(dst []byte, n int) []byte {
	switch {
	case n < 10:
		return strconv.AppendInt(dst, int64(n), 10)
	case n < 100:
		return strconv.AppendInt(append(dst, '%'), int64(n), 10)
	}
	return append(strconv.AppendInt(append(dst, "%("...), int64(n), 10), ')')
}
