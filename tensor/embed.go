package tensor

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/simd"
)

// Embed returns the sum of token and position embeddings (rows of spans, d), from table (vocabulary, d) and
// positions (at least the longest sequence, d). With shift it is the input of an autoregressive decoder: each
// position embeds the token before it, and the first embeds no token.
//
// positions gets no gradient. tokens must not change before Backward.
func (t *Tape) Embed(table *Var, tokens []int32, positions *Var, spans *Spans, shift bool) *Var {
	if len(tokens) != spans.Rows() {
		panic(fmt.Sprintf("tensor: Embed: %d tokens for %d rows", len(tokens), spans.Rows()))
	}
	mustShape("Embed", "positions", positions, positions.Rows, table.Cols)
	before := 0 // from a row to the token that it embeds
	if shift {
		before = 1
	}
	d := table.Cols
	y := t.passing(len(tokens), d, table)
	spans.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			if i-before < lo {
				copy(y.Row(i), positions.Row(i-lo))
			} else {
				simd.Add(y.Row(i), table.Row(int(tokens[i-before])), positions.Row(i-lo))
			}
		}
	})
	t.record(y, func() { // sequential: any row may add to any row of the table, and the order of additions must be fixed
		for s := range spans.Len() {
			lo, hi := spans.Span(s)
			for i := lo + before; i < hi; i++ {
				row := table.Grad[int(tokens[i-before])*d:][:d]
				simd.Add(row, row, y.Grad[i*d:][:d])
			}
		}
	})
	return y
}

// Positions returns the sinusoidal encoding (n, d) of the first n positions (Vaswani et al. 2017, §3.5),
//
//	[p, 2i] = sin(p·10000^(−2i/d))    [p, 2i+1] = cos(p·10000^(−2i/d))
//
// with angles in float32, as in the training of the published weights.
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
