package molecules

import (
	"context"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// configurationRadius is how many bonds around a center, or a double bond, tell its configurations apart.
const configurationRadius = 3

// handed returns the configurations, as Graph.Configurations numbers them, that a fifth of the molecules have, and five
// at least, while hardly any has the mirror image, and none of the better half: as all of the molecules are
// beta-D-glucosides, they do not tell what the scores of L-glucosides are. Molecules are sorted, the best first. The
// error is ctx's cause.
func handed(ctx context.Context, all []*molecule.Molecule) (ids []uint64, _ error) {
	const (
		fewest   = 5
		share    = 0.2
		mirrored = 0.05 // of the molecules with either of the two configurations
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
	have, good := map[uint64]int{}, map[uint64]bool{}
	for i, c := range found {
		for _, id := range c.IDs {
			have[id]++
			good[id] = good[id] || i < (len(all)+1)/2
		}
	}
	for id, n := range have {
		mirrors := have[^id]
		often := n >= fewest && float64(n) >= share*float64(len(all))
		if often && !good[^id] && float64(mirrors) <= mirrored*float64(n+mirrors) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
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
