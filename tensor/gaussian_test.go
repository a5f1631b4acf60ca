package tensor_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/tensor"
)

func TestGaussianGrad(t *testing.T) {
	h, eps := randomVar(newRand(), 3, 8), randomVar(newRand(), 3, 4)
	checkGrad(t, []*tensor.Var{h}, func(tape *tensor.Tape) *tensor.Var {
		mu, logvar := tape.Gaussian(h, 1e-4)
		return tape.Sample(mu, logvar, eps)
	})
	checkGrad(t, []*tensor.Var{h}, func(tape *tensor.Tape) *tensor.Var { return tape.KL(tape.Gaussian(h, 1e-4)) })
}

func TestGaussian(t *testing.T) {
	const floor = 1e-4
	raw := []float32{-1000, -20, -1, 0, 1, 20, 1000} // softplus(-1000) = 0, softplus(1000) = 1000
	h := &tensor.Var{Data: append(make([]float32, len(raw)), raw...), Rows: 1, Cols: 2 * len(raw)}
	h.Data[3] = 5
	var tape tensor.Tape
	mu, logvar := tape.Gaussian(h, floor)
	for i, a := range raw {
		sigma := floor + max(float64(a), 0) + math.Log1p(math.Exp(-math.Abs(float64(a))))
		if got := math.Exp(0.5 * float64(logvar.Data[i])); mu.Data[i] != h.Data[i] || math.Abs(got/sigma-1) > 1e-5 {
			t.Errorf("at %g: mu %g, sigma %g; want %g, %g", a, mu.Data[i], got, h.Data[i], sigma)
		}
	}
}
