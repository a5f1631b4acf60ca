package molecules

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// configured returns the kinds of centers and double bonds that nearly always have a configuration in known molecules,
// and have it in at least five of them. A molecule that lacks the configuration, such as a sugar with a carbon that an
// edit has flattened, is unlike the known ones.
func configured(ctx context.Context, all []*molecule.Molecule) ([]string, error) {
	const (
		fewest = 5
		open   = 0.05 // of the molecules with such a site may leave it open
	)
	defined, undefined := make([]map[string]bool, len(all)), make([][]string, len(all))
	err := parallel.ForContext(ctx, len(all), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			defined[i], undefined[i] = definedKinds(all[i]), slices.Compact(undefinedKinds(all[i]))
		}
	})
	if err != nil {
		return nil, err
	}
	with, without := map[string]int{}, map[string]int{}
	for i := range all {
		for kind := range defined[i] {
			with[kind]++
		}
		for _, kind := range undefined[i] {
			without[kind]++
		}
	}
	maps.DeleteFunc(with, func(kind string, n int) bool {
		return n < fewest || float64(without[kind]) > open*float64(n+without[kind])
	})
	return slices.Sorted(maps.Keys(with)), nil
}

// definedKinds returns the kinds of the centers and double bonds that have a configuration.
func definedKinds(m *molecule.Molecule) map[string]bool {
	g, kinds := m.Graph(), map[string]bool{}
	for _, c := range g.Centers {
		kinds[around(g, c.Atom, -1)] = true
	}
	for _, d := range g.DoubleBonds {
		kinds[ends(g, d.Bond)] = true
	}
	return kinds
}

// undefinedKinds returns the kinds of those that could have one and have none, in ascending order.
func undefinedKinds(m *molecule.Molecule) (kinds []string) {
	g := m.Graph()
	atoms, bonds := m.UndefinedSites()
	for _, i := range atoms {
		kinds = append(kinds, around(g, i, -1))
	}
	for _, i := range bonds {
		kinds = append(kinds, ends(g, i))
	}
	slices.Sort(kinds)
	return kinds
}

// around returns the kind of an atom: its element, and for each bond but one whether that is in a ring, with the
// neighbor's element and whether that is unsaturated. Where an edit changes what is further away, the kind stays.
func around(g molecule.Graph, atom, but int) string {
	neighbours := g.Neighbours()
	var all []string
	for _, n := range neighbours[atom] {
		if n.Bond == but {
			continue
		}
		b, kind := g.Bonds[n.Bond], "-"
		if b.InRing {
			kind = "@"
		}
		unsaturated := slices.ContainsFunc(neighbours[n.Atom], func(to molecule.Neighbour) bool { return g.Bonds[to.Bond].Order > 1 })
		if kind += fmt.Sprint(g.Atoms[n.Atom].Number); unsaturated {
			kind += "="
		}
		all = append(all, kind)
	}
	slices.Sort(all)
	return fmt.Sprint(g.Atoms[atom].Number) + strings.Join(all, "")
}

// ends returns the kind of a double bond: those of its atoms.
func ends(g molecule.Graph, bond int) string {
	b := g.Bonds[bond]
	both := []string{around(g, b.Begin, bond), around(g, b.End, bond)}
	slices.Sort(both)
	return strings.Join(both, "/")
}
