package tensor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/tensor"
)

// randomVar returns a Var (rows, cols) of standard normal draws, with a gradient.
func randomVar(rng *rand.Rand, rows, cols int) *tensor.Var {
	v := &tensor.Var{Data: make([]float32, rows*cols), Grad: make([]float32, rows*cols), Rows: rows, Cols: cols}
	for i := range v.Data {
		v.Data[i] = float32(rng.NormFloat64())
	}
	return v
}

// checkGrad compares the gradient of Σᵢ cᵢyᵢ with respect to each of xs, for random c and y = op(tape), with
// central differences of step h = 2⁻⁷. Their error is O(h²) plus about 2⁻²⁴·|y|/h from rounding y to float32, so
// gradients must agree to 1 % of the largest in each of xs, plus 10⁻³.
//
// It also checks that op gives the same gradient for each of xs when only that one has a gradient. Inputs must
// be more than h away from kinks.
func checkGrad(t *testing.T, xs []*tensor.Var, op func(*tensor.Tape) *tensor.Var) {
	t.Helper()
	const h = 0x1p-7
	var tape tensor.Tape
	var c []float64
	value := func() (sum float64) {
		tape.Reset()
		for i, y := range op(&tape).Data {
			sum += c[i] * float64(y)
		}
		return sum
	}
	y := op(&tape)
	rng := rand.New(rand.NewPCG(3, uint64(len(y.Data))))
	for range y.Data {
		c = append(c, rng.NormFloat64())
	}
	backward := func() {
		tape.Reset()
		y := op(&tape)
		for i := range tape.Grad(y) {
			y.Grad[i] = float32(c[i])
		}
		tape.Backward()
	}
	for _, x := range xs {
		clear(x.Grad)
	}
	backward()
	grads := make([][]float32, len(xs))
	for k, x := range xs {
		grads[k] = append([]float32(nil), x.Grad...)
	}
	for k, x := range xs {
		want := make([]float64, len(x.Data))
		largest := 0.0
		for i, v := range x.Data {
			x.Data[i] = v + h
			up, upAt := value(), x.Data[i]
			x.Data[i] = v - h
			down, downAt := value(), x.Data[i]
			x.Data[i] = v
			want[i] = (up - down) / float64(upAt-downAt)
			largest = max(largest, math.Abs(want[i]))
		}
		bound := 1e-2*largest + 1e-3
		compareGrad(t, fmt.Sprintf("∂/∂x%d", k), grads[k], want, bound)

		others := make([][]float32, len(xs))
		for j, other := range xs {
			others[j], other.Grad = other.Grad, nil
		}
		x.Grad = make([]float32, len(x.Data))
		backward()
		compareGrad(t, fmt.Sprintf("∂/∂x%d alone", k), x.Grad, want, bound)
		for j, other := range xs {
			other.Grad = others[j]
		}
	}
}

func compareGrad(t *testing.T, name string, got []float32, want []float64, bound float64) {
	t.Helper()
	for i, w := range want {
		if !(math.Abs(float64(got[i])-w) <= bound) { // written this way, NaN fails
			t.Errorf("%s[%d] = %g, finite differences %g ± %g", name, i, got[i], w, bound)
		}
	}
}
