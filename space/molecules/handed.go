package molecules

import (
	"context"
	"maps"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// configurationRadius is how many bonds around a center, or a double bond, tell its configurations apart.
const configurationRadius = 3

// handed returns the configurations, as Graph.Configurations numbers them, that at least five molecules have, while
// hardly any has the mirror image, and none of the first five, which are the best: as all of the molecules are
// beta-D-glucosides, they do not tell what the scores of L-glucosides are. The error is ctx's cause.
func handed(ctx context.Context, all []*molecule.Molecule) ([]uint64, error) {
	const (
		fewest   = 5
		mirrored = 0.05 // of the molecules with either of the two configurations
		first    = 5
	)
	found := make([]molecule.Counts, len(all))
	err := parallel.ForContext(ctx, len(all), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			found[i] = all[i].Graph().Configurations(configurationRadius)
		}
	})
	if err != nil {
		return nil, err
	}
	have, best := map[uint64]int{}, map[uint64]bool{}
	for i, c := range found {
		for _, id := range c.IDs {
			have[id]++
			best[id] = best[id] || i < first
		}
	}
	maps.DeleteFunc(have, func(id uint64, n int) bool {
		return n < fewest || float64(have[^id]) > mirrored*float64(n+have[^id]) || best[^id]
	})
	return slices.Sorted(maps.Keys(have)), nil
}

// handedAlike reports whether a molecule has no mirror image of a configuration in Handed.
func (l Limits) handedAlike(m *molecule.Molecule) bool {
	if len(l.Handed) == 0 {
		return true
	}
	return !slices.ContainsFunc(m.Graph().Configurations(configurationRadius).IDs, func(id uint64) bool {
		_, ok := slices.BinarySearch(l.Handed, ^id)
		return ok
	})
}
