package core

import (
	"slices"

	"github.com/invbo/invbo/molecule"
)

// Arrangement gives the points of a core the groups of molecules, alike in all of them where a symmetric core leaves a choice. It is safe for concurrent
// use.
type Arrangement struct {
	core, any *molecule.Core
	limits    []Limit
	known     [][]molecule.Counts // of each point: what the groups of known molecules are compared by
}

// Arrange returns the Arrangement of a core, whose groups have limits by label, by known molecules (SMILES), of which it looks at the first 300. Molecules of any have the core with any
// configuration; nil: there are none.
func Arrange(c, any *molecule.Core, limits map[int]Limit, known []string) *Arrangement {
	a := &Arrangement{core: c, any: any, limits: make([]Limit, len(c.Points)), known: make([][]molecule.Counts, len(c.Points))}
	for i, p := range c.Points {
		a.limits[i] = limits[p.Label]
	}
	const enough = 300
	for _, smiles := range known[:min(enough, len(known))] {
		groups, _ := a.Groups(smiles) // nil without the core
		for i, g := range groups {
			if print := printOf(g); !slices.ContainsFunc(a.known[i], func(other molecule.Counts) bool { return molecule.Tanimoto(print, other) == 1 }) {
				a.known[i] = append(a.known[i], print)
			}
		}
	}
	return a
}

// Groups returns the groups of a molecule (SMILES) for each point: if there are several ways, of those within the limits that whose groups are most
// like those of known molecules at the same points. Those of a molecule whose other tautomer has the core are that one's. ok is false if it has not the
// core.
func (a *Arrangement) Groups(smiles string) (groups []string, ok bool) {
	ways := a.ways(smiles)
	if len(ways) == 0 {
		widest := a.any
		if widest == nil {
			widest = a.core
		}
		if drawn, ok := widest.AsDrawn(smiles); ok {
			ways = a.ways(drawn)
		}
	}
	switch len(ways) {
	case 0:
		return nil, false
	case 1:
		return ways[0], true
	}
	best := -1.0
	for _, way := range ways {
		alike := 0.0
		if a.allows(way) {
			alike = float64(1 + len(way)) // more than others can have
		}
		for i, g := range way {
			alike += nearest(a.known[i], printOf(g))
		}
		if alike > best {
			groups, best = way, alike
		}
	}
	return groups, true
}

// ways returns the groups of a molecule in all ways, as it is drawn.
func (a *Arrangement) ways(smiles string) [][]string {
	ways := a.core.Ways(smiles)
	if len(ways) == 0 && a.any != nil {
		ways = a.any.Ways(smiles)
	}
	return ways
}

// allows reports whether groups are within the limits.
func (a *Arrangement) allows(groups []string) bool {
	for i, g := range groups {
		if !a.limits[i].Allows(g) {
			return false
		}
	}
	return true
}

// printOf returns what a group is compared by; nothing if it is no molecule.
func printOf(group string) (print molecule.Counts) {
	_ = molecule.Look(molecule.Relabel(group, 1), func(m *molecule.Molecule) { print = m.ECFP(2) })
	return print
}

func nearest(known []molecule.Counts, print molecule.Counts) (most float64) {
	for _, other := range known {
		most = max(most, molecule.Tanimoto(other, print))
	}
	return most
}
