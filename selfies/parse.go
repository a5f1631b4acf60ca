package selfies

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parser reads SMILES (OpenSMILES specification) from left to right.
type parser struct {
	molecule
	smiles string

	at          int             // the next byte
	last        int             // the atom that the next one is attached to, or none
	begun       bool            // whether the chain has an atom
	branches    []branch        // open branches
	open        map[int]ringEnd // open rings, by their number in the SMILES
	delocalized [][2]int        // delocalized bonds, in the order they were made
}

type branch struct{ atom, pos int }

// ringEnd is the first half of a ring bond.
type ringEnd struct {
	atom, slot int // the bond's index at the atom
	sign       byte
	pos        int
}

// maxSMILES bounds time and memory for input that is not SMILES. It is large enough for proteins.
const maxSMILES = 1 << 20

// parse parses a molecule and kekulizes it.
func parse(smiles string) (*molecule, error) {
	if len(smiles) > maxSMILES {
		return nil, fmt.Errorf("%d bytes; the limit is %d", len(smiles), maxSMILES)
	}
	p := parser{smiles: smiles, last: none, open: make(map[int]ringEnd)}
	for p.at < len(smiles) {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	if err := p.endFragment(); err != nil {
		return nil, err
	}
	if err := p.kekulize(p.delocalized); err != nil {
		return nil, err
	}
	for i := range p.atoms {
		if err := p.checkValence(i); err != nil {
			return nil, err
		}
	}
	return &p.molecule, nil
}

// step reads an atom or a ring number with the bond before it, a parenthesis, or a dot.
func (p *parser) step() error {
	pos := p.at
	sign := p.sign()
	if p.at == len(p.smiles) {
		return fmt.Errorf("byte %d: a bond without a second atom", pos)
	}
	switch c := p.smiles[p.at]; {
	case c == '[' || isLetter(c):
		return p.atom(sign)
	case isDigit(c) || c == '%':
		return p.ring(sign)
	case sign != 0:
		return fmt.Errorf("byte %d: a bond without a second atom", pos)
	case c == '(':
		if !p.begun {
			return fmt.Errorf("byte %d: a branch with no atom before it", pos)
		}
		p.branches = append(p.branches, branch{p.last, pos})
		p.begun = false
	case c == ')':
		if !p.begun || len(p.branches) == 0 {
			return fmt.Errorf("byte %d: a parenthesis closes an empty branch, or none", pos)
		}
		p.last = p.branches[len(p.branches)-1].atom
		p.branches = p.branches[:len(p.branches)-1]
	case c == '.':
		if err := p.endFragment(); err != nil {
			return err
		}
		p.last, p.begun = none, false
	default:
		return fmt.Errorf("byte %d: found %s, expected an atom, a bond, a ring number, a parenthesis or a dot", pos, firstRune(p.smiles[pos:]))
	}
	p.at++
	return nil
}

// sign reads the symbol of a bond; it returns 0 if there is none.
func (p *parser) sign() byte {
	switch c := p.smiles[p.at]; c {
	case '-', '=', '#', ':', '/', '\\':
		p.at++
		return c
	}
	return 0
}

// signed holds the bonds of all symbols; 0 is that of none.
var signed = [256]bond{
	0: {order: single}, '-': {order: single}, '=': {order: double}, '#': {order: triple}, ':': {order: delocalized},
	'/': {order: single, stereo: '/'}, '\\': {order: single, stereo: '\\'},
}

// atom reads an atom and attaches it to the last one.
func (p *parser) atom(sign byte) error {
	pos, rest := p.at, p.smiles[p.at:]
	var a atom
	var length int
	var ok bool
	if rest[0] == '[' {
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return fmt.Errorf("byte %d: an atom is not closed: [ without ]", pos)
		}
		length = end + 1
		a, ok = bracketAtom(rest[1:end])
	} else {
		a, length, ok = organicAtom(rest)
	}
	if !ok {
		return fmt.Errorf("byte %d: %.20q is not an atom", pos, rest[:max(1, length)])
	}
	a.pos = pos
	a.constrain()
	b := signed[sign]
	if sign == 0 && a.aromatic && p.last != none && p.atoms[p.last].aromatic {
		b.order = delocalized
	}
	from := p.last
	p.last, p.begun, p.at = p.add(a, from, b), true, pos+length
	if from == none {
		return nil // a bond symbol before the first atom has no meaning
	}
	if b.order == delocalized {
		p.delocalized = append(p.delocalized, [2]int{from, p.last})
	}
	return p.checkValence(from)
}

// ring reads a ring number: it opens a ring at the last atom, or closes the open ring of that number.
func (p *parser) ring(sign byte) error {
	pos := p.at
	number, err := p.ringNumber()
	if err != nil {
		return err
	}
	if !p.begun {
		return fmt.Errorf("byte %d: a ring number with no atom before it", pos)
	}
	left, ok := p.open[number]
	if !ok {
		p.rings++
		at := &p.atoms[p.last]
		p.open[number] = ringEnd{p.last, len(at.bonds), sign, pos}
		at.bonds = append(at.bonds, bond{to: none, ring: p.rings})
		return nil
	}
	delete(p.open, number)
	if left.atom == p.last || p.bond(left.atom, p.last) != nil {
		return fmt.Errorf("byte %d: a ring bond between atoms that are bonded already, or from an atom to itself", pos)
	}
	b := signed[cmp.Or(left.sign, sign)]
	if left.sign != sign && left.sign != 0 && sign != 0 && (b.stereo == 0 || signed[sign].stereo == 0) {
		return fmt.Errorf("byte %d: the ring bond is %q here and %q at byte %d", pos, sign, left.sign, left.pos)
	}
	if left.sign == 0 && sign == 0 && p.atoms[left.atom].aromatic && p.atoms[p.last].aromatic {
		b.order = delocalized
	}
	if b.order == delocalized {
		p.delocalized = append(p.delocalized, [2]int{left.atom, p.last})
	}
	from, to := &p.atoms[left.atom], &p.atoms[p.last]
	opened := &from.bonds[left.slot]
	*opened = bond{p.last, opened.ring, b.order, signed[left.sign].stereo}
	to.bonds = append(to.bonds, bond{left.atom, opened.ring, b.order, signed[sign].stereo})
	from.valence += b.order.valence()
	to.valence += b.order.valence()
	return cmp.Or(p.checkValence(left.atom), p.checkValence(p.last))
}

// ringNumber reads a digit, % and two digits, or % and a number in parentheses.
func (p *parser) ringNumber() (int, error) {
	c := cursor{p.smiles[p.at:]}
	number := none
	if !c.skip('%') {
		number = c.number(1, none)
	} else if c.skip('(') {
		if number = c.number(mostDigits, none); !c.skip(')') {
			number = none
		}
	} else if len(c.s) >= 2 && isDigit(c.s[0]) && isDigit(c.s[1]) {
		number = c.number(2, none)
	}
	if number == none {
		return none, fmt.Errorf("byte %d: %% without a ring number: two digits, or digits in parentheses", p.at)
	}
	p.at = len(p.smiles) - len(c.s)
	return number, nil
}

// endFragment checks that no branch or ring is open.
func (p *parser) endFragment() error {
	if len(p.atoms) == 0 {
		return errors.New("byte 0: no atom")
	}
	if len(p.branches) > 0 {
		return fmt.Errorf("byte %d: a branch is not closed: ( without )", p.branches[len(p.branches)-1].pos)
	}
	if len(p.open) > 0 {
		first := len(p.smiles)
		for _, left := range p.open {
			first = min(first, left.pos)
		}
		return fmt.Errorf("byte %d: a ring is not closed before the end of its fragment", first)
	}
	return nil
}

// checkValence returns an error if an atom has more bonds than its constraint allows.
func (m *molecule) checkValence(i int) error {
	a := &m.atoms[i]
	if a.valence <= a.capacity {
		return nil
	}
	if a.capacity < 0 {
		return fmt.Errorf("byte %d: %s has more hydrogens than it can bond to", a.pos, a.append(nil))
	}
	return fmt.Errorf("byte %d: %s has at least %d bonds; at most %d are allowed", a.pos, a.append(nil), a.valence, a.capacity)
}

// firstRune quotes the first character of s.
func firstRune(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strconv.Quote(s[:size])
}
