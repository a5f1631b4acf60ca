package selfies

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Split returns the tokens of a SELFIES string: bracketed text, brackets included, and dots.
//
// It does not check that tokens have a meaning. The error gives the byte offset of anything else.
func Split(s string) ([]string, error) {
	tokens := make([]string, 0, strings.Count(s, "[")+strings.Count(s, "."))
	for at := 0; at < len(s); {
		end := at + 1
		switch s[at] {
		case '.':
		case '[':
			for end < len(s) && s[end] != ']' && s[end] != '[' && s[end] != '.' {
				end++
			}
			if end == len(s) || s[end] != ']' {
				return nil, fmt.Errorf("byte %d: a token is not closed: [ without ]", at)
			}
			end++
		default:
			return nil, fmt.Errorf("byte %d: found %s, expected a token in brackets or a dot", at, firstRune(s[at:]))
		}
		tokens = append(tokens, s[at:end])
		at = end
	}
	return tokens, nil
}

// DefaultAlphabet returns the 95 tokens of the paper's SELFIES VAE, sorted by code point. LOL-BO and CoBO use the same list,
// which was made from the molecules of GuacaMol.
func DefaultAlphabet() []string {
	return strings.Fields(`
		[#Branch1] [#Branch2] [#C-1] [#C] [#N+1] [#N] [#O+1] [=B] [=Branch1] [=Branch2] [=C-1] [=C] [=N+1]
		[=N-1] [=NH1+1] [=NH2+1] [=N] [=O+1] [=OH1+1] [=O] [=PH1] [=P] [=Ring1] [=Ring2] [=S+1] [=SH1] [=S]
		[=Se+1] [=Se] [=Si] [B-1] [BH0] [BH1-1] [BH2-1] [BH3-1] [B] [Br+2] [Br-1] [Br] [Branch1] [Branch2]
		[C+1] [C-1] [CH1+1] [CH1-1] [CH1] [CH2+1] [CH2] [C] [Cl+1] [Cl+2] [Cl+3] [Cl-1] [Cl] [F+1] [F-1]
		[F] [H] [I+1] [I+2] [I+3] [I] [N+1] [N-1] [NH0] [NH1+1] [NH1-1] [NH1] [NH2+1] [NH3+1] [N] [O+1]
		[O-1] [OH0] [O] [P+1] [PH1] [PH2+1] [P] [Ring1] [Ring2] [S+1] [S-1] [SH1] [S] [Se+1] [Se-1] [SeH1]
		[SeH2] [Se] [Si-1] [SiH1-1] [SiH1] [SiH2] [Si]`)
}

// indexAlphabet holds the tokens that stand for base-16 digits after a branch or ring token.
var indexAlphabet = [16]string{
	"[C]", "[Ring1]", "[Ring2]", "[Branch1]", "[=Branch1]", "[#Branch1]", "[Branch2]", "[=Branch2]",
	"[#Branch2]", "[O]", "[N]", "[=N]", "[=C]", "[#C]", "[S]", "[P]",
}

// maxDigits is the largest number of digits after a branch or ring token.
const maxDigits = 3

// digits returns how many digits n has.
func digits(n int) int { return max(1, (bits.Len(uint(n))+3)/4) }

// appendIndex appends n in the index alphabet, the most significant digit first.
func appendIndex(dst []byte, n int) []byte {
	for d := digits(n) - 1; d >= 0; d-- {
		dst = append(dst, indexAlphabet[n>>(4*d)&15]...)
	}
	return dst
}

// index returns the number that the first tokens denote in the index alphabet. Tokens that are not digits, and missing
// tokens, count as 0.
func index(tokens []string, digits int) int {
	n := 0
	for i := range digits {
		n <<= 4
		if i < len(tokens) {
			n += max(0, slices.Index(indexAlphabet[:], tokens[i]))
		}
	}
	return n
}

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
			s.order, ok = bondOrders[sign]
			return s, ok
		}
		if sign, ok := strings.CutSuffix(text[:last], "Ring"); ok {
			s.kind = ringKind
			if len(sign) == 2 && sign != "--" {
				left, right := signed[sign[0]], signed[sign[1]]
				s.order, s.stereo = single, [2]byte{left.stereo, right.stereo}
				return s, strings.Trim(sign, `-/\`) == ""
			}
			s.order, ok = bondOrders[sign]
			return s, ok
		}
	}
	s.order = single
	switch text[0] {
	case '=', '#', '/', '\\':
		b := signed[text[0]]
		s.order, s.stereo[0] = b.order, b.stereo
		text = text[1:]
	}
	s.atom, ok = selfiesAtom(text)
	return s, ok
}

// bondOrders are the orders before the word Branch or Ring.
var bondOrders = map[string]order{"": single, "=": double, "#": triple}
