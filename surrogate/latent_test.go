package surrogate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/surrogate"
)

// The points that Fit holds out to validate the network, IDs 4, 9 and so on, train nothing between fits either: whatever
// their scores, the model after an update's steps is the same. The paper's model holds out none.
func TestTrainerHoldsOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var z [][]float64
	var y []float64
	var id []int
	for i := range 30 {
		z = append(z, []float64{rng.NormFloat64(), rng.NormFloat64()})
		y = append(y, math.Sin(z[i][0])+z[i][1])
		id = append(id, i)
	}
	// loss at the points after a fit and steps at which held-out scores are off by so much
	after := func(s surrogate.Trainable, off float64) float64 {
		if err := s.Fit(t.Context(), surrogate.Data{Points: surrogate.Points{Z: z}, Y: y, ID: id}, rand.New(rand.NewPCG(3, 4))); err != nil {
			t.Fatal(err)
		}
		moved := append([]float64(nil), y...)
		for i := 4; i < len(y); i += 5 {
			moved[i] += off
		}
		step := s.Trainer(1e-2)
		for range 5 {
			_, grad, err := step(z, moved, id)
			if err != nil {
				t.Fatal(err)
			}
			if grad[4][0] == 0 {
				t.Error("a held-out point has no gradient in z")
			}
		}
		loss, _, err := s.Loss(z, y)
		if err != nil {
			t.Fatal(err)
		}
		return loss
	}
	if a, b := after(surrogate.NewLatent(), 0), after(surrogate.NewLatent(), 5); a != b {
		t.Errorf("loss %g or %g after steps, depending on held-out scores", a, b)
	}
	if a, b := after(surrogate.NewPublished(), 0), after(surrogate.NewPublished(), 5); a == b {
		t.Errorf("loss %g after the published steps, whatever the scores of every fifth point", a)
	}
}
