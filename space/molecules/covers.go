package molecules

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/chance"
	"github.com/invbo/invbo/space/internal/series"
)

// Limits of a set of substructures such that nearly each molecule has one of them.
const (
	mostCovers     = 5
	shareOfCover   = 0.1  // of the molecules have each of them
	fewestOfCover  = 8    // likewise
	shareOfTwo     = 0.1  // of the molecules with one have another, or the same at two places
	rareCover      = 0.02 // of a library have one of them
	fewestCompared = 50   // molecules of the library, from which the set tells the known ones
	mostCompared   = 400
	mostBases      = 10 // molecules whose parts are looked at
	mostBegun      = 4  // sets that are looked for
)

// covers returns two to five generic substructures, as SMARTS, such that at least a share of the molecules, the best
// included, have one of them, hardly any has two, and hardly any of a library has one; nil: there are none. Molecules
// are sorted, the best first. Like FOIL (Quinlan 1990), it looks for the part of the best molecule by which the most molecules
// differ from others, leaves out those that have it, and goes on with the rest.
func covers(ctx context.Context, best *molecule.Molecule, all, library []*molecule.Molecule, least float64) (set []string, _ error) {
	if len(all) < fewClosed || len(library) < fewestCompared {
		return nil, nil
	}
	known := skeletons(stats.Evenly(all, mostHosts))
	others := skeletons(stats.Evenly(library, mostCompared))
	fewest := max(fewestOfCover, int(math.Ceil(shareOfCover*float64(len(known)))))
	begun, err := skeletonOf(best).telling(ctx, known, nil, others, library, fewest)
	if err != nil {
		return nil, err
	}
	largest := 0 // atoms that the set tells of all molecules
	for _, first := range begun[:min(mostBegun, len(begun))] {
		found, err := first.complete(ctx, known, others, library, fewest)
		if err != nil {
			return nil, err
		}
		atoms, covered, twice := 0, 0, 0
		for _, g := range found {
			atoms += len(g.hosts) * len(g.atoms)
		}
		for _, m := range all {
			switch n := stats.Count(found, func(g generic) bool { return g.pattern.In(m) }); {
			case n > 1:
				twice++
				covered++
			case n > 0:
				covered++
			}
		}
		if len(found) < 2 || float64(covered) < least*float64(len(all)) || float64(twice) > shareOfTwo*float64(len(all)) {
			continue
		}
		if set != nil && cmp.Or(len(found)-len(set), largest-atoms) >= 0 { // of more parts each says more of what varies
			continue
		}
		largest, set = atoms, nil
		for _, g := range found {
			set = append(set, g.smarts())
		}
	}
	return set, nil
}

// complete returns a set that begins with a substructure, and that nearly each known molecule has one of; nil: there is
// none.
func (g generic) complete(ctx context.Context, known, others []*skeleton, library []*molecule.Molecule, fewest int) ([]generic, error) {
	found, left := []generic{g}, g.rest(known)
	for bases := left; float64(len(left)) > (1-chance.NearlyAll)*float64(len(known)); {
		if len(left) < fewest || len(found) == mostCovers || len(bases) == 0 || len(left)-len(bases) == mostBases {
			return nil, nil
		}
		covered := slices.DeleteFunc(slices.Clone(known), func(s *skeleton) bool { return slices.Contains(left, s) })
		more, err := bases[0].telling(ctx, left, covered, others, library, fewest)
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			bases = bases[1:]
			continue
		}
		found, left = append(found, more[0]), more[0].rest(left)
		bases = left
	}
	return found, nil
}

// rest returns the molecules without the substructure.
func (g generic) rest(all []*skeleton) []*skeleton {
	return slices.DeleteFunc(slices.Clone(all), func(s *skeleton) bool {
		return slices.ContainsFunc(g.hosts, func(h host) bool { return h.of == s })
	})
}

// telling returns the parts of a molecule that many of the known ones have, hardly any of those that are covered, and
// hardly any other, those that the most have first.
func (s *skeleton) telling(ctx context.Context, known, covered, others []*skeleton, library []*molecule.Molecule, fewest int) (all []generic, _ error) {
	for i, k := range s.kinds {
		if k.number == 6 {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		few := int(rareCover * float64(len(others)))
		g, ok := s.seed(i, known).tell(hostsOf(k, covered), hostsOf(k, others), fewest, few)
		if !ok {
			continue
		}
		g = g.grow(fewest, true).trim().close()
		if len(g.atoms) < leastMotif-1 {
			continue
		}
		var err error
		if g.pattern, err = molecule.CompilePattern(g.smarts()); err != nil {
			return nil, err
		}
		if float64(len(series.Having(g.pattern, library))) <= rareCover*float64(len(library)) {
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b generic) int {
		return cmp.Or(len(b.hosts)-len(a.hosts), len(b.atoms)-len(a.atoms))
	})
	return all, nil
}

// tell grows the substructure by what tells its hosts best from others, until few of these have it, and hardly any that
// is covered. Hosts that have it at two places count as well: it is a part of something larger. ok: it tells them.
func (g generic) tell(covered, others []host, fewest, few int) (_ generic, ok bool) {
	for {
		elsewhere := len(covered) + stats.Count(g.hosts, host.twice)
		before := information(len(g.hosts), len(others)+elsewhere)
		ok = len(g.hosts) >= fewest && len(others) <= few && float64(elsewhere) <= shareOfTwo*float64(len(g.hosts))
		var next step
		best := 0.0
		if !ok { // two steps may tell more where one tells less
			best = math.Inf(-1)
		}
		for _, s := range g.steps() {
			s = g.exact(s)
			p, n := s.fits(g.hosts), s.fits(covered)+s.fits(others)
			gain := func(twice int) float64 { return float64(p) * (before - information(p, n+twice)) }
			if p < fewest || gain(0) <= best {
				continue
			}
			if gain := gain(stats.Count(s.hostsAfter(g.hosts), host.twice)); gain > best {
				best, next = gain, s
			}
		}
		if next.orders == 0 {
			return g, ok
		}
		g, covered, others = g.take(next, next.hostsAfter(g.hosts)), next.hostsAfter(covered), next.hostsAfter(others)
	}
}

// twice reports whether a host has the substructure at two places.
func (h host) twice() bool {
	return slices.ContainsFunc(h.places, func(place []int) bool {
		return !slices.ContainsFunc(place, func(i int) bool { return slices.Contains(h.places[0], i) })
	})
}

// information returns how many bits tell that one of p known molecules and n others is known.
func information(p, n int) float64 { return -math.Log2(float64(p) / float64(p+n)) }

// fits returns how many hosts take a step.
func (s step) fits(hosts []host) int {
	return stats.Count(hosts, func(h host) bool {
		return slices.ContainsFunc(h.places, func(place []int) bool {
			if s.atom < 0 {
				b := h.of.bond(place[s.from], place[s.to])
				return b >= 0 && s.takes(seen{orders: h.of.orders[b]})
			}
			return slices.ContainsFunc(h.of.around[place[s.from]], func(n molecule.Neighbour) bool {
				return s.takes(seen{h.of.kinds[n.Atom], h.of.orders[n.Bond]}) && !slices.Contains(place, n.Atom)
			})
		})
	})
}
