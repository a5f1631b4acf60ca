package genetic

import (
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/molecule"
)

// crossover returns a molecule made of a part of p and a part of q that differs from both, or nil after ten failed
// attempts or if the child is not wanted. Each attempt cuts either chains or rings, with equal probability.
func (b *breeder) crossover(p, q *parent, rng *rand.Rand, r *recall) *child {
	both, err := p.merge(q)
	if err != nil {
		return nil
	}
	defer both.close()
	for range attempts {
		cutter, rings := cutChain, false // one bond that joins two parts leaves their rings as they are
		if rng.IntN(2) == 1 {
			cutter, rings = cutRing, true
		}
		child := b.recombine(p, q, both, cutter, rings, rng, r)
		if child == nil {
			continue
		}
		if child = b.choose(child, r); child == nil {
			return nil // and no SMILES is computed
		}
		if s := child.smiles(); s != p.smiles && s != q.smiles {
			return child
		}
		child.close()
	}
	return nil
}

// recombine returns a molecule made of a part of p and a part of q, joined where they were cut, or nil after ten failed
// cuts. both is p merged with q.
func (b *breeder) recombine(p, q *parent, both kekule, cutter func(*parent, *rand.Rand) (cut, bool), rings bool, rng *rand.Rand, r *recall) *child {
	for range attempts {
		first, found := cutter(p, rng)
		if !found {
			return nil
		}
		second, found := cutter(q, rng)
		if !found {
			return nil
		}
		if child := b.first(both, joins(first, second), rings, rng, r); child != nil {
			return child
		}
	}
	return nil
}

// A cut splits a molecule in two.
type cut struct {
	near  []bool   // for each atom: whether it is in the first part
	bonds [][2]int // the cut bonds: the atom in the first part, and the one in the second
}

// cutChain cuts a single bond that is in no ring.
func cutChain(p *parent, rng *rand.Rand) (cut, bool) {
	if len(p.chainBonds) == 0 {
		return cut{}, false
	}
	m := p.chainBonds[rng.IntN(len(p.chainBonds))]
	return split(p.graph, [][2]int{{m[0], m[1]}})
}

// cutRing cuts two bonds of a ring: with equal probability, two with one bond between them, or two of a ring atom that
// has more than two bonds.
func cutRing(p *parent, rng *rand.Rand) (cut, bool) {
	for range attempts {
		matches, second := p.ringBonds, 2
		if rng.IntN(2) == 1 {
			matches, second = p.ringAtoms, 1
		}
		if len(matches) == 0 {
			return cut{}, false
		}
		m := matches[rng.IntN(len(matches))]
		if c, ok := split(p.graph, [][2]int{{m[0], m[1]}, {m[second], m[second+1]}}); ok {
			return c, true
		}
	}
	return cut{}, false
}

// split cuts bonds. It returns false if the ends of the first bond are still connected.
func split(g molecule.Graph, bonds [][2]int) (cut, bool) {
	isCut := func(b molecule.Bond) bool {
		return slices.Contains(bonds, [2]int{b.Begin, b.End}) || slices.Contains(bonds, [2]int{b.End, b.Begin})
	}
	near := make([]bool, len(g.Atoms))
	near[bonds[0][0]] = true
	for grown := true; grown; {
		grown = false
		for _, b := range g.Bonds {
			if near[b.Begin] != near[b.End] && !isCut(b) {
				near[b.Begin], near[b.End], grown = true, true, true
			}
		}
	}
	if near[bonds[0][1]] {
		return cut{}, false
	}
	for i, b := range bonds {
		if !near[b[0]] {
			bonds[i] = [2]int{b[1], b[0]}
		}
	}
	return cut{near, bonds}, true
}

// joins returns all edits that join a part of one molecule with a part of another, whose atoms follow: if one bond was
// cut, by a single bond; if two were, by two single or double bonds.
//
// In Jensen's program the first of the two bonds is always double, because molecules with a single one are overwritten,
// and the pairing of the ends is fixed. Here all combinations are equally likely.
func joins(a, b cut) []molecule.Edit {
	var edits []molecule.Edit
	for _, nearA := range []bool{true, false} {
		for _, nearB := range []bool{true, false} {
			endsA, others := a.part(nearA, 0)
			endsB, more := b.part(nearB, len(a.near))
			others = append(others, more...)
			if len(endsA) == 1 {
				edits = append(edits, molecule.Edit{Link: []molecule.Link{bond(endsA[0], endsB[0], 1)}, Remove: others})
				continue
			}
			for _, to := range [][2]int{{endsB[0], endsB[1]}, {endsB[1], endsB[0]}} {
				if endsA[0] == endsA[1] && to[0] == to[1] {
					continue // one bond closes no ring
				}
				for _, orders := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}} {
					links := []molecule.Link{bond(endsA[0], to[0], orders[0]), bond(endsA[1], to[1], orders[1])}
					edits = append(edits, molecule.Edit{Link: links, Remove: others})
				}
			}
		}
	}
	return edits
}

// part returns the atoms of a part whose bonds were cut, and the atoms outside it, with n added to each.
func (c cut) part(near bool, n int) (ends, others []int) {
	for _, b := range c.bonds {
		end := b[1]
		if near {
			end = b[0]
		}
		ends = append(ends, n+end)
	}
	for i := range c.near {
		if c.near[i] != near {
			others = append(others, n+i)
		}
	}
	return ends, others
}
