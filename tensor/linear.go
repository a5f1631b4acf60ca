package tensor

import (
	"fmt"
	"sync"

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

// Freeze declares that Data will not change until the next Freeze, so Linear packs the weights v for the
// matrix product once, at first use, instead of at each call. The tapes of several goroutines may use v at
// the same time, but not during Freeze, which reuses the packed memory.
func (v *Var) Freeze() {
	if v.frozen == nil {
		v.frozen = new(frozen)
	}
	v.frozen.straight.Once, v.frozen.transposed.Once = sync.Once{}, sync.Once{}
}

// FreezeAs is Freeze for a v that has the Data of the frozen Var o: they share the packed weights, and the
// next Freeze of o applies to v as well.
func (v *Var) FreezeAs(o *Var) { v.frozen = o.frozen }

// frozen is a matrix, packed for products with it and with its transpose.
type frozen struct{ straight, transposed once }

type once struct {
	sync.Once
	simd.Packed
}

// pack returns w or its transpose packed for a product; valid until the next call.
func (t *Tape) pack(w *Var, transposed bool) *simd.Packed {
	k, n := w.Rows, w.Cols
	if transposed {
		k, n = n, k
	}
	if w.frozen == nil {
		t.packed[0].Pack(transposed, k, n, w.Data, w.Cols)
		return &t.packed[0]
	}
	o := &w.frozen.straight
	if transposed {
		o = &w.frozen.transposed
	}
	o.Do(func() { o.Pack(transposed, k, n, w.Data, w.Cols) })
	return &o.Packed
}

// SpanLinear is Linear with weights of each sequence's own: y = xWₛ + bₛ (rows of spans, n) for the rows x (rows of
// spans, k) of sequence s. w holds the Wₛ (k, n) one after another or, if transposed, as (n, k). b is (sequences, n),
// or (1, n) for all sequences.
func (t *Tape) SpanLinear(x, w *Var, transposed bool, b *Var, spans *Spans) *Var {
	k, n := x.Cols, b.Cols
	if transposed {
		mustShape("SpanLinear", "w", w, spans.Len()*n, k)
	} else {
		mustShape("SpanLinear", "w", w, spans.Len()*k, n)
	}
	mustShape("SpanLinear", "x", x, spans.Rows(), k)
	if b.Rows != 1 {
		mustShape("SpanLinear", "b", b, spans.Len(), n)
	}
	y := t.passing(x.Rows, n, x, w, b)
	spans.each(func(s, lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(y.Row(i), b.Row(min(s, b.Rows-1)))
		}
		simd.Gemm(false, transposed, hi-lo, n, k, x.Data[lo*k:], k, w.Data[s*k*n:], w.Cols, y.Data[lo*n:], n, true)
	})
	t.record(y, func() {
		spans.each(func(s, lo, hi int) {
			rows, dy := hi-lo, y.Grad[lo*n:hi*n]
			if x.Grad != nil {
				simd.Gemm(false, !transposed, rows, k, n, dy, n, w.Data[s*k*n:], w.Cols, x.Grad[lo*k:], k, true)
			}
			if w.Grad != nil {
				addProduct(transposed, k, n, rows, x.Data[lo*k:], k, dy, n, w.Grad[s*k*n:], w.Cols)
			}
			if b.Grad != nil && b.Rows > 1 {
				addRows(b.Grad[s*n:][:n], dy)
			}
		})
		if b.Grad != nil && b.Rows == 1 {
			addRows(b.Grad, y.Grad)
		}
	})
	return y
}

// addProduct adds xᵀdy, or its transpose, to dw for x (rows, k) and dy (rows, n), with rows ldx, ldy and ldw apart.
func addProduct(transposed bool, k, n, rows int, x []float32, ldx int, dy []float32, ldy int, dw []float32, ldw int) {
	if transposed {
		k, x, ldx, n, dy, ldy = n, dy, ldy, k, x, ldx
	}
	simd.GemmSerial(true, k, n, rows, x, ldx, dy, ldy, dw, ldw, true)
}

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
			if w.Grad != nil {
				addProduct(transposed, c, n, x.Rows, x.Data[from:], x.Cols, dy, ld, w.Grad[h*head:], w.Cols)
			}
		}
	})
	return y
}

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
	v := t.next()
	*v = Var{Data: x.Data, Grad: t.Grad(x), Rows: len(x.Data) / cols, Cols: cols}
	return v
}
