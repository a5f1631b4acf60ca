package evolve

import "math"

// phase is a part of the search. In restarts, which are the odd ones, surrogate and population know of the acquired strings only
// those that were proposed since the phase began.
type phase struct {
	Number int
	First  int // batch with which it began; 0: the first
}

func (p phase) restart() bool { return p.Number%2 == 1 }

// sees reports whether a point is in the surrogate and the population.
func (p phase) sees(q point) bool { return !p.restart() || p.owns(q) || !q.acquired }

// owns reports whether a point was proposed in the phase.
func (p phase) owns(q point) bool { return q.acquired && q.batch >= p.First }

// next returns the phase in which a batch is proposed.
//
// A search that has acquired as many scored strings as Options.Patience without a new best has mostly found a local optimum, around
// which its surrogate is sure of everything. It then restarts: it begins again from the strings that were given. What it knows of
// failures and constraints it keeps, and the study keeps it from asking for a string twice. When the restart is stuck, too, by its
// own best, the search continues with all strings, so that what both found can be crossed.
func (s *Searcher) next(batch int) phase {
	if s.opts.Patience < 0 {
		return s.phase
	}
	best, stuck := math.Inf(-1), 0
	for _, p := range s.points {
		if !s.phase.owns(p) && s.phase.sees(p) && !p.gone && !p.violates {
			best = max(best, p.y)
		}
	}
	for _, p := range s.points {
		switch {
		case p.gone || !s.phase.owns(p):
		case !p.violates && p.y > best:
			best, stuck = p.y, 0
		default:
			stuck++
		}
	}
	if stuck < s.opts.Patience || math.IsInf(best, -1) { // as long as no string keeps the constraints there is nothing to leave
		return s.phase
	}
	return phase{s.phase.Number + 1, batch}
}
