package molecule

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// crippenTable holds Wildman & Crippen's types of atoms (1999, table 1), one per line: its name, what an atom of it
// adds to log₁₀ P, and a SMARTS for the atom and what it is bonded to. An atom has the first type that matches. They
// are those of RDKit 2022.09 (Crippen.cpp, BSD-3-Clause, see NOTICE; its file Crippen.txt has another H2).
//
//go:embed crippen.smarts
var crippenTable string

type crippenType struct {
	contribution float64
	query        query
}

var crippenTypes = sync.OnceValues(func() (types []crippenType, c conditions) {
	c.cache = new(sync.Map)
	for line := range strings.Lines(crippenTable) {
		fields := strings.Fields(line)
		contribution, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			panic("molecule: crippen.smarts: " + err.Error())
		}
		q, _ := c.parseQuery(fields[2])
		types = append(types, crippenType{contribution, q})
	}
	return types, c
})

// crippen returns Crippen's log₁₀ P: the sum of the contributions of all atoms, hydrogens included. Elements without a
// type (*, noble gases, lanthanides, …) contribute 0.
//
// It is RDKit's value to the last bit, since the order of the sum is the same, except for very large molecules, of
// which RDKit does not type all atoms (see fullyMatched).
func (g Graph) crippen() float64 {
	types, conditions := crippenTypes()
	m := matcher{Graph: g.withHydrogens()}
	m.around = m.Neighbours()
	m.is = make([]*kind, len(m.Atoms))
	for i, a := range m.Atoms {
		if i > 0 && a == m.Atoms[i-1] { // as most hydrogens
			m.is[i] = m.is[i-1]
		} else {
			m.is[i] = conditions.of(a, types)
		}
	}
	sum := 0.0
	for i, is := range m.is {
		for _, k := range is.types {
			if t := &types[k]; m.fits(t.query.bonds, i, -1, 0) {
				sum += t.contribution
				break
			}
		}
	}
	return sum
}

// fullyMatched reports whether RDKit types all atoms for certain. It stops after 1000 matches of each SMARTS, and an
// atom matches once for each order of its neighbours: the central carbon of neopentane 24 times, so that the last of 42
// such atoms gets another type. The limit here is half of that, because hydrogens match once for each order of an
// oxygen's or carbon's neighbours too.
func (g Graph) fullyMatched() bool {
	orders := [...]int{1, 1, 2, 6, 24}
	matches := 0
	for _, a := range g.Atoms {
		matches += orders[min(a.Degree, 4)] + a.Hydrogens
	}
	return matches <= 500
}

// withHydrogens returns the Graph with all hydrogens among its atoms, after the others. They still count as
// Atom.Hydrogens, too.
func (g Graph) withHydrogens() Graph {
	bonds, hydrogens := g.Bonds, 0
	for _, a := range g.Atoms {
		hydrogens += a.Hydrogens
	}
	g.Atoms = append(make([]Atom, 0, len(g.Atoms)+hydrogens), g.Atoms...)
	g.Bonds = append(make([]Bond, 0, len(bonds)+hydrogens), bonds...)
	g.around = nil // they are others
	for i, a := range g.Atoms {
		for range a.Hydrogens {
			g.Bonds = append(g.Bonds, Bond{Begin: i, End: len(g.Atoms), Order: 1})
			g.Atoms = append(g.Atoms, Atom{Number: 1, Degree: 1})
		}
		g.Atoms[i].Degree += a.Hydrogens
	}
	for _, b := range bonds {
		begin, end := &g.Atoms[b.Begin], &g.Atoms[b.End]
		if end.Number == 1 {
			begin.Hydrogens++
		}
		if begin.Number == 1 {
			end.Hydrogens++
		}
	}
	return g
}

// A query is an atom of a SMARTS without rings, with what is bonded to it.
type query struct {
	atom  int // the number of its condition
	bonds []queryBond
}

type queryBond struct {
	orders []float64
	to     query
}

// A matcher finds queries in a Graph.
type matcher struct {
	Graph
	around [][]Neighbour
	is     []*kind // of atoms
}

// fits reports whether bonds of a query match different ones of an atom, besides those in used and that to the atom
// that it was reached from.
func (m *matcher) fits(bonds []queryBond, atom, from int, used uint64) bool {
	if len(bonds) == 0 {
		return true
	}
	want := &bonds[0]
	for i, n := range m.around[atom] {
		have := &m.Bonds[n.Bond]
		if used>>i&1 == 0 && n.Atom != from && m.is[n.Atom].holds[want.to.atom] && !have.Dative && slices.Contains(want.orders, have.Order) &&
			m.fits(want.to.bonds, n.Atom, atom, 0) && m.fits(bonds[1:], atom, from, used|1<<i) {
			return true
		}
	}
	return false
}

// conditions are those on the atoms of queries, each once: what their brackets hold.
type conditions struct {
	texts []string
	cache *sync.Map // what of returned: atoms are much alike
}

// kind is what there is to know of an atom, whatever it is bonded to.
type kind struct {
	holds []bool // of the conditions
	types []int  // whose condition on the atom itself holds
}

func (c conditions) of(a Atom, types []crippenType) *kind {
	known, ok := c.cache.Load(a)
	if !ok {
		k := &kind{holds: make([]bool, len(c.texts))}
		for i, text := range c.texts {
			k.holds[i] = a.meets(text)
		}
		for i, t := range types {
			if k.holds[t.query.atom] {
				k.types = append(k.types, i)
			}
		}
		known, _ = c.cache.LoadOrStore(a, k)
	}
	return known.(*kind)
}

var bondSymbols = map[byte][]float64{'-': {1}, ':': {1.5}, '=': {2}, '#': {3}}

// parseQuery reads an atom of a SMARTS and what follows it, up to the end of its branch.
func (c *conditions) parseQuery(smarts string) (q query, rest string) {
	text, rest := smarts[:1], smarts[1:]
	if text == "[" {
		text, rest, _ = strings.Cut(rest, "]")
	}
	if q.atom = slices.Index(c.texts, text); q.atom < 0 {
		q.atom = len(c.texts)
		c.texts = append(c.texts, text)
	}
	for rest != "" && rest[0] != ')' {
		branch := rest[0] == '('
		rest = strings.TrimPrefix(rest, "(")
		b := queryBond{orders: []float64{1, 1.5}}
		if orders, ok := bondSymbols[rest[0]]; ok {
			b.orders, rest = orders, rest[1:]
		}
		b.to, rest = c.parseQuery(rest)
		q.bonds = append(q.bonds, b)
		if branch {
			rest = rest[1:]
		}
	}
	return q, rest
}

var primitive = regexp.MustCompile(`!?(Cl|Br|[#HX+-]\d*|[A-Za-z])`)

// meets reports whether an atom is as the brackets of a SMARTS say: parts separated by semicolons, which must all hold,
// of alternatives separated by commas, of primitives that must all hold.
func (a Atom) meets(text string) bool {
	fails := func(primitive string) bool { return !a.is(primitive) }
	holds := func(alternative string) bool {
		return !slices.ContainsFunc(primitive.FindAllString(alternative, -1), fails)
	}
	for part := range strings.SplitSeq(text, ";") {
		if !slices.ContainsFunc(strings.Split(part, ","), holds) {
			return false
		}
	}
	return true
}

func (a Atom) is(primitive string) bool {
	if negated, ok := strings.CutPrefix(primitive, "!"); ok {
		return !a.is(negated)
	}
	n, err := strconv.Atoi(primitive[1:])
	if err != nil {
		n = 1 // H, +, −
	}
	switch primitive[0] {
	case '#':
		return a.Number == n
	case 'H':
		return a.Hydrogens == n
	case 'X':
		return a.Degree == n
	case '+':
		return a.Charge == n
	case '-':
		return a.Charge == -n
	case 'A':
		return !a.Aromatic
	case 'a':
		return a.Aromatic
	}
	symbol := strings.ToUpper(primitive[:1]) + primitive[1:]
	return a.Number == slices.Index(symbols, symbol) && a.Aromatic == (symbol != primitive)
}
