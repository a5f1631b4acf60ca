package tensor_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/tensor"
)

func TestBatchNormGrad(t *testing.T) {
	rng := newRand()
	x, gamma, beta := randomVar(rng, 7, 3), randomVar(rng, 1, 3), randomVar(rng, 1, 3)
	checkGrad(t, []*tensor.Var{x, gamma, beta}, func(tape *tensor.Tape) *tensor.Var {
		y, _, _ := tape.BatchNorm(x, gamma, beta, 1e-3)
		return y
	})
}

func TestNormalizeGrad(t *testing.T) {
	rng := newRand()
	x, gamma, beta := randomVar(rng, 7, 3), randomVar(rng, 1, 3), randomVar(rng, 1, 3)
	mean, variance := randomVar(rng, 1, 3), &tensor.Var{Data: []float32{0.5, 1, 2}, Rows: 1, Cols: 3}
	checkGrad(t, []*tensor.Var{x, gamma, beta}, func(tape *tensor.Tape) *tensor.Var {
		return tape.Normalize(x, gamma, beta, mean, variance, 1e-3)
	})
}

func TestBatchNormMoments(t *testing.T) {
	const n, c = 500, 3
	rng := newRand()
	x := randomVar(rng, n, c)
	for i := range n {
		x.Row(i)[1] += 1e4 // a mean far above the deviation
	}
	one := &tensor.Var{Data: []float32{1, 1, 1}, Rows: 1, Cols: c}
	zero := &tensor.Var{Data: make([]float32, c), Rows: 1, Cols: c}
	var tape tensor.Tape
	y, _, _ := tape.BatchNorm(x, one, zero, 0)
	for j := range c {
		var sum, squares float64
		for i := range n {
			v := float64(y.Row(i)[j])
			sum, squares = sum+v, squares+v*v
		}
		// float32 holds the large mean to half an ulp, 5·10⁻⁴ standard deviations.
		if mean, variance := sum/n, squares/n; math.Abs(mean) > 1e-3 || math.Abs(variance-1) > 1e-3 {
			t.Errorf("column %d: mean %g, variance %g; want 0, 1", j, mean, variance)
		}
	}
}
