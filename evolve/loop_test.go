package evolve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// No operator is starved: all get about as many pairs of parents, and the number of children asked for in all.
func TestOperatorsMakeAsManyChildren(t *testing.T) {
	const children, generations = 300, 20
	asked, serial := make([]int, 3), 0
	l := loop{children: children, generations: generations, judge: func(xs []Child) ([]float64, []bool) {
		ok := make([]bool, len(xs))
		for i := range ok {
			ok[i] = true
		}
		return make([]float64, len(xs)), ok
	}}
	for o := range asked {
		l.operators = append(l.operators, Operator{Name: fmt.Sprint(o), Make: func(_ context.Context, pairs [][2]string, _ *rand.Rand) ([]Child, error) {
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
	if _, _, err := l.run(t.Context(), []candidate{{x: "start", op: -1, known: true}}, rand.New(rand.NewPCG(1, 2))); err != nil {
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
