package evolve_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/pareto"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

// motifs counts two motifs that compete for letters.
func motifs(x string) oracle.Result {
	one, two := 0.0, 0.0
	for i := range len(x) - 2 {
		switch x[i : i+3] {
		case "aba":
			one++
		case "cdc":
			two++
		}
	}
	return oracle.Result{Score: one, Others: map[string]float64{"one": one, "two": two}}
}

// twoMotifs is the problem of as many of both motifs as fit in words of eight letters.
func twoMotifs(seed uint64) study.Problem {
	return study.Problem{
		Oracle: oracle.Func(motifs), Init: initial(words(20, 8, rand.New(rand.NewPCG(seed, 1)))...),
		Objectives: []study.Objective{{Name: "one"}, {Name: "two"}},
	}
}

// wholeFront returns the values on the front of all words of eight letters, each once.
func wholeFront() (front [][]float64) {
	x := make([]byte, 8)
	seen := map[[2]float64]bool{}
	for i := range 1 << 16 { // of the letters a to d, as the motifs have no others
		for j := range x {
			x[j] = "abcd"[i>>(2*j)&3]
		}
		r := motifs(string(x))
		if v := [2]float64{r.Others["one"], r.Others["two"]}; !seen[v] {
			seen[v] = true
			front = append(front, v[:])
		}
	}
	var best [][]float64
	for _, i := range pareto.Front(front) {
		best = append(best, front[i])
	}
	return best
}

func TestFrontSearcher(t *testing.T) {
	studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) {
		return twoMotifs(1), searcher(t, space(alphabet), quick)
	})
}

// The whole front is found, which brute force over all words knows.
func TestWholeFront(t *testing.T) {
	want := wholeFront()
	if len(want) < 3 {
		t.Fatalf("the front has %d points; want a trade-off", len(want))
	}
	found := 0
	for seed := range uint64(5) {
		p := twoMotifs(seed)
		st := run(t, p, searcher(t, space(alphabet), evolve.Options{Seed: seed}), study.Options{Budget: 300 - len(p.Init)})
		f := study.FrontOf(st.Trials(), p.Objectives, nil)
		missing := slices.DeleteFunc(slices.Clone(want), func(v []float64) bool {
			return slices.ContainsFunc(f.Values, func(w []float64) bool { return slices.Equal(v, w) })
		})
		volumes := study.Hypervolumes(st.Trials(), p.Objectives, nil, []float64{-1, -1})
		t.Log(seed, len(missing), missing, slices.Index(volumes, volumes[len(volumes)-1]))
		if len(missing) == 0 {
			found++
		}
	}
	if found < 4 {
		t.Errorf("the whole front of %d points was found with %d of 5 seeds, want 4", len(want), found)
	}
}
