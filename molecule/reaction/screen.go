package reaction

import (
	"slices"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// screen says that a molecule cannot have a pattern, from the elements and hydrogens of its atoms alone: RDKit's search takes many times as
// long, and most molecules have few of a hundred patterns. It never says so of one that has the pattern. It holds for each atom of the
// pattern what that may be.
type screen []kinds

// kinds is a set of kinds of atoms: an element, aromatic or not, with 0 to 4 hydrogens.
type kinds [2]uint64

var anything = kinds{^uint64(0), ^uint64(0)}

// symbols are the elements that are told apart, as SMARTS write them. All others are one, after the last.
var (
	symbols = []string{"B", "C", "N", "O", "F", "P", "S", "Cl", "Br", "I"}
	numbers = []int{5, 6, 7, 8, 9, 15, 16, 17, 35, 53}
)

const mostHydrogens = 4

// add adds a kind. An element of −1 is one of the others.
func (k *kinds) add(element int, aromatic bool, hydrogens int) {
	if element < 0 {
		element = len(symbols)
	}
	i := element * 2 * (mostHydrogens + 1)
	if aromatic {
		i += mostHydrogens + 1
	}
	i += min(hydrogens, mostHydrogens)
	k[i/64] |= 1 << (i % 64)
}

func (k kinds) and(o kinds) kinds { return kinds{k[0] & o[0], k[1] & o[1]} }
func (k kinds) or(o kinds) kinds  { return kinds{k[0] | o[0], k[1] | o[1]} }

// kindsOf returns the kinds of the atoms of a molecule.
func kindsOf(m *molecule.Molecule) (all kinds) {
	for _, a := range m.Graph().Atoms {
		all.add(slices.Index(numbers, a.Number), a.Aromatic, a.Hydrogens)
	}
	return all
}

// passes reports whether a molecule with atoms of some kinds may have the pattern.
func (s screen) passes(has kinds) bool {
	for _, k := range s {
		if k.and(has) == (kinds{}) {
			return false
		}
	}
	return true
}

// newScreen returns the screen of a SMARTS as RDKit writes it, with & between the conditions of an atom. It looks at atoms in brackets.
func newScreen(smarts string) (s screen) {
	for rest := smarts; ; {
		at := strings.IndexByte(rest, '[')
		if at < 0 {
			return s
		}
		inside, after := bracket(rest[at+1:])
		if k := atom(inside); k != anything {
			s = append(s, k)
		}
		rest = after
	}
}

// bracket returns what is up to the bracket that closes, without conditions on surroundings, $(…), and what follows.
func bracket(text string) (inside, after string) {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case depth == 0 && c == ']':
			return b.String(), text[i+1:]
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

// atom returns what an atom may be.
func atom(conditions string) kinds {
	all := anything
	for clause := range strings.SplitSeq(conditions, ";") {
		var any kinds
		for alternative := range strings.SplitSeq(clause, ",") {
			both := anything
			for one := range strings.SplitSeq(alternative, "&") {
				both = both.and(primitive(one))
			}
			any = any.or(both)
		}
		all = all.and(any)
	}
	return all
}

// primitive returns what an atom may be by one condition: an element, or a number of hydrogens. Others are not known here.
func primitive(text string) (k kinds) {
	each := func(elements []int, aromatic []bool, from, to int) kinds {
		for _, e := range elements {
			for _, a := range aromatic {
				for h := from; h <= to; h++ {
					k.add(e, a, h)
				}
			}
		}
		return k
	}
	both := []bool{false, true}
	every := []int{-1}
	for i := range symbols {
		every = append(every, i)
	}
	switch i := slices.Index(symbols, text); {
	case i >= 0:
		return each([]int{i}, both[:1], 0, mostHydrogens)
	case len(text) == 1 && slices.Contains(symbols, strings.ToUpper(text)):
		return each([]int{slices.Index(symbols, strings.ToUpper(text))}, both[1:], 0, mostHydrogens)
	case len(text) == 2 && text[0] == 'H' && text[1] >= '0' && text[1] <= '4':
		return each(every, both, int(text[1]-'0'), int(text[1]-'0'))
	case strings.HasPrefix(text, "#"):
		for i, n := range []string{"#5", "#6", "#7", "#8", "#9", "#15", "#16", "#17", "#35", "#53"} {
			if n == text {
				return each([]int{i}, both, 0, mostHydrogens)
			}
		}
	}
	return anything
}
