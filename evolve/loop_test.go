package evolve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// No operator is starved: all get about as many pairs of parents, and the number of children asked for in all.
func TestOperatorsMakeAsManyChildren(t *testing.T) {
	const children, generations = 300, 20
	asked, serial := make([]int, 3), 0
	space := Space{Kernels: []gp.Term{{}}, Read: lettersOf}
	for o := range asked {
		space.Operators = append(space.Operators, Operator{Name: fmt.Sprint(o), Make: func(_ context.Context, pairs [][2]string, _ *rand.Rand) ([]Child, error) {
			asked[o] += len(pairs)
			if o == 0 {
				return make([]Child, len(pairs)), nil // it never succeeds
			}
			xs := make([]Child, len(pairs))
			for i := range xs {
				serial++
				xs[i].X = fmt.Sprint(serial)
			}
			return xs, nil
		}})
	}
	s, err := New(space, Options{Children: children, Generations: generations})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range scoredWords(20, pairs) {
		trial := study.Trial{Proposal: study.Proposal{ID: i + 1, X: p.x, Input: p.x, Kind: study.Initial}, State: study.Scored, Value: p.y}
		if err := s.Observe(t.Context(), trial); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Propose(t.Context(), ledger{}, 1); err != nil {
		t.Fatal(err)
	}
	total := 0
	for o, n := range asked {
		total += n
		if share := float64(n) / (children * generations); share < 0.3 || share > 0.37 {
			t.Errorf("operator %d was asked for %.3f of the children", o, share)
		}
	}
	if total != children*generations {
		t.Errorf("%d children, want %d", total, children*generations)
	}
}
