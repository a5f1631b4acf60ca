package tensor_test

import (
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/tensor/tensortest"
)

// newRand returns the generator of a test. Its seed is one that puts no input on a kink.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

func TestLinearGrad(t *testing.T) {
	for _, tt := range []struct{ n, in, out int }{{1, 1, 1}, {3, 5, 2}, {5, 9, 6}} {
		rng := newRand()
		x, w, b := tensortest.Rand(rng, tt.n, tt.in), tensortest.Rand(rng, tt.in, tt.out), tensortest.Rand(rng, 1, tt.out)
		xs := []*tensor.Var{x, w, b}
		tensortest.CheckGrad(t, xs, func(tape *tensor.Tape) *tensor.Var { return tape.Linear(x, w, b) })
		tensortest.CheckGrad(t, xs, func(tape *tensor.Tape) *tensor.Var { return tape.LinearReLU(x, w, b) })
	}
}
