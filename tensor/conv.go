package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/simd"
)

// Windows returns every window of k consecutive rows of n sequences x (n·length, channels), flattened:
// (n·(length−k+1), k·channels). A 1-D convolution is Windows followed by Linear.
func (t *Tape) Windows(x *Var, length, k int) *Var {
	n, out := windows(x.Rows, length, k)
	y := t.result(n*out, k*x.Cols, x)
	for i := range n {
		for p := range out {
			copy(y.Row(i*out+p), x.Data[(i*length+p)*x.Cols:])
		}
	}
	t.record(record{backward: windowsBackward, y: y, x: [4]*Var{x}, length: length, width: k})
	return y
}

func windowsBackward(_ *Tape, r *record) {
	x := r.x[0]
	n, out := windows(x.Rows, r.length, r.width)
	for i := range n {
		for p := range out {
			dx := x.Grad[(i*r.length+p)*x.Cols:][:r.y.Cols]
			simd.Add(dx, dx, r.y.Grad[(i*out+p)*r.y.Cols:][:r.y.Cols])
		}
	}
}

// Reshape returns a view of x with cols columns.
func (t *Tape) Reshape(x *Var, cols int) *Var {
	v := t.vars.next()
	*v = Var{Data: x.Data, Grad: t.Grad(x), Rows: len(x.Data) / cols, Cols: cols}
	return v
}

// windows returns the number of sequences and the number of windows of k rows per sequence.
func windows(rows, length, k int) (n, out int) {
	if k < 1 || k > length || rows%length != 0 {
		panic(fmt.Sprintf("tensor: Windows: %d rows do not divide into sequences of %d rows with windows of %d", rows, length, k))
	}
	return rows / length, length - k + 1
}
