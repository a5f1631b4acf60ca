package selfies

import (
	"fmt"
	"slices"
)

// Decode translates a SELFIES string to SMILES. Every sequence of valid tokens decodes; without an atom, to the empty
// string.
//
// The error gives the byte offset at which s is not a sequence of tokens, or the token that is invalid, for example
// because it has more hydrogens than the constraints allow. As in the Python library, tokens that are read as an index
// or that follow the end of their chain are not checked.
func Decode(s string) (string, error) {
	tokens, err := Split(s)
	if err != nil {
		return "", fmt.Errorf("SELFIES: %w", err)
	}
	tokens = slices.DeleteFunc(tokens, func(token string) bool { return token == "[nop]" })
	d := derivation{molecule: molecule{atoms: make([]atom, 0, len(tokens))}}
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
	closures []closure
}

// closure is a ring to be closed.
type closure struct {
	left, right int     // atoms
	bonds       int     // at most this many
	stereo      [2]byte // at both ends
}

// frame is the state of a chain: the fragment, or a branch of it.
type frame struct {
	end  int // the token after the chain
	last int // the atom that the next one is attached to, or none
	free int // number of bonds that the last atom can still make in this chain
}

// derive reads one fragment.
func (d *derivation) derive(tokens []string) error {
	at := 0
	for stack := []frame{{end: len(tokens), last: none}}; len(stack) > 0; {
		f := &stack[len(stack)-1]
		if at >= min(f.end, len(tokens)) || f.last != none && f.free == 0 {
			at = max(at, f.end) // no further atom can be attached: skip the rest of the chain
			stack = stack[:len(stack)-1]
			continue
		}
		s, ok := parseSymbol(tokens[at])
		if s.kind == atomKind {
			s.atom.constrain()
		}
		if !ok || s.atom.capacity < 0 {
			return fmt.Errorf("%s is not a SELFIES token under the constraints", tokens[at])
		}
		at++
		switch {
		case s.kind == atomKind && f.last == none:
			f.last, f.free = d.add(s.atom, none, bond{}), s.atom.capacity
		case s.kind == atomKind:
			bonds := min(int(s.order), f.free, s.atom.capacity)
			if f.free = s.atom.capacity - bonds; bonds > 0 {
				f.last = d.add(s.atom, f.last, bond{order: order(bonds), stereo: s.stereo[0]})
			}
		case f.last == none || s.kind == branchKind && f.free == 1:
			// No free bond: the token is ignored, and its index is read as ordinary tokens.
		case s.kind == epsilonKind:
			f.free = 0
		default:
			n := index(tokens[at:], s.digits)
			at += s.digits
			if s.kind == branchKind {
				bonds := min(int(s.order), f.free-1)
				f.free -= bonds
				stack = append(stack, frame{at + n + 1, f.last, bonds})
			} else {
				bonds := min(int(s.order), f.free)
				f.free -= bonds
				d.closures = append(d.closures, closure{max(0, f.last-n-1), f.last, bonds, s.stereo})
			}
		}
	}
	return nil
}

// closeRings adds the ring bonds, as far as their atoms have free bonds left. Ring bonds precede the other bonds of an atom.
func (d *derivation) closeRings() {
	for _, c := range d.closures {
		left, right := &d.atoms[c.left], &d.atoms[c.right]
		bonds := min(c.bonds, left.capacity-left.valence, right.capacity-right.valence)
		if c.left == c.right || bonds <= 0 {
			continue
		}
		if b := d.bond(c.left, c.right); b != nil { // increase its order
			bonds = min(bonds, int(triple-b.order))
			b.order += order(bonds)
			if b.ring > 0 {
				other := slices.IndexFunc(right.bonds, func(b bond) bool { return b.to == c.left })
				right.bonds[other].order = b.order
			}
		} else {
			d.rings++
			left.insertRing(bond{c.right, d.rings, order(bonds), c.stereo[0]})
			right.insertRing(bond{c.left, d.rings, order(bonds), c.stereo[1]})
		}
		left.valence += bonds
		right.valence += bonds
	}
}

// insertRing inserts a ring bond after the existing ones.
func (a *atom) insertRing(b bond) {
	at := slices.IndexFunc(a.bonds, func(b bond) bool { return b.ring == 0 })
	if at < 0 {
		at = len(a.bonds)
	}
	a.bonds = slices.Insert(a.bonds, at, b)
}
