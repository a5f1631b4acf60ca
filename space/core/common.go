package core

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/chance"
	"github.com/invbo/invbo/space/internal/series"
)

// kinds are what an atom may be by which groups are bound to the core, beside an element, as SMARTS: aromatic or not,
// of a ring, with a hydrogen that it may donate, of an acyl or sulfonyl group or beside one, and beside an aromatic
// ring.
var kinds = []string{"a", "A", "R", "$([#7,#8,#16;!H0])", "$(*=[#7,#8,#16])", "$(*-[#6,#15,#16]=[#7,#8,#16])", "$(*-a)"}

// Common returns what nearly all groups at each point have in common, by label, as SMARTS of [#0], which is the core,
// and the atom bound to it. Known molecules (SMILES) have the core; the first one is the best, and has it, too. What
// groups of other molecules, a sample of a library, would all have by chance is left out, as are points whose groups
// have nothing in common. Hydrogen is nothing: who draws a point wants to know more of it. The error is ctx's cause.
func (a *Arrangement) Common(ctx context.Context, known []string, sample func(n int, rng *rand.Rand) []string) (map[int]string, error) {
	common := map[int]string{}
	groups := make([][]string, len(known))
	err := parallel.ForContext(ctx, len(known), 4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			groups[i], _ = a.Groups(known[i]) // nil without the core
		}
	})
	if err != nil {
		return nil, err
	}
	groups = slices.DeleteFunc(groups, func(g []string) bool { return g == nil })
	if len(groups) == 0 {
		return common, nil
	}
	library := series.Others(sample)
	for i, point := range a.core.Points {
		at := make([]string, len(groups))
		for k, g := range groups {
			at[k] = g[i]
		}
		others, err := cuts(ctx, library, point)
		if err != nil {
			return nil, err
		}
		shown, err := series.Parse(ctx, at)
		if err != nil {
			series.CloseAll(others)
			return nil, err
		}
		if smarts := alike(shown, others); smarts != "" {
			common[point.Label] = smarts
		}
	}
	return common, nil
}

// alike returns SMARTS of what nearly all groups have, the first one included, and others do not by chance; "" if there
// is nothing.
func alike(groups, others []*molecule.Molecule) string {
	const bound = 0.25 // of the atoms of molecules bear more than hydrogens at a point
	defer series.CloseAll(groups)
	defer series.CloseAll(others)
	of := func(kinds ...string) string { return "[#0]~[" + strings.Join(kinds, ";") + "]" }
	var shared []string
	number := element(groups[0])
	if number == "#1" {
		return ""
	}
	for _, kind := range slices.Concat([]string{"!#1", number}, kinds) {
		if kind == "A" && !slices.Contains(shared, number) { // anything but an aromatic ring is nothing in common
			continue
		}
		one, all := molecule.MustCompilePattern(of(kind)), molecule.MustCompilePattern(of(append(slices.Clone(shared), kind)...))
		usual, least := bound, float64(len(groups)) // a known hydrogen stays possible
		if kind != "!#1" && len(others) > 0 {
			usual, least = float64(len(series.Having(one, others)))/float64(len(others)), chance.NearlyAll*least
		}
		n := len(series.Having(all, groups))
		if all.In(groups[0]) && float64(n) >= least && chance.Rare(usual, n) {
			shared = append(shared, kind)
		}
	}
	if len(shared) == 0 {
		return ""
	}
	if len(shared) > 1 && shared[0] == "!#1" { // which the others imply
		shared = shared[1:]
	}
	return of(shared...)
}

// element returns SMARTS of the element of the atom by which a group is bound.
func element(group *molecule.Molecule) string {
	g := group.Graph()
	for i, a := range g.Atoms {
		if around := g.Neighbours()[i]; a.Number == 0 && len(around) > 0 {
			return fmt.Sprintf("#%d", g.Atoms[around[0].Atom].Number)
		}
	}
	return "*"
}

// cuts returns groups of other molecules (SMILES) that were bound to an atom like that of a point.
func cuts(ctx context.Context, library []string, point molecule.Point) ([]*molecule.Molecule, error) {
	all := make([]string, len(library))
	err := parallel.ForContext(ctx, len(library), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_ = molecule.Look(library[i], func(m *molecule.Molecule) { // with an error there is none
				all[i] = cut(m, point, rand.New(rand.NewPCG(0, uint64(i))))
			})
		}
	})
	if err != nil {
		return nil, err
	}
	return series.Parse(ctx, slices.DeleteFunc(all, func(g string) bool { return g == "" }))
}
