package genetic

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// query is a pattern of a few atoms, in the notation of SMARTS. It finds what RDKit finds, in the same order, but in a Graph
// and in a fraction of the time.
type query []step

// step is an atom of a query. Each but the first is bonded to one before it.
type step struct {
	atom [][]condition // one of each must hold
	from int
	bond func(b molecule.Bond) bool // whether it is one that the step wants
}

// condition is a primitive of SMARTS: H, D, #, R or r, with a number unless only a ring of any size is asked for.
type condition struct {
	not       bool
	primitive byte
	number    int
}

// parts are a branch's ends, and atoms after their bonds.
var parts = regexp.MustCompile(`[()]|([^*[()]*)(?:\*|\[([^]]*)])`)

// newQuery reads atoms (* and brackets), bonds and branches, as far as this package uses them. It panics if there is more.
func newQuery(smarts string) query {
	var q query
	var branches []int
	from, read := 0, 0
	for _, part := range parts.FindAllStringSubmatch(smarts, -1) {
		read += len(part[0])
		switch part[0] {
		case "(":
			branches = append(branches, from)
			continue
		case ")":
			from, branches = branches[len(branches)-1], branches[:len(branches)-1]
			continue
		}
		s := step{from: from, bond: bonds[part[1]]}
		if inside := part[2]; inside != "" {
			for all := range strings.SplitSeq(inside, ";") {
				var any []condition
				for one := range strings.SplitSeq(all, ",") {
					any = append(any, newCondition(one))
				}
				s.atom = append(s.atom, any)
			}
		}
		if len(q) > 0 && s.bond == nil {
			panic(fmt.Sprintf("genetic: bond %q in SMARTS", part[1]))
		}
		from = len(q)
		q = append(q, s)
	}
	if read < len(smarts) || len(q) == 0 {
		panic(fmt.Sprintf("genetic: SMARTS %s", smarts))
	}
	return q
}

func newCondition(text string) condition {
	rest, not := strings.CutPrefix(text, "!")
	c := condition{not, rest[0], -1}
	if rest == "R" || rest == "r" {
		return c
	}
	var err error
	if c.number, err = strconv.Atoi(rest[1:]); err != nil || !strings.ContainsRune("HD#r", rune(rest[0])) {
		panic(fmt.Sprintf("genetic: SMARTS %s", text))
	}
	return c
}

// bonds holds which bonds SMARTS names.
var bonds = map[string]func(b molecule.Bond) bool{
	"~":    func(molecule.Bond) bool { return true },
	"-":    single,
	"!-":   func(b molecule.Bond) bool { return !single(b) },
	"=":    func(b molecule.Bond) bool { return b.Order == 2 },
	"#":    func(b molecule.Bond) bool { return b.Order == 3 },
	"@":    func(b molecule.Bond) bool { return b.InRing },
	"-;!@": func(b molecule.Bond) bool { return single(b) && !b.InRing },
}

func single(b molecule.Bond) bool { return b.Order == 1 && !b.Dative }

// surroundings is what queries look at.
type surroundings struct {
	molecule.Graph
	hydrogens []int // of each atom, also those that are atoms of the Graph
	smallest  []int // atoms of the smallest ring of each atom; 0: none
	bonds     [][]molecule.Neighbour
}

func surroundingsOf(g molecule.Graph) *surroundings {
	n := len(g.Atoms)
	s := &surroundings{g, make([]int, n), make([]int, n), g.Neighbours()}
	for i, a := range g.Atoms {
		s.hydrogens[i] = a.Hydrogens
		for _, to := range s.bonds[i] {
			if g.Atoms[to.Atom].Number == 1 {
				s.hydrogens[i]++
			}
		}
	}
	for _, ring := range g.Rings {
		for _, atom := range ring {
			if size := s.smallest[atom]; size == 0 || len(ring) < size {
				s.smallest[atom] = len(ring)
			}
		}
	}
	return s
}

// is reports whether an atom is one that a step is for.
func (s *surroundings) is(atom int, wanted step) bool {
	for _, any := range wanted.atom {
		if !slices.ContainsFunc(any, func(c condition) bool { return s.holds(atom, c) != c.not }) {
			return false
		}
	}
	return true
}

func (s *surroundings) holds(atom int, c condition) bool {
	value := s.smallest[atom] // R or r
	switch c.primitive {
	case 'H':
		value = s.hydrogens[atom]
	case 'D':
		value = s.Atoms[atom].Degree
	case '#':
		value = s.Atoms[atom].Number
	}
	return value == c.number || c.number < 0 && value > 0
}

// mostMatches is where RDKit stops, which has symmetric patterns in mind.
const mostMatches = 1000

// in returns the matches in a graph: the atom of each step.
func (q query) in(s *surroundings) [][]int {
	var matches [][]int
	match := make([]int, 0, len(q))
	var atoms []int // of matches, which share memory
	var extend func()
	try := func(atom int) {
		if !slices.Contains(match, atom) && s.is(atom, q[len(match)]) {
			match = append(match, atom)
			extend()
			match = match[:len(match)-1]
		}
	}
	extend = func() {
		if len(matches) == mostMatches {
			return
		}
		if len(match) == len(q) {
			atoms = append(atoms, match...)
			matches = append(matches, atoms[len(atoms)-len(match):len(atoms):len(atoms)])
			return
		}
		next := q[len(match)]
		for _, to := range s.bonds[match[next.from]] {
			if next.bond(s.Bonds[to.Bond]) {
				try(to.Atom)
			}
		}
	}
	for atom := range s.Atoms {
		try(atom)
	}
	return matches
}

// unique returns the first of the matches of the same atoms each.
func unique(matches [][]int) [][]int {
	seen := map[string]bool{}
	var first [][]int
	var atoms []int
	var key []byte
	for _, m := range matches {
		atoms, key = append(atoms[:0], m...), key[:0]
		slices.Sort(atoms)
		for _, a := range atoms {
			key = binary.AppendUvarint(key, uint64(a))
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			first = append(first, m)
		}
	}
	return first
}
