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

func TestClippedStep(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := []struct {
		grad []float32
		norm float64
		m    []float32 // moments after the step, a tenth of the clipped gradient
	}{
		{[]float32{3, 4}, 5, []float32{0.06, 0.08}},
		{[]float32{0.3, 0.4}, 0.5, []float32{0.03, 0.04}},
		{[]float32{0, 0}, 0, []float32{0, 0}},
		{[]float32{3, nan}, math.NaN(), nil},
		{[]float32{nan, inf}, math.NaN(), nil},
		{[]float32{3, -inf}, math.Inf(1), nil},
	}
	for _, tt := range tests {
		p := bound(func(p *nn.Params) { p.Add("w", 1, 2, nn.Constant(1)) })
		adam := nn.NewAdam(2, 0.1)
		copy(p.Grad, tt.grad)
		norm, err := adam.ClippedStep(p, 1)
		if norm != tt.norm && math.Abs(norm-tt.norm) > 1e-6 || math.IsNaN(norm) != math.IsNaN(tt.norm) || (err == nil) != (tt.m != nil) {
			t.Errorf("gradient %v: norm %g, error %v; want norm %g", tt.grad, norm, err, tt.norm)
		}
		if err != nil && (adam.Steps != 0 || p.Data[0] != 1 || p.Data[1] != 1) {
			t.Errorf("gradient %v: %d steps to %v in spite of the error", tt.grad, adam.Steps, p.Data)
		}
		for i, want := range tt.m {
			if math.Abs(float64(adam.M[i]-want)) > 1e-7 {
				t.Errorf("gradient %v: moments %v, want %v", tt.grad, adam.M, tt.m)
			}
		}
		if !slices.Equal(p.Grad, []float32{0, 0}) {
			t.Errorf("gradient %v: gradients %v after the step, want 0", tt.grad, p.Grad)
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
