package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/simd"
)

// TokenConvReLU is a 1-D convolution of one-hot vectors (no padding, stride 1) with a bias and a ReLU. For n
// sequences of length tokens (n·length in total) it returns (n·(length−k+1), filters),
//
//	y[i, p] = max(0, b + Σⱼ w[j·vocabulary + tokens[i, p+j]])    j = 0…k−1
//
// with w (k·vocabulary, filters) and b (1, filters): it gathers rows of w instead of multiplying. tokens must
// not change before Backward. TokenConvReLU panics if a token is not in 0 … vocabulary−1.
func (t *Tape) TokenConvReLU(tokens []int32, length, k int, w, b *Var) *Var {
	vocabulary, filters := w.Rows/k, w.Cols
	mustShape("TokenConvReLU", "w", w, k*vocabulary, filters)
	mustShape("TokenConvReLU", "b", b, 1, filters)
	for i, token := range tokens {
		if token < 0 || int(token) >= vocabulary { // would read the weights of another j
			panic(fmt.Sprintf("tensor: TokenConvReLU: token %d is %d, want 0 to %d", i, token, vocabulary-1))
		}
	}
	n, out := windows("TokenConvReLU", len(tokens), length, k)
	y := t.result(n*out, filters, w, b)
	for i := range n {
		for p := range out {
			row := y.Row(i*out + p)
			copy(row, b.Data)
			for j, token := range tokens[i*length+p:][:k] {
				simd.Add(row, row, w.Row(j*vocabulary+int(token)))
			}
		}
	}
	simd.ReLU(y.Data, y.Data)
	t.record(record{backward: tokenConvReLUBackward, y: y, x: [4]*Var{w, b}, index: tokens, length: length, width: k})
	return y
}

func tokenConvReLUBackward(_ *Tape, r *record) {
	simd.ReLUGrad(r.y.Grad, r.y.Data)
	w, b, k := r.x[0], r.x[1], r.width
	vocabulary, filters := w.Rows/k, w.Cols
	if w.Grad != nil {
		n, out := windows("TokenConvReLU", len(r.index), r.length, k)
		for i := range n {
			for p := range out {
				dy := r.y.Grad[(i*out+p)*filters:][:filters]
				for j, token := range r.index[i*r.length+p:][:k] {
					dw := w.Grad[(j*vocabulary+int(token))*filters:][:filters]
					simd.Add(dw, dw, dy)
				}
			}
		}
	}
	if b.Grad != nil {
		addRows(b.Grad, r.y.Grad)
	}
}

// Windows returns every window of k consecutive rows of n sequences x (n·length, channels), flattened:
// (n·(length−k+1), k·channels). A 1-D convolution is Windows followed by Linear.
func (t *Tape) Windows(x *Var, length, k int) *Var {
	n, out := windows("Windows", x.Rows, length, k)
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
	n, out := windows("Windows", x.Rows, r.length, r.width)
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
func windows(op string, rows, length, k int) (n, out int) {
	if k < 1 || k > length || rows%length != 0 {
		panic(fmt.Sprintf("tensor: %s: %d rows do not divide into sequences of %d rows with windows of %d", op, rows, length, k))
	}
	return rows / length, length - k + 1
}
