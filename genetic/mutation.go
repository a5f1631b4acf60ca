package genetic

import (
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/molecule"
)

// mutation is a small change to the Kekulé form of a molecule.
type mutation struct {
	odds   float64
	smarts string // where it applies
	edits  edits
}

// edits returns the edits of a mutation, one for each match of its pattern. Matches are ordered, so that the
// probability of an edit grows with the number of matches that produce it.
type edits func(g molecule.Graph, matches [][]int, rng *rand.Rand) []molecule.Edit

// mutations returns the table: seven kinds with probability .15 (insert, append) or .14 (all others), times the probability
// within the kind. Patterns, elements and probabilities are those of Jensen's program (MIT licence).
func mutations() []mutation {
	const c, n, o, f, s, cl, br = 6, 7, 8, 9, 16, 17, 35
	return []mutation{
		// Insert an atom into a bond.
		{.15 * .60, "*~*", insert(1, c, n, o, s)},
		{.15 * .35, "[!H0]~*", insert(2, c, n)},
		{.15 * .05, "[!R;!H0;!H1]~*", insert(3, c)},

		// Append an atom.
		{.15 * .60, "[!H0]", attach(1, c, n, o, f, s, cl, br)},
		{.15 * .35, "[!H0;!H1]", attach(2, c, n, o)},
		{.15 * .05, "[H3]", attach(3, c, n)},

		// Delete an atom and join its neighbours.
		{.14 * .25, "*~[D1]", cutOut()},
		{.14 * .25, "*~[D2]~*", cutOut([2]int{0, 2})},
		{.14 * .25, "*~[D3](~[!H0])~*", cutOut([2]int{0, 2}, [2]int{2, 3})},
		{.14 * .1875, "*~[D4](~[!H0])(~[!H0])~*", cutOut([2]int{0, 2}, [2]int{2, 3}, [2]int{3, 4})},
		{.14 * .0625, "*~[D4](~[!H0;!H1])(~*)~*", cutOut([2]int{0, 2}, [2]int{2, 3}, [2]int{2, 4})},

		// Change an atom.
		{.14, "[#6,#7,#8,#9,#16,#17,#35]", substitute([]int{c, n, o, f, s, cl, br}, []float64{.15, .15, .14, .14, .14, .14, .14})},

		// Change the order of a bond.
		{.14 * .45, "*!-*", link(1)},
		{.14 * .45, "[!H0]-[!H0]", link(2)},
		{.14 * .05, "*#*", link(2)},
		{.14 * .05, "[!R;!H0;!H1]~*", link(3)},

		// Delete a bond of a ring.
		{.14, "*@*", link(0)},

		// Add a ring of 3 to 6 atoms.
		{.14 * .05, "[!r;!H0]~[!r]~[!r;!H0]", link(1)},
		{.14 * .05, "[!r;!H0]~[!r]~[!r]~[!r;!H0]", link(1)},
		{.14 * .45, "[!r;!H0]~[!r]~*~*~[!r;!H0]", link(1)},
		{.14 * .45, "[!r;!H0]~[!r]~*~*~[!r]~[!r;!H0]", link(1)},
	}
}

// mutate returns a mutant of m that passes ringsOK, or nil after ten failed attempts.
func (b *breeder) mutate(m *molecule.Molecule, rng *rand.Rand) *child {
	form, err := m.Kekule()
	if err != nil {
		return nil
	}
	defer form.Close()
	k := kekule{graph: form.Graph(), largest: largestRing(form.Graph())}
	if stereo(m.SMILES()) {
		k.molecule = form
	}
	return b.change(k, b.mutations, b.places, rng, nil)
}

// mutant returns a mutant of a parent, as mutate does.
func (b *breeder) mutant(p *parent, rng *rand.Rand, r *recall) *child {
	return b.changed(p, b.mutations, b.places, rng, r)
}

// isomer returns a rearrangement of a parent, or nil after ten failed attempts.
func (b *breeder) isomer(p *parent, rng *rand.Rand, r *recall) *child {
	return b.changed(p, b.rearrangements, b.sites, rng, r)
}

// changed returns a molecule that differs from a parent by one of the mutations, which apply at these places.
func (b *breeder) changed(p *parent, mutations []mutation, places []query, rng *rand.Rand, r *recall) *child {
	k := kekule{smiles: p.smiles, graph: p.graph, largest: largestRing(p.graph)}
	if stereo(p.smiles) {
		var err error
		if k.molecule, err = p.form(); err != nil {
			return nil
		}
		defer k.close()
	}
	return b.change(k, mutations, places, rng, r)
}

// change is changed of a Kekulé form.
func (b *breeder) change(k kekule, mutations []mutation, places []query, rng *rand.Rand, r *recall) *child {
	odds := make([]float64, len(mutations))
	for i, mutation := range mutations {
		odds[i] = mutation.odds
	}
	around := surroundingsOf(k.graph)
	for range attempts {
		i := pick(odds, rng)
		matches := places[i].in(around)
		if len(matches) == 0 {
			continue
		}
		if mutant := b.first(k, mutations[i].edits(k.graph, matches, rng), true, rng, r); mutant != nil {
			return mutant
		}
	}
	return nil
}

// insert puts one of the elements between the two atoms, with a bond of the given order to the first and a single bond
// to the other.
func insert(order int, elements ...int) edits {
	return func(g molecule.Graph, matches [][]int, rng *rand.Rand) []molecule.Edit {
		element, x := elements[rng.IntN(len(elements))], len(g.Atoms)
		return each(matches, func(m []int) molecule.Edit {
			return molecule.Edit{Add: []int{element}, Link: []molecule.Link{bond(m[0], m[1], 0), bond(m[0], x, order), bond(x, m[1], 1)}}
		})
	}
}

// attach bonds one of the elements to the atom.
func attach(order int, elements ...int) edits {
	return func(g molecule.Graph, matches [][]int, rng *rand.Rand) []molecule.Edit {
		element, x := elements[rng.IntN(len(elements))], len(g.Atoms)
		return each(matches, func(m []int) molecule.Edit {
			return molecule.Edit{Add: []int{element}, Link: []molecule.Link{bond(m[0], x, order)}}
		})
	}
}

// cutOut removes the second atom and joins pairs of the others by single bonds.
func cutOut(pairs ...[2]int) edits {
	return func(_ molecule.Graph, matches [][]int, _ *rand.Rand) []molecule.Edit {
		return each(matches, func(m []int) molecule.Edit {
			e := molecule.Edit{Remove: []int{m[1]}}
			for _, p := range pairs {
				e.Link = append(e.Link, bond(m[p[0]], m[p[1]], 1))
			}
			return e
		})
	}
}

// substitute turns an atom of one element into another element; both elements are drawn with these odds.
func substitute(elements []int, odds []float64) edits {
	return func(g molecule.Graph, matches [][]int, rng *rand.Rand) []molecule.Edit {
		present := make([]float64, len(odds))
		for _, m := range matches {
			i := slices.Index(elements, g.Atoms[m[0]].Number)
			present[i] = odds[i]
		}
		from := pick(present, rng)
		rest := slices.Clone(odds)
		rest[from] = 0
		to := pick(rest, rng)
		matches = slices.DeleteFunc(matches, func(m []int) bool { return g.Atoms[m[0]].Number != elements[from] })
		return each(matches, func(m []int) molecule.Edit {
			return molecule.Edit{Change: []molecule.Element{{Atom: m[0], Number: elements[to]}}}
		})
	}
}

// link adds or changes the bond between the first atom and the last; order 0 removes it.
func link(order int) edits {
	return func(_ molecule.Graph, matches [][]int, _ *rand.Rand) []molecule.Edit {
		return each(matches, func(m []int) molecule.Edit {
			return molecule.Edit{Link: []molecule.Link{bond(m[0], m[len(m)-1], order)}}
		})
	}
}

func each(matches [][]int, edit func(m []int) molecule.Edit) []molecule.Edit {
	edits := make([]molecule.Edit, len(matches))
	for i, m := range matches {
		edits[i] = edit(m)
	}
	return edits
}

func bond(begin, end, order int) molecule.Link {
	return molecule.Link{Begin: begin, End: end, Order: order}
}

// pick draws an index in proportion to its weight.
func pick(weights []float64, rng *rand.Rand) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	u := rng.Float64() * sum
	last := 0
	for i, w := range weights {
		if w == 0 {
			continue
		}
		if u -= w; u < 0 {
			return i
		}
		last = i
	}
	return last // rounding left some of u
}
