package molecules

import (
	"context"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/series"
)

// Usual is what molecules have no more of than known ones, whatever else they have.
type Usual struct {
	Warheads int // that several molecules have; 0 if hardly any has one

	// Open is how many atoms and double bonds without a configuration a molecule may have where configurations matter:
	// a fifth of the molecules, and five at least, have one. It is what nearly all have at most; otherwise it is the
	// zero Range.
	Open Range

	// Deprotonated says that no molecule has a cation with hydrogens: amines are drawn neutral, also those that are
	// protonated in water.
	Deprotonated bool

	// Configured are kinds of atoms and double bonds that nearly always have a configuration then; Limits knows them.
	Configured []string

	// Handed are configurations that a fifth of the molecules have, and five at least, while hardly any has the mirror
	// image, and none of the better half.
	Handed []uint64
}

// UsualOf returns what known molecules have, the greatest values first. Of more than a thousand a thousand are looked
// at. The error is molecule.ErrNoRDKit, or ctx's cause.
func UsualOf(ctx context.Context, known []Known) (u Usual, err error) {
	read, err := series.Parse(ctx, some(bestFirst(known)))
	if err != nil {
		return u, err
	}
	defer series.CloseAll(read)
	if len(read) == 0 {
		return u, nil
	}
	if u.Open, err = usualOpen(ctx, read); err != nil {
		return u, err
	}
	if u.Open != unlimited {
		if u.Configured, err = configured(ctx, read); err != nil {
			return u, err
		}
	}
	if u.Handed, err = handed(ctx, read); err != nil {
		return u, err
	}
	u.Deprotonated = !slices.ContainsFunc(read, protonated)
	u.Warheads, err = usualWarheads(ctx, read)
	return u, err
}

// usualWarheads returns the greatest number of warheads that some of the molecules have; 0 if hardly any has one.
func usualWarheads(ctx context.Context, all []*molecule.Molecule) (most int, _ error) {
	const some = 0.05 // of the molecules
	w, err := AtMost(0)
	if err != nil {
		return 0, err
	}
	counts := make([]int, len(all))
	err = parallel.ForContext(ctx, len(all), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			counts[i] = w.count(all[i])
		}
	})
	if err != nil {
		return 0, err
	}
	slices.Sort(counts)
	return counts[int((1-some)*float64(len(counts)-1))], nil
}

// usualOpen returns Usual's Open.
func usualOpen(ctx context.Context, all []*molecule.Molecule) (Range, error) {
	const (
		fewestConfigured = 5
		share            = 0.2
		beyond           = 0.05 // of the molecules may have more
	)
	configured := stats.Count(all, func(m *molecule.Molecule) bool { return strings.ContainsAny(m.SMILES(), `@/\`) })
	if configured < fewestConfigured || float64(configured) < share*float64(len(all)) {
		return Range{}, nil
	}
	open := make([]int, len(all))
	err := parallel.ForContext(ctx, len(all), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			open[i] = all[i].Undefined()
		}
	})
	if err != nil {
		return Range{}, err
	}
	slices.Sort(open)
	return Whole(0, open[int((1-beyond)*float64(len(open)-1))]), nil
}
