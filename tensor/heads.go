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
	r := record{backward: headProductsBackward, x: [4]*Var{x, w}, heads: heads, width: col, transposed: transposed}
	d, n := r.headShape()
	if heads < 1 || d%heads != 0 || col < 0 || col+d > x.Cols {
		panic(fmt.Sprintf("tensor: HeadProducts: %d heads of %d columns from column %d of %d", heads, d, col, x.Cols))
	}
	r.y = t.passing(x.Rows*heads, n, x, w)
	if x.Rows == 0 {
		return r.y
	}
	for h := range heads {
		from, block := r.head(h)
		simd.Gemm(false, transposed, x.Rows, n, d/heads, x.Data[from:], x.Cols, w.Data[block:], w.Cols, r.y.Data[h*n:], heads*n, false)
	}
	t.record(r)
	return r.y
}

// headShape returns the columns of x that are multiplied, and those of a product.
func (r *record) headShape() (d, n int) {
	if w := r.x[1]; r.transposed {
		return w.Cols, w.Rows
	}
	return r.x[1].Rows, r.x[1].Cols
}

// head returns where head h starts in x and in w.
func (r *record) head(h int) (x, w int) {
	d, n := r.headShape()
	c := d / r.heads
	if r.transposed {
		return r.width + h*c, h * c
	}
	return r.width + h*c, h * c * n
}

func headProductsBackward(_ *Tape, r *record) {
	x, w := r.x[0], r.x[1]
	d, n := r.headShape()
	c, ld := d/r.heads, r.heads*n
	for h := range r.heads {
		from, block := r.head(h)
		dy := r.y.Grad[h*n:]
		if x.Grad != nil {
			simd.Gemm(false, !r.transposed, x.Rows, c, n, dy, ld, w.Data[block:], w.Cols, x.Grad[from:], x.Cols, true)
		}
		switch {
		case w.Grad == nil:
		case r.transposed:
			simd.GemmSerial(true, n, c, x.Rows, dy, ld, x.Data[from:], x.Cols, w.Grad[block:], w.Cols, true)
		default:
			simd.GemmSerial(true, c, n, x.Rows, x.Data[from:], x.Cols, dy, ld, w.Grad[block:], w.Cols, true)
		}
	}
}
