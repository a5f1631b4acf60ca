package tensor

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/simd"
)

// Embed returns a vector for each token of each sequence (rows of spans, d): its row of table (vocabulary, d),
// plus the row of positions (at least the longest sequence, d) for its place in the sequence. If shift is true it is
// a decoder's input: each place has the token before it, and the first has zeros and its position.
//
// positions gets no gradient. tokens must not change before Backward.
func (t *Tape) Embed(table *Var, tokens []int32, positions *Var, spans *Spans, shift bool) *Var {
	if len(tokens) != spans.Rows() {
		panic(fmt.Sprintf("tensor: Embed: %d tokens for %d rows", len(tokens), spans.Rows()))
	}
	mustShape("Embed", "positions", positions, positions.Rows, table.Cols)
	y := t.passing(len(tokens), table.Cols, table)
	spans.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			if token := i - before(shift); token < lo {
				copy(y.Row(i), positions.Row(i-lo))
			} else {
				simd.Add(y.Row(i), table.Row(int(tokens[token])), positions.Row(i-lo))
			}
		}
	})
	t.record(record{backward: embedBackward, y: y, x: [4]*Var{table}, index: tokens, spans: spans, width: before(shift)})
	return y
}

// embedBackward adds row by row: a table's row may be wanted anywhere, and the order must not depend on who is first.
func embedBackward(_ *Tape, r *record) {
	table, d := r.x[0], r.y.Cols
	for s := range r.spans.Len() {
		lo, hi := r.spans.Span(s)
		for i := lo + r.width; i < hi; i++ {
			row := table.Grad[int(r.index[i-r.width])*d:][:d]
			simd.Add(row, row, r.y.Grad[i*d:][:d])
		}
	}
}

// before returns how many rows before its own a token is embedded.
func before(shift bool) int {
	if shift {
		return 1
	}
	return 0
}

// Positions returns the sinusoidal encoding of the first n positions in d dimensions (Vaswani et al. 2017, §3.5),
//
//	[p, 2i] = sin(p·10000^(−2i/d))    [p, 2i+1] = cos(p·10000^(−2i/d))
//
// computed in float32, as the published weights were trained with.
func Positions(n, d int) *Var {
	v := &Var{Data: make([]float32, n*d), Rows: n, Cols: d}
	for p := range n {
		for j := range d {
			rate := float32(math.Exp(float64(float32(j&^1) * float32(-math.Log(10000)/float64(d)))))
			sin, cos := math.Sincos(float64(float32(p) * rate))
			v.Row(p)[j] = float32(sin)
			if j&1 == 1 {
				v.Row(p)[j] = float32(cos)
			}
		}
	}
	return v
}
