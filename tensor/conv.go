package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/simd"
)

// Windows returns every window of k consecutive rows of n sequences x (n·length, channels), flattened:
// (n·(length−k+1), k·channels). A 1-D convolution is Windows followed by Linear.
func (t *Tape) Windows(x *Var, length, k int) *Var {
	if k < 1 || k > length || x.Rows%length != 0 {
		panic(fmt.Sprintf("tensor: Windows: %d rows do not divide into sequences of %d rows with windows of %d", x.Rows, length, k))
	}
	n, out := x.Rows/length, length-k+1
	y := t.result(n*out, k*x.Cols, x)
	for i := range n {
		for p := range out {
			copy(y.Row(i*out+p), x.Data[(i*length+p)*x.Cols:])
		}
	}
	t.record(y, func() {
		for i := range n {
			for p := range out {
				dx := x.Grad[(i*length+p)*x.Cols:][:y.Cols]
				simd.Add(dx, dx, y.Grad[(i*out+p)*y.Cols:][:y.Cols])
			}
		}
	})
	return y
}

// Reshape returns a view of x with cols columns.
func (t *Tape) Reshape(x *Var, cols int) *Var {
	v := t.vars.next()
	*v = Var{Data: x.Data, Grad: t.Grad(x), Rows: len(x.Data) / cols, Cols: cols}
	return v
}
