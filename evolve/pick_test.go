package evolve

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// refusing is a ledger of strings that are all new; x is not feasible.
type refusing struct {
	study.Ledger
	x string
}

func (refusing) Left() int                 { return 100 }
func (refusing) Pending() []study.Proposal { return nil }
func (refusing) Lookup(x string) study.Trial {
	return study.Trial{Proposal: study.Proposal{X: x, Input: x}}
}
func (r refusing) Feasible(input string) (bool, error) {
	return input != r.x, nil
}

// A string of Space.Drift that is not feasible leaves the first string of a batch its beta, so that it is the one with
// the greatest bound and not the one with the greatest mean.
func TestRefusedDriftKeepsBeta(t *testing.T) {
	nothing := func(context.Context, [][2]string, *rand.Rand) ([]Child, error) { return nil, nil }
	s, err := New(Space{
		Operators: []Operator{{Name: "none", Make: nothing}}, Kernels: []gp.Term{{Kernel: gp.Overlap}}, Read: lettersOf,
		Drift: func([]Known, int, *rand.Rand) []string { return nil },
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var points []point
	for i, x := range []string{"aaaa", "aaab", "aabb", "abbb", "bbbb", "babb"} {
		points = append(points, point{trial: i, x: x, y: float64(i)})
	}
	if err := s.model.fit(t.Context(), points, len(points)); err != nil {
		t.Fatal(err)
	}
	drift := len(s.records) - 2
	s.records[drift].Chosen, s.records[drift].Improved = 1000, 1000 // it is as good as certain to be tried first
	s.records[0].Chosen = 1000
	found := []candidate{{x: "bbbb"}, {x: "zyxwvuts"}, {x: "babbb", op: drift}} // the second is unlike all that is known
	for _, beta := range []float64{1e-6, 1e6} {
		a := &acquisition{beta: beta, best: 1, doubt: &s.model, unit: 1, widen: 1}
		batch, _, err := s.pick(refusing{x: "babbb"}, a, found, 1, rand.New(rand.NewPCG(1, 1)))
		if err != nil || len(batch) != 1 {
			t.Fatalf("%v, %v; want a string", batch, err)
		}
		want := "bbbb"
		if beta > 1 {
			want = "zyxwvuts"
		}
		if batch[0].X != want {
			t.Errorf("with beta %g the first string is %s, want %s", beta, batch[0].X, want)
		}
	}
}
