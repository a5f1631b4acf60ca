package tensor_test

import (
	"testing"

	"github.com/invbo/invbo/tensor"
)

// A convolution of one-hot rows adds up rows of the weights.
func TestConvolutionOfOneHot(t *testing.T) {
	rng := newRand()
	const n, length, k, vocabulary, filters = 3, 7, 3, 5, 4
	w, b := randomVar(rng, k*vocabulary, filters), randomVar(rng, 1, filters)
	oneHot := &tensor.Var{Data: make([]float32, n*length*vocabulary), Rows: n * length, Cols: vocabulary}
	tokens := make([]int, n*length)
	for i := range tokens {
		tokens[i] = rng.IntN(vocabulary)
		oneHot.Row(i)[tokens[i]] = 1
	}
	var tape tensor.Tape
	y := tape.LinearReLU(tape.Windows(oneHot, length, k), w, b)
	if y.Rows != n*(length-k+1) {
		t.Fatalf("%d rows, want %d", y.Rows, n*(length-k+1))
	}
	for row := range y.Rows {
		first := row/(length-k+1)*length + row%(length-k+1)
		for filter, got := range y.Row(row) {
			want := b.Data[filter]
			for j := range k {
				want += w.Row(j*vocabulary + tokens[first+j])[filter]
			}
			if want = max(want, 0); !near(got, want) {
				t.Errorf("y[%d, %d] = %g, want %g", row, filter, got, want)
			}
		}
	}
}

// near reports whether two sums of a few values of size 1 agree up to rounding.
func near(a, b float32) bool { return a-b < 1e-5 && b-a < 1e-5 }

func TestWindowsGrad(t *testing.T) {
	rng := newRand()
	x := randomVar(rng, 2*5, 3)
	for _, k := range []int{1, 2, 5} {
		checkGrad(t, []*tensor.Var{x}, func(tape *tensor.Tape) *tensor.Var {
			return tape.Reshape(tape.Windows(x, 5, k), 1)
		})
	}
}
