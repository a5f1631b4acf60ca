package tensor_test

import (
	"testing"

	"github.com/invbo/invbo/tensor"
)

func TestAddLayerNormGrad(t *testing.T) {
	for _, tt := range []struct{ n, c int }{{4, 3}, {3, 16}, {2, 33}, {70, 2}} {
		rng := newRand()
		x, y := randomVar(rng, tt.n, tt.c), randomVar(rng, tt.n, tt.c)
		for i := range x.Data { // the variance of few columns is often so small that finite differences of its root are inaccurate
			x.Data[i] += float32(4 * (i % tt.c))
		}
		gamma, beta := randomVar(rng, 1, tt.c), randomVar(rng, 1, tt.c)
		checkGrad(t, []*tensor.Var{x, y, gamma, beta}, func(tape *tensor.Tape) *tensor.Var {
			return tape.AddLayerNorm(x, y, gamma, beta, 1e-5)
		})
	}
}
