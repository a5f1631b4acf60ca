package tensor_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/tensor/tensortest"
)

func TestTokenConvGrad(t *testing.T) {
	for _, k := range []int{1, 2, 4} {
		rng := newRand()
		w, b := tensortest.Rand(rng, k*3, 4), tensortest.Rand(rng, 1, 4)
		tokens := []int32{0, 2, 1, 1, 2, 0, 2, 2} // two sequences of four
		tensortest.CheckGrad(t, []*tensor.Var{w, b}, func(tape *tensor.Tape) *tensor.Var {
			return tape.TokenConvReLU(tokens, 4, k, w, b)
		})
	}
}

// TokenConvReLU equals the convolution of the one-hot rows.
func TestTokenConvIsWindowsThenLinear(t *testing.T) {
	rng := newRand()
	const n, length, k, vocabulary, filters = 3, 7, 3, 5, 4
	w, b := tensortest.Rand(rng, k*vocabulary, filters), tensortest.Rand(rng, 1, filters)
	oneHot := &tensor.Var{Data: make([]float32, n*length*vocabulary), Rows: n * length, Cols: vocabulary}
	tokens := make([]int32, n*length)
	for i := range tokens {
		tokens[i] = rng.Int32N(vocabulary)
		oneHot.Row(i)[tokens[i]] = 1
	}
	var tape tensor.Tape
	got := tape.TokenConvReLU(tokens, length, k, w, b)
	want := tape.LinearReLU(tape.Windows(oneHot, length, k), w, b)
	if got.Rows != n*(length-k+1) || !slices.EqualFunc(got.Data, want.Data, near) {
		t.Errorf("TokenConvReLU (%d rows) = %v, want %v", got.Rows, got.Data, want.Data)
	}
}

// near reports whether two sums of a few values of size 1 agree up to rounding.
func near(a, b float32) bool { return a-b < 1e-5 && b-a < 1e-5 }

func TestWindowsGrad(t *testing.T) {
	rng := newRand()
	x := tensortest.Rand(rng, 2*5, 3)
	for _, k := range []int{1, 2, 5} {
		tensortest.CheckGrad(t, []*tensor.Var{x}, func(tape *tensor.Tape) *tensor.Var {
			return tape.Reshape(tape.Windows(x, 5, k), 1)
		})
	}
}
