package evolve

import "math"

// now returns the phase that the search is in, and the first of the acquired points that it looks at.
//
// A search that has acquired as many scored strings as Options.Patience without a new best has mostly found a local optimum, around
// which its surrogate is sure of everything. It then restarts: it begins again from the strings that were given, and looks at
// nothing else that it found before; the study keeps it from asking for anything twice. When the restart is stuck, too, by its own
// best, the search continues with all strings, so that what both found can be crossed. So phases with all strings are even, and
// restarts odd.
func (s *Searcher) now() (phase, from int) {
	if s.opts.Patience < 0 {
		return 0, 0
	}
	given, own, stuck := math.Inf(-1), math.Inf(-1), 0 // best of what was given, and of what the phase looks at
	best := given
	for i, p := range s.points {
		switch {
		case p.gone:
			continue
		case !p.acquired:
			if !p.violates {
				given, own, best = max(given, p.y), max(own, p.y), max(best, p.y)
			}
			continue
		case !p.violates && p.y > own:
			own, stuck = p.y, 0
			best = max(best, own)
		default:
			stuck++
		}
		if stuck < s.opts.Patience {
			continue
		}
		phase, from, own, stuck = phase+1, 0, best, 0
		if phase%2 == 1 {
			from, own = i+1, given
		}
	}
	return phase, from
}
