package selfies

import (
	"strconv"
	"strings"
)

// atom is an atom as written in SMILES or SELFIES, with its place and bonds in a molecule.
type atom struct {
	element   string
	isotope   int // none if not given
	charge    int
	hydrogens int8 // implied if written without brackets; all other fields are then absent
	chirality int8 // number of @ signs, 0 to 2
	aromatic  bool // written in lower case

	root     bool   // begins a fragment
	pos      int    // byte in the SMILES
	capacity int    // number of bonds that its constraint allows, less its hydrogens
	valence  int    // number of its bonds; a delocalized bond counts as single
	bonds    []bond // in the order they are written
}

const (
	none    = -1 // no atom, no isotope
	implied = -1 // hydrogens fill the usual valence
)

// constrain sets the capacity, which is negative if there are too many hydrogens.
func (a *atom) constrain() {
	a.capacity = maxBonds(a.element, a.charge) - int(max(0, a.hydrogens))
}

// append appends the atom in the notation of both languages, in upper case and without brackets.
func (a *atom) append(dst []byte) []byte {
	if a.isotope != none {
		dst = strconv.AppendInt(dst, int64(a.isotope), 10)
	}
	dst = append(dst, a.element...)
	dst = append(dst, "@@"[:a.chirality]...)
	plain := a.isotope == none && a.chirality == 0 && a.charge == 0
	if a.hydrogens > 0 || a.hydrogens == 0 && plain && organic(a.element) {
		dst = append(dst, 'H')
		dst = strconv.AppendInt(dst, int64(a.hydrogens), 10)
	}
	if a.charge > 0 {
		dst = append(dst, '+')
	}
	if a.charge != 0 {
		dst = strconv.AppendInt(dst, int64(a.charge), 10)
	}
	return dst
}

// organicAtom returns the atom at the beginning of s, if it is of the organic subset of SMILES that needs no brackets,
// and its length in bytes.
func organicAtom(s string) (a atom, length int, ok bool) {
	a = atom{isotope: none, hydrogens: implied}
	if strings.HasPrefix(s, "Br") || strings.HasPrefix(s, "Cl") {
		a.element = s[:2]
		return a, 2, true
	}
	switch s[0] {
	case 'B', 'C', 'N', 'O', 'P', 'S', 'F', 'I':
		a.element = s[:1]
	case 'b', 'c', 'n', 'o', 'p', 's':
		a.element, a.aromatic = upper(s[:1]), true
	default:
		return a, 0, false
	}
	return a, 1, true
}

// bracketAtom parses the text between the brackets of a SMILES atom: isotope, element, @ signs, hydrogens, charge and
// class. All but the element are optional; the class is dropped.
func bracketAtom(s string) (a atom, ok bool) {
	c := cursor{s}
	a.isotope = c.number(mostDigits, none)
	if a.element = c.element(); a.element == "" {
		return a, false
	}
	written := a.element
	a.element = upper(written)
	_, higher := aromaticValences(a.element)
	a.aromatic = a.element != written && higher > 0
	a.chirality = c.chirality()
	if c.skip('H') {
		a.hydrogens = int8(c.number(1, 1))
	}
	switch {
	case c.skip('+'):
		a.charge = c.charge('+')
	case c.skip('-'):
		a.charge = -c.charge('-')
	}
	if c.skip(':') && c.number(mostDigits, none) == none {
		return a, false
	}
	return a, c.s == "" && isElement(a.element)
}

// selfiesAtom parses an atom token without brackets and bond, for which there are fewer spellings than in SMILES.
func selfiesAtom(s string) (a atom, ok bool) {
	if organic(s) {
		return atom{element: s, isotope: none, hydrogens: implied}, true
	}
	c := cursor{s}
	a.isotope = c.number(mostDigits, none)
	a.element = c.element()
	a.chirality = c.chirality()
	if c.skip('H') {
		a.hydrogens = int8(c.number(1, none))
	}
	if c.s != "" {
		sign := c.s[0]
		if !c.skip('+') && !c.skip('-') {
			return a, false
		}
		if a.charge = c.number(mostDigits, 0); a.charge == 0 {
			return a, false
		}
		if sign == '-' {
			a.charge = -a.charge
		}
	}
	return a, c.s == "" && isElement(a.element) && a.hydrogens != none
}

// cursor reads the text of an atom from left to right.
type cursor struct{ s string }

const mostDigits = 9 // of an isotope, a charge, a class or a ring number

// skip consumes b if it comes next, and reports whether it did.
func (c *cursor) skip(b byte) bool {
	if c.s == "" || c.s[0] != b {
		return false
	}
	c.s = c.s[1:]
	return true
}

// number reads a number of at most that many digits; it returns missing if there is none.
func (c *cursor) number(digits, missing int) int {
	length := 0
	for length < min(digits, len(c.s)) && isDigit(c.s[length]) {
		length++
	}
	n, err := strconv.Atoi(c.s[:length])
	if err != nil {
		return missing
	}
	c.s = c.s[length:]
	return n
}

// charge reads the magnitude of a charge after its first sign: a number, or further signs.
func (c *cursor) charge(sign byte) int {
	if n := c.number(mostDigits, none); n != none {
		return n
	}
	n := 1
	for c.skip(sign) {
		n++
	}
	return n
}

// element reads one letter and an optional lower-case letter.
func (c *cursor) element() string {
	if c.s == "" || !isLetter(c.s[0]) {
		return ""
	}
	length := 1
	if len(c.s) > 1 && c.s[1] >= 'a' && c.s[1] <= 'z' {
		length = 2
	}
	element := c.s[:length]
	c.s = c.s[length:]
	return element
}

// chirality reads up to two @ signs.
func (c *cursor) chirality() (n int8) {
	for n < 2 && c.skip('@') {
		n++
	}
	return n
}

func isDigit(b byte) bool  { return b >= '0' && b <= '9' }
func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
