package tensortest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/tensor/tensortest"
)

var t *testing.T // the argument of a test

// The test of an operation: here a linear layer.
func ExampleCheckGrad() {
	rng := rand.New(rand.NewPCG(1, 1))
	x, w, b := tensortest.Rand(rng, 3, 4), tensortest.Rand(rng, 4, 2), tensortest.Rand(rng, 1, 2)
	tensortest.CheckGrad(t, []*tensor.Var{x, w, b}, func(tape *tensor.Tape) *tensor.Var { return tape.Linear(x, w, b) })
}

func TestExampleCheckGrad(test *testing.T) {
	t = test
	ExampleCheckGrad()
}
