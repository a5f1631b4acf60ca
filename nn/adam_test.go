package nn_test

import (
	"math"
	"slices"
	"testing"

	"github.com/invbo/invbo/nn"
)

// Adam equals a plain implementation of Algorithm 1 of Kingma & Ba 2015.
func TestAdam(t *testing.T) {
	p := bound(func(p *nn.Params) { p.Add("w", 1, 2, nn.Constant(1)) })
	adam := nn.NewAdam(2, 0.1)
	adam.Beta2 = 0.98
	w, m, v := []float64{1, 1}, []float64{0, 0}, []float64{0, 0}
	for step := 1; step <= 5; step++ {
		for i := range w {
			g := w[i] * float64(1+99*i)
			p.Grad[i] = p.Data[i] * float32(1+99*i)
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = 0.98*v[i] + 0.02*g*g
			w[i] -= 0.1 * m[i] / (1 - math.Pow(0.9, float64(step))) / (math.Sqrt(v[i]/(1-math.Pow(0.98, float64(step)))) + 1e-8)
		}
		adam.Step(p)
		for i := range w {
			if math.Abs(float64(p.Data[i])-w[i]) > 1e-5 {
				t.Errorf("step %d: w[%d] = %g, want %g", step, i, p.Data[i], w[i])
			}
		}
		if !slices.Equal(p.Grad, []float32{0, 0}) {
			t.Errorf("step %d: gradients = %v after Step, want 0", step, p.Grad)
		}
	}
}

func TestClipNorm(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := []struct {
		grad, want []float32
		norm       float64
	}{
		{[]float32{3, 4}, []float32{0.6, 0.8}, 5},
		{[]float32{0.3, 0.4}, []float32{0.3, 0.4}, 0.5},
		{[]float32{0, 0}, []float32{0, 0}, 0},
		{[]float32{3, nan}, []float32{3, nan}, math.NaN()},
		{[]float32{nan, inf}, []float32{nan, inf}, math.NaN()},
		{[]float32{3, -inf}, []float32{0, nan}, math.Inf(1)},
	}
	near := func(a, b float64) bool { return a == b || a != a && b != b || math.Abs(a-b) < 1e-6 }
	for _, tt := range tests {
		grad := slices.Clone(tt.grad)
		norm := nn.ClipNorm(grad, 1)
		if !near(norm, tt.norm) || !slices.EqualFunc(grad, tt.want, func(a, b float32) bool { return near(float64(a), float64(b)) }) {
			t.Errorf("ClipNorm(%v) = %g, %v; want %g, %v", tt.grad, norm, grad, tt.norm, tt.want)
		}
	}
}

func TestCosine(t *testing.T) {
	for step, want := range map[int]float64{0: 2, 25: 1 + math.Sqrt2/2, 50: 1, 100: 0} {
		if got := nn.Cosine(2, step, 100); math.Abs(got-want) > 1e-12 {
			t.Errorf("Cosine(2, %d, 100) = %g, want %g", step, got, want)
		}
	}
}
