package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/simd"
)

// FirstRows returns the first m rows of each sequence of x (rows of spans, c), as (sequences·m, c). It panics if
// a sequence has fewer.
func (t *Tape) FirstRows(x *Var, spans *Spans, m int) *Var {
	mustShape("FirstRows", "x", x, spans.Rows(), x.Cols)
	y := t.result(spans.Len()*m, x.Cols, x)
	for s := range spans.Len() {
		lo, hi := spans.Span(s)
		if hi-lo < m {
			panic(fmt.Sprintf("tensor: FirstRows: sequence %d has %d rows, want at least %d", s, hi-lo, m))
		}
		copy(y.Data[s*m*x.Cols:][:m*x.Cols], x.Data[lo*x.Cols:])
	}
	t.record(record{backward: firstRowsBackward, y: y, x: [4]*Var{x}, spans: spans, width: m})
	return y
}

func firstRowsBackward(_ *Tape, r *record) {
	x, size := r.x[0], r.width*r.y.Cols
	for s := range r.spans.Len() {
		lo, _ := r.spans.Span(s)
		dx := x.Grad[lo*x.Cols:][:size]
		simd.Add(dx, dx, r.y.Grad[s*size:][:size])
	}
}
