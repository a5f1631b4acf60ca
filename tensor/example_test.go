package tensor_test

import (
	"fmt"

	"github.com/invbo/invbo/tensor"
)

// The gradient of Σ xW with respect to x, which is the sum of each row of W.
func ExampleTape() {
	x := &tensor.Var{Data: []float32{1, 2}, Grad: make([]float32, 2), Rows: 1, Cols: 2}
	w := &tensor.Var{Data: []float32{1, 2, 3, 4, 5, 6}, Rows: 2, Cols: 3}
	b := &tensor.Var{Data: []float32{0, 0, 10}, Rows: 1, Cols: 3}
	var tape tensor.Tape
	y := tape.Linear(x, w, b)
	for i := range tape.Grad(y) {
		tape.Grad(y)[i] = 1 // of the sum
	}
	tape.Backward()
	fmt.Println(y.Data, x.Grad)
	// Output: [9 12 25] [6 15]
}
