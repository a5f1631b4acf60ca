package molecules

import (
	"context"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/chance"
	"github.com/invbo/invbo/space/internal/series"
)

// What cores cover a series.
const (
	mostCores    = 5
	shareOfCore  = 0.1 // of the molecules have a core at least
	fewestOfCore = 3   // likewise
)

// What tells several series from one.
const (
	timesLarger = 1.6  // atoms of the largest scaffold of a series, divided by those of the part that all series share, at least
	atomsLarger = 5    // atoms that this scaffold has more than that part, at least
	ofTwoSeries = 0.1  // share of the molecules that may have two of the scaffolds
	shareOfOne  = 0.15 // share of the molecules that have each scaffold, at least
	fewestOfOne = 5    // molecules that have each scaffold, at least

	// Series that substituents tell apart are two, with scaffolds that are most of the molecules, and each of which is
	// much larger than the part that both share: substituents are no cores.
	shareOfAtoms = 0.55
	timesEach    = 1.5 // atoms of each scaffold, divided by those of that part
	atomsEach    = 6   // atoms that each has more than that part
)

// want says whether a scaffold, whose pattern is p, is a core.
type want func(s Scaffold, p *molecule.Pattern) bool

// severalSeries returns the scaffolds of two series or more, which together are nearly all of the molecules; nil: the
// molecules are one series. shared is how many atoms the largest part has that all series share. No scaffold is smaller,
// and the largest is much larger, or all are where substituents tell them apart: the series share that part by chance
// then, as two kinds of kinase inhibitors both have an anilide.
func severalSeries(ctx context.Context, all, library []*molecule.Molecule, shared int) ([]Scaffold, error) {
	least := max(shared+atomsLarger, int(math.Ceil(timesLarger*float64(shared))))
	fewest := max(fewestOfOne, int(math.Ceil(shareOfOne*float64(len(all)))))
	ofAll := chance.NearlyAll * float64(len(all))
	large := func(s Scaffold) bool { return s.size() >= least }
	notSmaller := func(s Scaffold, _ *molecule.Pattern) bool { return s.size() >= shared }
	each := max(shared+atomsEach, int(math.Ceil(timesEach*float64(shared))))
	ofSome := func(s Scaffold, p *molecule.Pattern) bool {
		return s.size() >= each && float64(len(series.Having(p, all))) < ofAll
	}
	for _, way := range []struct {
		seeds  seeds
		wanted want
		most   int     // series
		share  float64 // of a molecule's atoms that are of its scaffold, at least, on average
	}{{bySystems, notSmaller, mostCores, 0}, {bySubstituents, ofSome, 2, shareOfAtoms}} {
		found, err := cores(ctx, all, library, fewest, way.seeds, way.wanted)
		if err != nil {
			return nil, err
		}
		if len(found) > way.most || !slices.ContainsFunc(found, large) {
			continue
		}
		if apart, share, err := areSeries(found, all); err != nil || apart && share >= way.share {
			return found, err
		}
	}
	return nil, nil
}

// areSeries reports whether hardly any molecule has two of some scaffolds, and which share of the atoms of a molecule
// are of its scaffold, on average.
func areSeries(found []Scaffold, all []*molecule.Molecule) (apart bool, share float64, _ error) {
	of := make([]int, len(all)) // scaffolds of each molecule
	for _, s := range found {
		p, err := s.Pattern()
		if err != nil {
			return false, 0, err
		}
		size := float64(s.size())
		for i, m := range all {
			if p.In(m) {
				of[i]++
				share += size / float64(m.HeavyAtoms()*len(all))
			}
		}
	}
	return float64(stats.Count(of, func(n int) bool { return n > 1 })) <= ofTwoSeries*float64(len(all)), share, nil
}

// coresBeside returns a few scaffolds such that nearly each molecule has one of them, which are no larger forms of
// scaffolds that nearly all molecules share; nil: there are none.
func coresBeside(ctx context.Context, all, library []*molecule.Molecule, shared []Scaffold) ([]Scaffold, error) {
	fewest := max(fewestOfCore, int(math.Ceil(shareOfCore*float64(len(all)))))
	return cores(ctx, all, library, fewest, bySystems, func(s Scaffold, p *molecule.Pattern) bool { return !isIn(shared, p) && !extends(s, shared) })
}

// cores returns a few scaffolds that are wanted, such that nearly each molecule has one of them, and fewest have each;
// nil: there are none. Molecules are sorted, the best first. It takes what all molecules share or, without that, those
// with the same seed, leaves out the molecules that have it, and goes on with the rest.
func cores(ctx context.Context, all, library []*molecule.Molecule, fewest int, seeds seeds, wanted want) (found []Scaffold, _ error) {
	left := all
	for float64(len(left)) > (1-chance.NearlyAll)*float64(len(all)) {
		if len(left) < fewest || len(found) == mostCores {
			return nil, nil
		}
		core, err := coreOfAll(ctx, left, library, wanted)
		for i := 0; err == nil && core == nil && i < len(left); i++ {
			core, err = coreOf(ctx, left[i], left, library, fewest, seeds, wanted)
		}
		if err != nil || core == nil {
			return nil, err
		}
		pattern, err := core.Pattern()
		if err != nil {
			return nil, err
		}
		found = append(found, *core)
		left = slices.DeleteFunc(slices.Clone(left), pattern.In)
	}
	if len(found) < 2 || len(left) > 0 && left[0] == all[0] { // one is a scaffold of all, or the best one has none
		return nil, nil
	}
	return found, nil
}

// coreOfAll returns the largest scaffold of the molecules that is wanted; nil: there is none.
func coreOfAll(ctx context.Context, all, library []*molecule.Molecule, wanted want) (*Scaffold, error) {
	found, err := scaffolds(ctx, all[0], all, library)
	if err != nil {
		return nil, err
	}
	var core *Scaffold
	for i, s := range found {
		pattern, err := s.Pattern()
		if err != nil {
			return nil, err
		}
		if wanted(s, pattern) && s.large() && (core == nil || len(s.SMILES) > len(core.SMILES)) {
			core = &found[i]
		}
	}
	return core, nil
}

// seeds returns parts of a molecule that a core may grow from, in the order in which they are tried.
type seeds func(ctx context.Context, m *molecule.Molecule, all []*molecule.Molecule) ([]part, error)

// bySystems returns the fused rings of a molecule, the largest first.
func bySystems(_ context.Context, m *molecule.Molecule, _ []*molecule.Molecule) (parts []part, _ error) {
	g := m.Graph()
	for _, rings := range fused(g) {
		parts = append(parts, nothing(g).with(addition{atoms: rings}))
	}
	slices.SortStableFunc(parts, func(a, b part) int { return b.size() - a.size() })
	return parts, nil
}

// bySubstituents returns parts that nearly all molecules share, each with a ring or an atom beside it that some have:
// those that most molecules have first. Two series with the same rings are told apart by these.
func bySubstituents(ctx context.Context, m *molecule.Molecule, all []*molecule.Molecule) (parts []part, _ error) {
	nearly := int(math.Ceil(chance.NearlyAll * float64(len(all))))
	systems, err := bySystems(ctx, m, all)
	if err != nil {
		return nil, err
	}
	with := map[*part]int{}
	var found []*part
	for _, shared := range systems {
		have, err := shared.having(ctx, all)
		if err != nil {
			return nil, err
		}
		if len(have) < nearly {
			continue
		}
		if shared, err = shared.grow(ctx, have, nearly); err != nil {
			return nil, err
		}
		for _, more := range shared.beside() {
			if more.any || more.loose {
				continue
			}
			p := shared.with(more)
			if have, err = p.having(ctx, all); err != nil {
				return nil, err
			}
			found = append(found, &p)
			with[&p] = len(have)
		}
	}
	slices.SortStableFunc(found, func(a, b *part) int { return with[b] - with[a] })
	for _, p := range found {
		parts = append(parts, *p)
	}
	return parts, nil
}

// coreOf returns the scaffold that nearly all molecules with the same seed as m share; nil: there is none. The scaffold
// has a ring, and is wanted.
func coreOf(ctx context.Context, m *molecule.Molecule, all, library []*molecule.Molecule, fewest int, seeds seeds, wanted want) (*Scaffold, error) {
	parts, err := seeds(ctx, m, all)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		with, err := p.having(ctx, all)
		if err != nil {
			return nil, err
		}
		if len(with) < fewest {
			continue
		}
		if p, err = p.grow(ctx, with, int(math.Ceil(chance.NearlyAll*float64(len(with))))); err != nil {
			return nil, err
		}
		s, pattern, err := p.scaffold(m)
		if err != nil {
			return nil, err
		}
		if n := len(series.Having(pattern, all)); wanted(s, pattern) && s.large() && n >= fewest && pattern.In(m) && series.Rare(pattern, library, n) {
			return &s, nil
		}
	}
	return nil, nil
}

// extends reports whether a scaffold is a larger form of one that all share: what more it has are substituents.
func extends(s Scaffold, shared []Scaffold) bool {
	return slices.ContainsFunc(shared, func(other Scaffold) bool {
		p, err := other.Pattern()
		return err == nil && other.large() && has(s.SMILES, p)
	})
}

// fused returns the atoms of rings that share some, together.
func fused(g molecule.Graph) (systems [][]int) {
	for _, ring := range g.Rings {
		system := slices.Clone(ring)
		var apart [][]int
		for _, other := range systems {
			if slices.ContainsFunc(other, func(i int) bool { return slices.Contains(system, i) }) {
				system = append(system, other...)
			} else {
				apart = append(apart, other)
			}
		}
		slices.Sort(system)
		systems = append(apart, slices.Compact(system))
	}
	return systems
}
