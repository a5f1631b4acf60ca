package nn_test

import (
	"math"
	"slices"
	"testing"

	"github.com/invbo/invbo/nn"
)

// Adam64's moments are weighted means of the gradients so far: with weights 0.9 and 1, and 0.999 and 1.
func TestAdam64(t *testing.T) {
	z := []float64{5, -1}
	g1, g2 := []float64{2, -0.5}, []float64{-1, -3}
	want := slices.Clone(z)
	for k := range z {
		want[k] -= 0.1 * g1[k] / (math.Abs(g1[k]) + 1e-8)
		want[k] -= 0.1 * (0.9*g1[k] + g2[k]) / 1.9 / (math.Sqrt((0.999*g1[k]*g1[k]+g2[k]*g2[k])/1.999) + 1e-8)
	}
	opt := &nn.Adam64{LearningRate: 0.1}
	opt.Step(z, g1)
	opt.Step(z, g2)
	for k := range z {
		if math.Abs(z[k]-want[k]) > 1e-12 {
			t.Errorf("after two steps at %v, want %v", z, want)
		}
	}
}
