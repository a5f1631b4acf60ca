package genetic

import (
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/molecule"
)

// rearrangements are mutations that keep the formula, as chemists vary a lead: a substituent moves, an amide is
// reversed, a nitrogen walks around a ring. By the mutations of GB-GA, these take two steps, and the molecule in
// between is often worse.
func rearrangements() []mutation {
	return []mutation{
		{1. / 3, chainBond, moveBranch},
		{1. / 3, chainBond, turnLinker},
		{1. / 3, "[#6,#7,#8,#16]~[#6,#7,#8,#16]", swapAtoms},
	}
}

// moveBranch bonds the branch at the second atom of each match to other atoms that have a hydrogen, to three of them at
// most.
func moveBranch(g molecule.Graph, matches [][]int, rng *rand.Rand) (all []molecule.Edit) {
	const most = 3
	for _, m := range matches {
		c, ok := split(g, [][2]int{{m[0], m[1]}})
		if !ok {
			continue
		}
		var places []int
		for i, a := range g.Atoms {
			if c.near[i] && i != m[0] && a.Hydrogens > 0 {
				places = append(places, i)
			}
		}
		for k, i := range rng.Perm(len(places)) {
			if k == most {
				break
			}
			all = append(all, molecule.Edit{Link: []molecule.Link{bond(m[0], m[1], 0), bond(places[i], m[1], 1)}})
		}
	}
	return all
}

// turnLinker turns around what is between two of the matches, which are bonds: a–b…c–d becomes a–c…b–d.
func turnLinker(g molecule.Graph, matches [][]int, _ *rand.Rand) (all []molecule.Edit) {
	var cuts []cut // that leave the first atom of a bond in the first part
	for _, m := range matches {
		if m[0] > m[1] {
			continue // the same bond the other way round
		}
		if c, ok := split(g, [][2]int{{m[0], m[1]}}); ok {
			cuts = append(cuts, c)
		}
	}
	for i, first := range cuts {
		for _, second := range cuts[i+1:] {
			a, b := first.bonds[0][0], first.bonds[0][1]
			if first.near[second.bonds[0][0]] {
				a, b = b, a
			}
			d, c := second.bonds[0][0], second.bonds[0][1]
			if second.near[first.bonds[0][0]] {
				d, c = c, d
			}
			if b != c {
				all = append(all, molecule.Edit{Link: []molecule.Link{bond(a, b, 0), bond(c, d, 0), bond(a, c, 1), bond(b, d, 1)}})
			}
		}
	}
	return all
}

// swapAtoms exchanges the elements of two uncharged atoms that are bonded or in one ring. Sulfur takes no place with
// more than two bonds, which would be another valence.
func swapAtoms(g molecule.Graph, matches [][]int, _ *rand.Rand) (all []molecule.Edit) {
	bonds := make([]float64, len(g.Atoms))
	for _, b := range g.Bonds {
		bonds[b.Begin] += b.Order
		bonds[b.End] += b.Order
	}
	swap := func(i, j int) {
		a, b := g.Atoms[i], g.Atoms[j]
		usual := func(at molecule.Atom) bool {
			return at.Charge == 0 && slices.Contains([]int{6, 7, 8, 16}, at.Number) && (at.Number != 16 || max(bonds[i], bonds[j]) <= 2)
		}
		if a.Number != b.Number && usual(a) && usual(b) {
			all = append(all, molecule.Edit{Change: []molecule.Element{{Atom: i, Number: b.Number}, {Atom: j, Number: a.Number}}})
		}
	}
	for _, m := range matches {
		if m[0] < m[1] { // or the same bond the other way round
			swap(m[0], m[1])
		}
	}
	for _, ring := range g.Rings {
		for i := range ring {
			for j := i + 2; j < len(ring); j++ {
				if i > 0 || j < len(ring)-1 { // or they are bonded
					swap(ring[i], ring[j])
				}
			}
		}
	}
	return all
}
