package selfies

import "strings"

// symbol is the meaning of a token.
type symbol struct {
	kind   kind
	atom   atom    // of an atom
	order  order   // of the bond to an atom or of a ring bond; the maximum for the bond to a branch
	stereo [2]byte // of the bond to an atom, or of a ring bond at both ends
	digits int     // number of digits after a branch or ring token
}

type kind int

const (
	atomKind kind = iota
	branchKind
	ringKind
	epsilonKind // ends a chain
)

// parseSymbol returns the meaning of a token, and whether the token is valid.
func parseSymbol(token string) (s symbol, ok bool) {
	text := token[1 : len(token)-1]
	if text == "" {
		return s, false
	}
	if text == "epsilon" {
		return symbol{kind: epsilonKind}, true
	}
	last := len(text) - 1
	if s.digits = int(text[last]) - '0'; s.digits >= 1 && s.digits <= maxDigits {
		if sign, ok := strings.CutSuffix(text[:last], "Branch"); ok {
			s.kind = branchKind
			s.order, ok = bondOrder(sign)
			return s, ok
		}
		if sign, ok := strings.CutSuffix(text[:last], "Ring"); ok {
			s.kind = ringKind
			if len(sign) == 2 && sign != "--" {
				left, right := signed(sign[0]), signed(sign[1])
				s.order, s.stereo = single, [2]byte{left.stereo, right.stereo}
				return s, strings.Trim(sign, `-/\`) == ""
			}
			s.order, ok = bondOrder(sign)
			return s, ok
		}
	}
	s.order = single
	switch text[0] {
	case '=', '#', '/', '\\':
		b := signed(text[0])
		s.order, s.stereo[0] = b.order, b.stereo
		text = text[1:]
	}
	s.atom, ok = selfiesAtom(text)
	return s, ok
}

// bondOrder returns the bond order before the word Branch or Ring.
func bondOrder(sign string) (o order, ok bool) {
	switch sign {
	case "":
		return single, true
	case "=":
		return double, true
	case "#":
		return triple, true
	}
	return 0, false
}
