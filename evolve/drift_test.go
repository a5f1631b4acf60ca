package evolve_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

// Drift is given what is known, best or not, and strings of it are proposed: of those, what is known, what cannot be
// read and what the surrogate expects less of are left out. Where only they find better ones they soon have most of
// each batch.
func TestDrift(t *testing.T) {
	const budget = 60
	s := space(alphabet)
	s.Operators = s.Operators[1:2] // shifts
	rng := rand.New(rand.NewPCG(5, 5))
	asked := 0
	s.Drift = func(known []evolve.Known, n int, rng *rand.Rand) []string {
		asked++
		if n != 100 || !slices.ContainsFunc(known, func(k evolve.Known) bool { return k.Value == float64(strings.Count(k.X, "f")) }) {
			t.Errorf("asked for %d strings, given %v", n, known)
		}
		best := slices.MaxFunc(known, func(a, b evolve.Known) int { return int(a.Value - b.Value) }).X
		made := []string{best, "not a word"}
		for i := range best {
			made = append(made, best[:i]+"f"+best[i+1:])
		}
		return made
	}
	p := study.Problem{Init: initial(words(8, 60, rng)...), Oracle: oracle.Func(func(x string) oracle.Result {
		return oracle.Result{Score: float64(strings.Count(x, "f"))}
	})}
	e := searcher(t, s, quick)
	st := run(t, p, e, study.Options{Budget: budget, Batch: 5})
	r := e.Records()[1]
	if r.Operator != "drift" || r.Chosen < budget/2 || r.Improved == 0 || asked != budget/5 {
		t.Errorf("asked %d times, %+v; want at least %d strings of %d", asked, r, budget/2, budget)
	}
	for _, trial := range st.Trials() {
		if trial.X == "not a word" {
			t.Error("proposed what is no word")
		}
	}
	if all := e.Records(); all[0].Chosen+r.Chosen+all[2].Chosen != budget {
		t.Errorf("%+v; want %d chosen in all", all, budget)
	}
}

// What operators have found, too, is not proposed twice.
func TestDriftOfFewStrings(t *testing.T) {
	const budget = 60
	s := space("abcd")
	s.Drift = func(known []evolve.Known, n int, rng *rand.Rand) (made []string) {
		for range n {
			x := []byte(known[rng.IntN(len(known))].X)
			x[rng.IntN(len(x))] = "abcd"[rng.IntN(4)]
			made = append(made, string(x))
		}
		return made
	}
	rng := rand.New(rand.NewPCG(7, 7))
	var init []string
	for range 10 {
		x := make([]byte, 6)
		for i := range x {
			x[i] = "abcd"[rng.IntN(4)]
		}
		init = append(init, string(x))
	}
	p := study.Problem{Init: initial(init...), Oracle: oracle.Func(func(x string) oracle.Result {
		return oracle.Result{Score: float64(strings.Count(x, "d"))}
	})}
	e := searcher(t, s, quick)
	run(t, p, e, study.Options{Budget: budget, Batch: 5})
	chosen := 0
	for _, r := range e.Records() {
		chosen += r.Chosen
	}
	if chosen != budget {
		t.Errorf("%d strings are chosen for %d calls", chosen, budget)
	}
}

// drifting is a space with a Drift that needs no more than strings of one length.
func drifting() evolve.Space {
	s := space(alphabet)
	s.Drift = func(known []evolve.Known, n int, rng *rand.Rand) (made []string) {
		for range n {
			x := []byte(known[rng.IntN(len(known))].X)
			for range 4 {
				x[rng.IntN(len(x))] = alphabet[rng.IntN(len(alphabet))]
			}
			made = append(made, string(x))
		}
		return made
	}
	return s
}

func TestDriftSearcher(t *testing.T) {
	studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) {
		return start(), searcher(t, drifting(), quick)
	})
}

// Strings that violate constraints are known by the least value, and where only some strings may be proposed, nothing
// drifts.
func TestDriftInBounds(t *testing.T) {
	s := drifting()
	drift := s.Drift
	least := 0
	p := constrained()
	s.Drift = func(known []evolve.Known, n int, rng *rand.Rand) []string {
		for _, k := range known {
			a, e := strings.Count(k.X, "a"), strings.Count(k.X, "e")
			if math.IsInf(k.Value, -1) != (a < 1 || e > 1) {
				t.Errorf("%q has the value %g, with %d a and %d e", k.X, k.Value, a, e)
			}
			if math.IsInf(k.Value, -1) {
				least++
			}
		}
		return drift(known, n, rng)
	}
	run(t, p, searcher(t, s, quick), study.Options{Budget: 10, Batch: 5})
	if least == 0 {
		t.Error("no string violates a constraint")
	}
	s.Only = words(200, 12, rand.New(rand.NewPCG(7, 7)))
	s.Drift = func([]evolve.Known, int, *rand.Rand) []string {
		t.Error("asked for strings beside the only ones")
		return nil
	}
	run(t, start(), searcher(t, s, quick), study.Options{Budget: 10, Batch: 5})
}
