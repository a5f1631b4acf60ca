package tensor

import (
	"math"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// linearRows is how many rows are one goroutine's task.
const linearRows = 512

// Linear returns y = xW + b (n, out) for x (n, in), w (in, out) and b (1, out), or nil for none.
func (t *Tape) Linear(x, w, b *Var) *Var { return t.linear(x, w, b, false) }

// LinearReLU returns y = max(0, xW + b), with the shapes of Linear.
func (t *Tape) LinearReLU(x, w, b *Var) *Var { return t.linear(x, w, b, true) }

func (t *Tape) linear(x, w, b *Var, relu bool) *Var {
	mustShape("Linear", "w", w, x.Cols, w.Cols)
	if b != nil {
		mustShape("Linear", "b", b, 1, w.Cols)
	}
	y := t.result(x.Rows, w.Cols, x, w, b)
	t.affine(y.Data, x, w, b)
	if relu {
		simd.ReLU(y.Data, y.Data)
	}
	t.record(record{backward: linearBackward, y: y, x: [3]*Var{x, w, b}, relu: relu})
	return y
}

func linearBackward(t *Tape, r *record) {
	if r.relu {
		reluMask(r.y)
	}
	t.affineBackward(r.y.Grad, r.x[0], r.x[1], r.x[2])
}

// affine writes xW + b to y.
func (t *Tape) affine(y []float32, x, w, b *Var) {
	in, out := x.Cols, w.Cols
	if b != nil {
		copyRows(y, b.Data)
	}
	if w.frozen == nil {
		simd.Gemm(false, false, x.Rows, out, in, x.Data, in, w.Data, out, y, out, b != nil)
		return
	}
	packed := w.frozen.pack(w, false)
	parallel.For(x.Rows, linearRows, func(lo, hi int) {
		simd.GemmPacked(false, hi-lo, x.Data[lo*in:], in, packed, y[lo*out:], out, b != nil)
	})
}

// affineBackward adds the gradients of y = xW + b, given dy: ∂x = dyWᵀ, ∂W = xᵀdy, ∂b = Σᵢ dyᵢ.
func (t *Tape) affineBackward(dy []float32, x, w, b *Var) {
	n, in, out := x.Rows, x.Cols, w.Cols
	switch {
	case x.Grad == nil:
	case w.frozen == nil:
		simd.Gemm(false, true, n, in, out, dy, out, w.Data, out, x.Grad, in, true)
	default:
		packed := w.frozen.pack(w, true)
		parallel.For(n, linearRows, func(lo, hi int) {
			simd.GemmPacked(false, hi-lo, dy[lo*out:], out, packed, x.Grad[lo*in:], in, true)
		})
	}
	if w.Grad != nil {
		simd.Gemm(true, false, in, out, n, x.Data, in, dy, out, w.Grad, out, true)
	}
	if b != nil && b.Grad != nil {
		addRows(b.Grad, dy)
	}
}

// copyRows sets each row of y (n, len(row)) to row.
func copyRows(y, row []float32) {
	for ; len(y) > 0; y = y[len(row):] {
		copy(y, row)
	}
}

// addRows adds the rows of a (n, len(sum)) to sum.
func addRows(sum, a []float32) {
	for ; len(a) > 0; a = a[len(sum):] {
		simd.Add(sum, sum, a[:len(sum)])
	}
}

// reluMask turns the gradient of y = max(0, x) into that of x, in place. Which units are on is hard to
// predict; on bits it takes no branch.
func reluMask(y *Var) {
	grad := y.Grad[:len(y.Data)]
	for i, v := range y.Data {
		bits := math.Float32bits(grad[i])
		if v <= 0 {
			bits = 0
		}
		grad[i] = math.Float32frombits(bits)
	}
}
