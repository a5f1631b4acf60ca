package evolve_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// describe has the operators of a space describe the children that they make.
func describe(s evolve.Space, description func(x string) (evolve.Description, error)) evolve.Space {
	s.Operators = slices.Clone(s.Operators)
	for i, op := range s.Operators {
		s.Operators[i].Make = func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
			children, err := op.Make(ctx, pairs, rng)
			for i, c := range children {
				if d, err := description(c.X); c.X != "" && err == nil {
					children[i].Description = &d
				}
			}
			return children, err
		}
	}
	return s
}

func proposed(s *study.Study) []string {
	var xs []string
	for _, t := range s.Trials() {
		xs = append(xs, t.X)
	}
	return xs
}

// A child that its operator has described is not read, and the search is the same. Groups that no kernel names do not
// matter.
func TestDescribedChildren(t *testing.T) {
	plain := space(alphabet)
	want := proposed(run(t, start(), searcher(t, plain, quick), study.Options{Budget: 30}))
	known := map[string]bool{} // strings that the study or the searcher may read
	for _, x := range want {
		known[x] = true
	}
	described := describe(plain, func(x string) (evolve.Description, error) {
		d, err := plain.Read(x)
		d.Groups = append(d.Groups, gp.Counts{IDs: []uint64{1}, N: []uint32{uint32(len(x))}})
		return d, err
	})
	var mu sync.Mutex
	described.Read = func(x string) (evolve.Description, error) {
		mu.Lock()
		defer mu.Unlock()
		if !known[x] {
			t.Errorf("%s was made and read", x)
		}
		return plain.Read(x)
	}
	if got := proposed(run(t, start(), searcher(t, described, quick), study.Options{Budget: 30})); !slices.Equal(got, want) {
		t.Errorf("trials\n%q with described children, want\n%q", got, want)
	}
}

// A child that is infeasible by its operator's description is not proposed.
func TestChildrenDescribedAsInfeasible(t *testing.T) {
	plain := space(alphabet)
	s := describe(plain, func(x string) (evolve.Description, error) {
		d, err := plain.Read(x)
		d.Infeasible = strings.Contains(x, "f")
		return d, err
	})
	st := run(t, start(), searcher(t, s, quick), study.Options{Budget: 30})
	for _, trial := range st.Trials() {
		if trial.Kind != study.Initial && strings.Contains(trial.X, "f") {
			t.Errorf("%s was proposed", trial.X)
		}
	}
}
