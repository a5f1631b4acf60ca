package evolve

import (
	"math"

	"github.com/invbo/invbo/study"
)

// phase is a part of the search. Odd phases are restarts: of the acquired strings, their surrogate and population use only those
// proposed in the phase. The zero phase uses all strings.
type phase struct {
	Number int
	First  int // batch with which it began; 0: the first
}

func (p phase) restart() bool { return p.Number%2 == 1 }

// sees reports whether the phase's surrogate and population use a trial with a score.
func (p phase) sees(t *study.Trial) bool {
	return !p.restart() || p.owns(t) || t.Kind != study.Acquired
}

// owns reports whether a trial was proposed in the phase.
func (p phase) owns(t *study.Trial) bool { return t.Kind == study.Acquired && t.Batch >= p.First }

// next returns the phase in which a batch is proposed.
//
// After Options.Patience scored proposals without a new best, the search is probably in a local optimum: the surrogate is certain
// about everything near it. It restarts from the strings that were given. It keeps what it has learned about failures and
// constraints, and the study never lets it propose a string twice. Once the restart has no new best of its own for as long, the
// search continues with all strings, which allows crosses between both optima.
func (s *Searcher) next(batch int) phase {
	if s.opts.Patience < 0 || s.objectives != nil { // a front has no one optimum to be stuck in
		return s.phase
	}
	best, stuck := math.Inf(-1), 0
	for i := range s.trials {
		if t := &s.trials[i]; !s.phase.owns(t) && s.phase.sees(t) && t.Counts(s.constraints) {
			best = max(best, t.Value)
		}
	}
	for i := range s.trials {
		switch t := &s.trials[i]; {
		case t.State != study.Scored || !s.phase.owns(t):
		case t.Value > best && t.Counts(s.constraints):
			best, stuck = t.Value, 0
		default:
			stuck++
		}
	}
	nowhere := math.IsInf(best, -1) && !s.phase.restart() // no string keeps the constraints: there is no optimum to leave
	if stuck < s.opts.Patience || nowhere {
		return s.phase
	}
	return phase{s.phase.Number + 1, batch}
}
