package evolve

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/invbo/invbo/study"
)

// drifting is how many strings Space.Drift is asked for: of these the surrogate takes those with the greatest means.
const drifting = 100

// drifted reports whether a record is that of Space.Drift.
func (s *Searcher) drifted(op int) bool { return s.space.Drift != nil && op == len(s.records)-2 }

// drift returns new feasible strings of Space.Drift. It adds their number to made.
func (s *Searcher) drift(b *search, known study.Ledger) []candidate {
	if s.space.Drift == nil || s.space.Only != nil || s.objectives != nil || b.a.random != nil || s.opts.Greedy {
		return nil
	}
	var scored []Known
	for _, t := range b.trials {
		k := Known{X: s.form(t), Value: t.Value}
		if t.Violates(s.constraints) != "" {
			k.Value = math.Inf(-1)
		}
		scored = append(scored, k)
	}
	var children []Child
	seen := map[string]bool{}
	for _, x := range s.space.Drift(scored, drifting, b.rng) {
		if input := s.input(x); !seen[input] && known.Lookup(x).State.Open() {
			seen[input] = true
			children = append(children, Child{X: x})
		}
	}
	return s.candidates(&b.a, children, &s.reader.lately, len(s.records)-2, b.made)
}

// drifts draws whether the next string of a batch is of Space.Drift, or of operators. Either has a chance to find a
// string better than all before, with a Beta distribution given how often it did: the one with the greater draw is
// taken (Thompson 1933).
func (s *Searcher) drifts(rng *rand.Rand) bool {
	var chosen, improved [2]int
	for op, r := range s.records {
		way := 0
		if s.drifted(op) {
			way = 1
		}
		chosen[way] += r.Chosen
		improved[way] += r.Improved
	}
	var chance [2]float64
	for way := range chance {
		chance[way] = distuv.Beta{Alpha: 1 + float64(improved[way]), Beta: 1 + float64(max(0, chosen[way]-improved[way])), Src: rng}.Rand()
	}
	return chance[1] > chance[0]
}
