package molecule

import (
	"encoding/binary"
	"slices"
	"strings"
)

// Family returns a label of 8 bytes that the canonical SMILES of a molecule shares with those of its stereoisomers, and
// of its tautomers and charged forms that differ in where hydrogens are at atoms other than carbon. It is of the
// elements, the bonds whatever their order, the hydrogens of each carbon, and the number of all other hydrogens less
// the charge. Keto and enol forms differ. It needs no RDKit, and gives any text some label. Unlike molecules may share
// one in rare cases: labels of neighborhoods (Weisfeiler and Leman 1968) tell nearly all graphs apart.
func Family(canonical string) string {
	s := skeleton{smiles: canonical}
	s.read()
	return s.family()
}

// skeleton is a molecule by its heavy atoms.
type skeleton struct {
	smiles string
	atoms  []site
	bonds  []Bond // without their orders, which atoms sum

	previous int // atom that the next one is bonded to; −1: none
	order    int // of the bond to it; 0: as the atoms have it
	branches []int
	rings    map[string]opening
}

// site is an atom of a skeleton.
type site struct {
	symbol    string // with the isotope, if given; in lower case if aromatic
	bracket   bool
	hydrogens int // in the brackets
	charge    int
	orders    int // sum of the orders of bonds, aromatic ones 1
}

// opening is where a ring bond begins.
type opening struct {
	atom, order int
}

// read reads atoms and bonds.
func (s *skeleton) read() {
	s.previous, s.rings = -1, map[string]opening{}
	rest := s.smiles
	for rest != "" {
		size := 1
		switch c := rest[0]; c {
		case '(':
			s.branches = append(s.branches, s.previous)
		case ')':
			if n := len(s.branches); n > 0 {
				s.previous, s.branches = s.branches[n-1], s.branches[:n-1]
			}
		case '.':
			s.previous = -1
		case '-', '/', '\\', ':', '~', '<', '>':
			s.order = 1
		case '=':
			s.order = 2
		case '#':
			s.order = 3
		case '$':
			s.order = 4
		case '%':
			size = min(3, len(rest))
			s.ring(rest[1:size])
		case '[':
			if size = strings.IndexByte(rest, ']') + 1; size == 0 {
				return
			}
			s.add(inBrackets(rest[1 : size-1]))
		default:
			if c >= '0' && c <= '9' {
				s.ring(rest[:1])
				break
			}
			if strings.HasPrefix(rest, "Cl") || strings.HasPrefix(rest, "Br") {
				size = 2
			}
			s.add(site{symbol: rest[:size]})
		}
		rest = rest[size:]
	}
}

// inBrackets reads an atom such as 13C@@H or NH3+.
func inBrackets(text string) site {
	isotope := len(text) - len(strings.TrimLeft(text, "0123456789"))
	end := min(isotope+1, len(text))
	if end < len(text) && text[end] >= 'a' && text[end] <= 'z' {
		end++
	}
	a := site{symbol: text[:end], bracket: true}
	for i := end; i < len(text); i++ {
		number := func() int { // that follows, or 1
			if i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
				return int(text[i+1] - '0')
			}
			return 1
		}
		switch text[i] {
		case 'H':
			a.hydrogens += number()
		case '+':
			a.charge += number()
		case '-':
			a.charge -= number()
		}
	}
	return a
}

func (s *skeleton) add(a site) {
	s.atoms = append(s.atoms, a)
	if n := len(s.atoms) - 1; s.previous >= 0 {
		s.bond(s.previous, n, s.order)
	}
	s.previous, s.order = len(s.atoms)-1, 0
}

func (s *skeleton) bond(i, j, order int) {
	s.bonds = append(s.bonds, Bond{Begin: i, End: j})
	order = max(order, 1)
	s.atoms[i].orders += order
	s.atoms[j].orders += order
}

// ring opens or closes a ring bond.
func (s *skeleton) ring(number string) {
	from, ok := s.rings[number]
	if !ok {
		s.rings[number] = opening{s.previous, s.order}
	} else {
		delete(s.rings, number)
		if from.atom >= 0 && s.previous >= 0 {
			s.bond(from.atom, s.previous, max(from.order, s.order))
		}
	}
	s.order = 0
}

// valences are those that atoms without brackets are filled up to with hydrogens.
var valences = map[string][]int{"B": {3}, "C": {4}, "N": {3, 5}, "O": {2}, "P": {3, 5}, "S": {2, 4, 6}, "F": {1}, "Cl": {1}, "Br": {1}, "I": {1}}

// count returns the hydrogens of an atom.
func (a site) count() int {
	switch {
	case a.bracket:
		return a.hydrogens
	case a.symbol == "c":
		return max(0, 3-a.orders) // of aromatic bonds one is double
	}
	for _, v := range valences[a.symbol] {
		if v >= a.orders {
			return v - a.orders
		}
	}
	return 0 // among them aromatic atoms, whose hydrogens are in brackets
}

// family returns a label of the graph: atoms are told apart by how far others are, and by their neighbors, and these by
// theirs.
func (s *skeleton) family() string {
	mobile, n := 0, len(s.atoms)
	labels, next := make([]uint64, n), make([]uint64, n)
	graph := Graph{Atoms: make([]Atom, n), Bonds: s.bonds}
	around, at := graph.Neighbours(), make([]int, n)
	for i, distances := range graph.distances() {
		a := s.atoms[i]
		l := hash([]byte(strings.ToUpper(a.symbol)))
		if strings.TrimLeft(a.symbol, "0123456789c") == "" || strings.TrimLeft(a.symbol, "0123456789C") == "" {
			l = blend(l, uint64(a.count()))
			mobile -= a.charge
		} else {
			mobile += a.count() - a.charge
		}
		clear(at)
		for _, d := range distances {
			if d >= 0 {
				at[d]++
			}
		}
		for _, atoms := range at {
			l = blend(l, uint64(atoms))
		}
		labels[i] = l
	}
	beside := make([]uint64, 0, 8)
	const rounds = 6
	for range rounds {
		for i, l := range labels {
			beside = beside[:0]
			for _, neighbour := range around[i] {
				beside = append(beside, labels[neighbour.Atom])
			}
			slices.Sort(beside)
			for _, other := range beside {
				l = blend(l, other)
			}
			next[i] = l
		}
		labels, next = next, labels
	}
	slices.Sort(labels)
	whole := uint64(int64(mobile))
	for _, l := range labels {
		whole = blend(whole, l)
	}
	return string(binary.LittleEndian.AppendUint64(nil, whole))
}

// blend returns a label of two in this order (the finalizer of splitmix64).
func blend(a, b uint64) uint64 {
	a = a*0x9e3779b97f4a7c15 ^ b
	a = (a ^ a>>30) * 0xbf58476d1ce4e5b9
	a = (a ^ a>>27) * 0x94d049bb133111eb
	return a ^ a>>31
}
