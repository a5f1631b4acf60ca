package tensor

import (
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// linearRows is the number of rows per parallel task.
const linearRows = 512

// Linear returns y = xW + b (n, out) for x (n, in), w (in, out) and b (1, out). A nil b is no bias.
func (t *Tape) Linear(x, w, b *Var) *Var { return t.linear(x, w, b, false) }

// LinearReLU returns y = max(0, xW + b), with the shapes of Linear.
func (t *Tape) LinearReLU(x, w, b *Var) *Var { return t.linear(x, w, b, true) }

func (t *Tape) linear(x, w, b *Var, relu bool) *Var {
	mustShape("Linear", "w", w, x.Cols, w.Cols)
	var bias []float32
	if b != nil {
		mustShape("Linear", "b", b, 1, w.Cols)
		bias = b.Data
	}
	y := t.passing(x.Rows, w.Cols, x, w, b)
	packed := t.pack(w, false)
	parallel.For(x.Rows, linearRows, func(lo, hi int) {
		simd.Affine(hi-lo, x.Data[lo*x.Cols:], x.Cols, packed, bias, relu, y.Data[lo*y.Cols:], y.Cols)
	})
	t.record(y, func() { // ∂x = dyWᵀ, ∂W = xᵀdy, ∂b = Σᵢ dyᵢ
		in, out := x.Cols, w.Cols
		if relu {
			simd.ReLUGrad(y.Grad, y.Data)
		}
		if x.Grad != nil {
			packed := t.pack(w, true)
			parallel.For(x.Rows, linearRows, func(lo, hi int) {
				simd.GemmPacked(false, hi-lo, y.Grad[lo*out:], out, packed, x.Grad[lo*in:], in, true)
			})
		}
		switch {
		case w.Grad == nil:
		case x.Rows <= linearRows:
			simd.GemmSerial(true, in, out, x.Rows, x.Data, in, y.Grad, out, w.Grad, out, true)
		default:
			simd.Gemm(true, false, in, out, x.Rows, x.Data, in, y.Grad, out, w.Grad, out, true)
		}
		if b != nil && b.Grad != nil {
			addRows(b.Grad, y.Grad)
		}
	})
	return y
}

// addRows adds the rows of a (n, len(sum)) to sum.
func addRows(sum, a []float32) {
	for ; len(a) > 0; a = a[len(sum):] {
		simd.Add(sum, sum, a[:len(sum)])
	}
}
