package tensor

import "github.com/invbo/invbo/internal/simd"

// SpanLinear is Linear with weights of each sequence's own: y = xWₛ + bₛ (rows of spans, n) for the rows x (rows of spans, k)
// of sequence s. w holds the Wₛ (k, n) one after another or, if transposed, as (n, k). b is (sequences, n), or (1, n) for all
// sequences.
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
			switch {
			case w.Grad == nil:
			case transposed:
				simd.GemmSerial(true, n, k, rows, dy, n, x.Data[lo*k:], k, w.Grad[s*k*n:], k, true)
			default:
				simd.GemmSerial(true, k, n, rows, x.Data[lo*k:], k, dy, n, w.Grad[s*k*n:], n, true)
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
