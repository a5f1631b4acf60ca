package evolve

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/study"
)

// restartsFrom is how many of the given strings a restart uses, drawn anew for each. With all of thousands it would go
// where the search was stuck.
const restartsFrom = 200

// phase is a part of the search. Odd phases are restarts: of the acquired strings, their surrogate and population use
// only those proposed in the phase, and of the given ones at most a number. The zero phase uses all strings.
type phase struct {
	Number int
	First  int // batch with which it began; 0: the first
}

func (p phase) restart() bool { return p.Number%2 == 1 }

// sees returns whether the surrogate and the population of a phase use a trial with a score.
func (s *Searcher) sees(p phase) func(t *study.Trial) bool {
	if !p.restart() {
		return func(*study.Trial) bool { return true }
	}
	lot := func(t *study.Trial) uint64 { return rand.NewPCG(s.opts.Seed+uint64(p.Number), uint64(t.ID)).Uint64() }
	var lots []uint64 // of given strings with a score
	for i := range s.trials {
		if t := &s.trials[i]; t.Kind != study.Acquired && t.State == study.Scored {
			lots = append(lots, lot(t))
		}
	}
	most := uint64(math.MaxUint64)
	if len(lots) > restartsFrom {
		slices.Sort(lots)
		most = lots[restartsFrom-1]
	}
	return func(t *study.Trial) bool { return p.owns(t) || t.Kind != study.Acquired && lot(t) <= most }
}

// owns reports whether a trial was proposed in the phase.
func (p phase) owns(t *study.Trial) bool { return t.Kind == study.Acquired && t.Batch >= p.First }

// next returns the phase in which a batch is proposed.
//
// After Options.Patience scored proposals without a new best, the search is probably in a local optimum: the surrogate
// is certain about everything near it. It restarts from strings that were given. It keeps what it has learned about
// failures and constraints, and the study never lets it propose a string twice. Once the restart has no new best of its
// own for as long, the search continues with all strings, which allows crosses between both optima.
func (s *Searcher) next(batch int) phase {
	if s.opts.Patience < 0 || s.objectives != nil { // a front has no one optimum to be stuck in
		return s.phase
	}
	best, stuck, sees := math.Inf(-1), 0, s.sees(s.phase)
	for i := range s.trials {
		if t := &s.trials[i]; !s.phase.owns(t) && sees(t) && t.Counts(s.constraints) {
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
