package core

import (
	"context"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/series"
)

// Arrangement gives the points of a core the groups of molecules, alike in all of them where a symmetric core leaves a
// choice. It is safe for concurrent use.
type Arrangement struct {
	core, loose *molecule.Core
	limits      []Limit
	known       []*molecule.Index // of each point: what the groups of known molecules are compared by
}

// Arrange returns the Arrangement of a core, whose groups have limits by label, by the first 300 of the known molecules
// (SMILES). A molecule without the core may have loose, which is the core without its configurations; nil: it may not.
// The error is ctx's cause.
func Arrange(ctx context.Context, c, loose *molecule.Core, limits map[int]Limit, known []string) (*Arrangement, error) {
	a := &Arrangement{core: c, loose: loose, limits: make([]Limit, len(c.Points)), known: make([]*molecule.Index, len(c.Points))}
	for i, p := range c.Points {
		a.limits[i], a.known[i] = limits[p.Label], molecule.NewIndex(nil)
	}
	const enough = 300
	for _, smiles := range known[:min(enough, len(known))] {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		groups, _ := a.Groups(smiles) // nil without the core
		for i, g := range groups {
			if print := printOf(g); a.known[i].Nearest(print) < 1 {
				a.known[i].Add(print)
			}
		}
	}
	return a, nil
}

// Groups returns the groups of a molecule (SMILES) for each point: if there are several ways, also of its other
// tautomers, of those within the limits that whose groups are most like those of known molecules at the same points. ok
// is false if it has not the core.
func (a *Arrangement) Groups(smiles string) (groups []string, ok bool) {
	_, groups, ok = a.Draw(smiles)
	return groups, ok
}

// Draw returns a molecule (SMILES) as that of its tautomers that has the core with its Groups: itself, if it has.
func (a *Arrangement) Draw(smiles string) (drawn string, groups []string, ok bool) {
	ways := a.ways(smiles)
	if len(ways) == 1 {
		return ways[0].drawn, ways[0].groups, true
	}
	best := -1.0
	for _, way := range ways {
		alike := 0.0
		if a.allows(way.groups) {
			alike = float64(1 + len(way.groups)) // more than others can have
		}
		for i, g := range way.groups {
			alike += a.known[i].Nearest(printOf(g))
		}
		if alike > best {
			drawn, groups, best = way.drawn, way.groups, alike
		}
	}
	return drawn, groups, len(ways) > 0
}

// way is one to give the points groups: those of a tautomer.
type way struct {
	drawn  string
	groups []string
}

// ways returns the groups of a molecule in all ways, first as it is drawn: with the core, or else with that without
// configurations.
func (a *Arrangement) ways(smiles string) []way {
	if a.loose == nil {
		return waysOf(a.core, a.core.Drawings(smiles))
	}
	drawings := a.loose.Drawings(smiles)
	if ways := waysOf(a.core, drawings); len(ways) > 0 {
		return ways
	}
	return waysOf(a.loose, drawings)
}

// waysOf returns the groups of molecules at the points of a core.
func waysOf(c *molecule.Core, drawings []string) (ways []way) {
	for _, drawn := range drawings {
		for _, groups := range c.Ways(drawn) {
			ways = append(ways, way{drawn, groups})
		}
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
	_ = molecule.Look(molecule.Relabel(group, 1), func(m *molecule.Molecule) { print = series.Print(m) })
	return print
}
