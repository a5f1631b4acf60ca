package tensor_test

import (
	"testing"

	"github.com/invbo/invbo/tensor"
)

func TestFirstRowsGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{2, 4, 3})
	x := randomVar(newRand(), spans.Rows(), 3)
	checkGrad(t, []*tensor.Var{x}, func(tape *tensor.Tape) *tensor.Var { return tape.FirstRows(x, spans, 2) })
}

func TestFirstRows(t *testing.T) {
	x := &tensor.Var{Data: []float32{1, 2, 3, 4, 5, 6, 7}, Rows: 7, Cols: 1}
	var tape tensor.Tape
	if y := tape.FirstRows(x, tensor.NewSpans([]int{3, 2, 2}), 2); [6]float32(y.Data) != [6]float32{1, 2, 4, 5, 6, 7} {
		t.Errorf("FirstRows = %g", y.Data)
	}
}
