package molecule

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// crippenTable holds Wildman & Crippen's types of atoms (1999, table 1), one per line: its name, what an atom of it adds to log₁₀ P, and
// a SMARTS for the atom and what it is bonded to. An atom has the first type that matches. They are those of RDKit 2022.09 (Crippen.cpp,
// BSD-3-Clause, see NOTICE; its file Crippen.txt has another H2).
//
//go:embed crippen.smarts
var crippenTable string

type crippenType struct {
	contribution float64
	query        query
}

var crippenTypes = sync.OnceValue(func() []crippenType {
	var types []crippenType
	for line := range strings.Lines(crippenTable) {
		fields := strings.Fields(line)
		contribution, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			panic("molecule: crippen.smarts: " + err.Error())
		}
		q, _ := parseQuery(fields[2])
		types = append(types, crippenType{contribution, q})
	}
	return types
})

// crippenCache holds the types that an Atom may have, in the order of the table, by Atom without its neighbours: few are different.
var crippenCache sync.Map

func (a Atom) crippenTypes() []crippenType {
	types, ok := crippenCache.Load(a)
	if !ok {
		isOther := func(t crippenType) bool { return !t.query.is(a) }
		types, _ = crippenCache.LoadOrStore(a, slices.DeleteFunc(slices.Clone(crippenTypes()), isOther))
	}
	return types.([]crippenType)
}

// crippen returns Crippen's log₁₀ P: the sum of the contributions of all atoms, hydrogens included. Elements without a type (*, noble
// gases, lanthanides, …) contribute 0.
//
// It is RDKit's value to the last bit, since the order of the sum is the same, except for very large molecules, of which RDKit
// does not type all atoms (see fullyMatched).
func (g Graph) crippen() float64 {
	g = g.withHydrogens()
	around := g.Neighbours()
	sum := 0.0
	for i, a := range g.Atoms {
		for _, t := range a.crippenTypes() {
			if t.query.fits(g, around, i, -1) {
				sum += t.contribution
				break
			}
		}
	}
	return sum
}

// fullyMatched reports whether RDKit types all atoms for certain. It stops after 1000 matches of each SMARTS, and an atom matches once for
// each order of its neighbours: the central carbon of neopentane 24 times, so that the last of 42 such atoms gets another type.
// The limit here is half of that, because hydrogens match once for each order of an oxygen's or carbon's neighbours too.
func (g Graph) fullyMatched() bool {
	orders := [...]int{1, 1, 2, 6, 24}
	matches := 0
	for _, a := range g.Atoms {
		matches += orders[min(a.Degree, 4)] + a.Hydrogens
	}
	return matches <= 500
}

// withHydrogens returns the Graph with all hydrogens among its atoms, after the others. They still count as Atom.Hydrogens, too.
func (g Graph) withHydrogens() Graph {
	bonds := g.Bonds
	g.Atoms, g.Bonds = slices.Clone(g.Atoms), slices.Clone(g.Bonds)
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
	is    condition
	bonds []queryBond
}

type queryBond struct {
	orders []float64
	to     query
}

type condition func(Atom) bool

// fits reports whether the bonds of the query match different ones of an atom, besides that to the atom that it was reached from.
func (q *query) fits(g Graph, around [][]Neighbour, atom, from int) bool {
	var fit func(bonds []queryBond, used uint64) bool
	fit = func(bonds []queryBond, used uint64) bool {
		if len(bonds) == 0 {
			return true
		}
		for i, n := range around[atom] {
			want, have := &bonds[0], &g.Bonds[n.Bond]
			if used>>i&1 == 0 && n.Atom != from && !have.Dative && slices.Contains(want.orders, have.Order) &&
				want.to.is(g.Atoms[n.Atom]) && want.to.fits(g, around, n.Atom, atom) && fit(bonds[1:], used|1<<i) {
				return true
			}
		}
		return false
	}
	return fit(q.bonds, 0)
}

var bondSymbols = map[byte][]float64{'-': {1}, ':': {1.5}, '=': {2}, '#': {3}}

// parseQuery reads an atom of a SMARTS and what follows it, up to the end of its branch.
func parseQuery(smarts string) (q query, rest string) {
	text, rest := smarts[:1], smarts[1:]
	if text == "[" {
		text, rest, _ = strings.Cut(rest, "]")
	}
	q.is = parseConditions(text)
	for rest != "" && rest[0] != ')' {
		branch := rest[0] == '('
		rest = strings.TrimPrefix(rest, "(")
		b := queryBond{orders: []float64{1, 1.5}}
		if orders, ok := bondSymbols[rest[0]]; ok {
			b.orders, rest = orders, rest[1:]
		}
		b.to, rest = parseQuery(rest)
		q.bonds = append(q.bonds, b)
		if branch {
			rest = rest[1:]
		}
	}
	return q, rest
}

// parseConditions reads what the brackets of an atom hold: parts separated by semicolons, which must all hold, of alternatives separated by
// commas, of primitives that must all hold.
func parseConditions(text string) condition {
	return every(strings.Split(text, ";"), func(part string) condition {
		return some(strings.Split(part, ","), func(alternative string) condition {
			return every(primitive.FindAllString(alternative, -1), parsePrimitive)
		})
	})
}

func every(texts []string, parse func(string) condition) condition {
	return not(some(texts, func(text string) condition { return not(parse(text)) }))
}

func some(texts []string, parse func(string) condition) condition {
	conditions := make([]condition, len(texts))
	for i, text := range texts {
		conditions[i] = parse(text)
	}
	return func(a Atom) bool {
		return slices.ContainsFunc(conditions, func(holds condition) bool { return holds(a) })
	}
}

func not(holds condition) condition { return func(a Atom) bool { return !holds(a) } }

var primitive = regexp.MustCompile(`!?(Cl|Br|[#HX+-]\d*|[A-Za-z])`)

func parsePrimitive(text string) condition {
	if negated, ok := strings.CutPrefix(text, "!"); ok {
		return not(parsePrimitive(negated))
	}
	n, err := strconv.Atoi(text[1:])
	if err != nil {
		n = 1 // H, +, −
	}
	switch text[0] {
	case '#':
		return func(a Atom) bool { return a.Number == n }
	case 'H':
		return func(a Atom) bool { return a.Hydrogens == n }
	case 'X':
		return func(a Atom) bool { return a.Degree == n }
	case '+':
		return func(a Atom) bool { return a.Charge == n }
	case '-':
		return func(a Atom) bool { return a.Charge == -n }
	case 'A':
		return func(a Atom) bool { return !a.Aromatic }
	case 'a':
		return func(a Atom) bool { return a.Aromatic }
	}
	symbol := strings.ToUpper(text[:1]) + text[1:]
	number, isAromatic := slices.Index(symbols, symbol), symbol != text
	return func(a Atom) bool { return a.Number == number && a.Aromatic == isAromatic }
}
