package tensor

import (
	"math"

	"github.com/invbo/invbo/internal/simd"
)

// Linear returns y = xW + b (n, out) for x (n, in), w (in, out) and b (1, out).
func (t *Tape) Linear(x, w, b *Var) *Var { return t.linear(x, w, b, false) }

// LinearReLU returns y = max(0, xW + b), with the shapes of Linear.
func (t *Tape) LinearReLU(x, w, b *Var) *Var { return t.linear(x, w, b, true) }

func (t *Tape) linear(x, w, b *Var, relu bool) *Var {
	mustShape("Linear", "w", w, x.Cols, w.Cols)
	mustShape("Linear", "b", b, 1, w.Cols)
	y := t.result(x.Rows, w.Cols, x, w, b)
	affine(y.Data, x, w, b)
	if relu {
		simd.ReLU(y.Data, y.Data)
	}
	t.record(record{backward: linearBackward, y: y, x: [3]*Var{x, w, b}, relu: relu})
	return y
}

func linearBackward(_ *Tape, r *record) {
	if r.relu {
		reluMask(r.y)
	}
	affineBackward(r.y.Grad, r.x[0], r.x[1], r.x[2])
}

// affine writes xW + b to y.
func affine(y []float32, x, w, b *Var) {
	n, in, out := x.Rows, x.Cols, w.Cols
	copyRows(y, b.Data)
	simd.Gemm(false, false, n, out, in, x.Data, in, w.Data, out, y, out, true)
}

// affineBackward adds the gradients of y = xW + b, given dy: ∂x = dyWᵀ, ∂W = xᵀdy, ∂b = Σᵢ dyᵢ.
func affineBackward(dy []float32, x, w, b *Var) {
	n, in, out := x.Rows, x.Cols, w.Cols
	if x.Grad != nil {
		simd.Gemm(false, true, n, in, out, dy, out, w.Data, out, x.Grad, in, true)
	}
	if w.Grad != nil {
		simd.Gemm(true, false, in, out, n, x.Data, in, dy, out, w.Grad, out, true)
	}
	if b.Grad != nil {
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
