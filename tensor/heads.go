package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/simd"
)

// HeadProducts multiplies each head of each row of x by that head's part of w. For the d columns of x from col on, in
// heads of c = d/heads columns, and w (d, n),
//
//	y[i·heads + h, :] = x[i, col+h·c : col+(h+1)·c] · w[h·c : (h+1)·c, :]
//
// The result is (rows of x · heads, n). If transposed, w is stored as (n, d). It panics if heads does not divide d.
func (t *Tape) HeadProducts(x *Var, col int, w *Var, transposed bool, heads int) *Var {
	d, n := w.Rows, w.Cols
	if transposed {
		d, n = n, d
	}
	if heads < 1 || d%heads != 0 || col < 0 || col+d > x.Cols {
		panic(fmt.Sprintf("tensor: HeadProducts: %d heads of %d columns from column %d of %d", heads, d, col, x.Cols))
	}
	y := t.passing(x.Rows*heads, n, x, w)
	if x.Rows == 0 {
		return y
	}
	c, ld := d/heads, heads*n
	head := c * n // distance of heads in w
	if transposed {
		head = c
	}
	for h := range heads {
		simd.Gemm(false, transposed, x.Rows, n, c, x.Data[col+h*c:], x.Cols, w.Data[h*head:], w.Cols, y.Data[h*n:], ld, false)
	}
	t.record(y, func() {
		for h := range heads {
			from, dy := col+h*c, y.Grad[h*n:]
			if x.Grad != nil {
				simd.Gemm(false, !transposed, x.Rows, c, n, dy, ld, w.Data[h*head:], w.Cols, x.Grad[from:], x.Cols, true)
			}
			switch {
			case w.Grad == nil:
			case transposed:
				simd.GemmSerial(true, n, c, x.Rows, dy, ld, x.Data[from:], x.Cols, w.Grad[h*head:], w.Cols, true)
			default:
				simd.GemmSerial(true, c, n, x.Rows, x.Data[from:], x.Cols, dy, ld, w.Grad[h*head:], w.Cols, true)
			}
		}
	})
	return y
}
