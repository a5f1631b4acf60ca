package evolve_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// Whatever usable numbers are told, the search goes on: no score, standard error, replicate or outcome stops it.
func TestNoAnswerStopsTheSearch(t *testing.T) {
	absurd := []float64{-1e100, -1e99, -1e55, -1e9, -1000, -1e-300, 0, 1e-300, 1e-9, 1000, 1e9, 1e55, 1e99, 1e100}
	raw, standardise := gp.Raw, gp.Standardise
	transforms := []*gp.Transform{nil, &raw, &standardise}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		opts := quick
		opts.Seed, opts.Children, opts.Generations = seed, 30, 2
		opts.Transform = transforms[rng.IntN(len(transforms))]
		p := start()
		p.Minimize = rng.IntN(2) == 0
		p.Constraints = []study.Constraint{{Outcome: "other", Op: "<", Bound: 1}}
		s := begin(t, p, searcher(t, space(alphabet), opts), study.Options{Budget: 100})
		poison := func() float64 {
			if rng.IntN(3) > 0 {
				return float64(rng.IntN(9))
			}
			return absurd[rng.IntN(len(absurd))]
		}
		for range 4 {
			asked, err := s.Ask(t.Context(), 4)
			if err != nil {
				t.Fatalf("seed %d: ask: %v", seed, err)
			}
			for _, q := range asked {
				for range 1 + rng.IntN(3) {
					a := study.Answer{ID: q.ID}
					a.Score, a.Others = poison(), map[string]float64{"other": poison()}
					if rng.IntN(2) == 0 {
						a.SE = math.Abs(poison())
					}
					if rng.IntN(5) == 0 {
						a.Bound = study.Bound(rng.IntN(3) - 1)
					}
					if err := s.Tell(t.Context(), a); err != nil {
						t.Fatalf("seed %d: tell %+v: %v", seed, a, err)
					}
				}
			}
			if _, _, _, err := s.BestExpected(t.Context()); err != nil {
				t.Fatalf("seed %d: expected: %v", seed, err)
			}
		}
	}
}

// One absurd measurement of a string changes little of what the search thinks of the others.
func TestContradictionsAreSetAside(t *testing.T) {
	predicted := func(more ...study.Answer) (mean, sd []float64) {
		e := searcher(t, space(alphabet), evolve.Options{Children: 30, Generations: 2})
		s := begin(t, start(), e, study.Options{Budget: 100})
		asked, err := s.Ask(t.Context(), 6)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range asked {
			if err := s.Tell(t.Context(), study.Answer{ID: q.ID, Result: sites(q.Input)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Tell(t.Context(), more...); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Ask(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if mean, sd, err = e.Predict(t.Context(), []string{"facedbeadfaa", "aaaaaaaaaaaa"}); err != nil {
			t.Fatal(err)
		}
		return mean, sd
	}
	mean, sd := predicted()
	for _, v := range []float64{-1000, -1e99, 1e99} {
		for i, m := range mean {
			got, _ := predicted(study.Answer{ID: 1, Result: oracle.Result{Score: v}})
			if math.Abs(got[i]-m) > sd[i] {
				t.Errorf("with a replicate of %g string %d is predicted to have %g, without it %g ± %g", v, i, got[i], m, sd[i])
			}
		}
	}
}
