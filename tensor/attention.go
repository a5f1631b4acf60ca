package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/simd"
)

// Attention is multi-head scaled dot-product self-attention (Vaswani et al. 2017, §3.2) of the first m rows of each
// sequence, or of all if m is 0. Each attends to all rows of its sequence or, if causal, to those up to itself:
//
//	y = softmax(QKᵀ/√c)V    for each sequence and head
//
// qkv (rows of spans, 3d) holds the projected queries, keys and values side by side, each split into heads of
// c = d/heads columns. The result is (rows, d), or (sequences·m, d). Attention weights are dropped with probability p (see
// Dropout). It panics if heads does not divide d, if a sequence has fewer than m rows, or unless 0 ≤ p < 1.
func (t *Tape) Attention(qkv *Var, heads int, spans *Spans, m int, causal bool, p float32, seed uint64) *Var {
	d := qkv.Cols / 3
	mustShape("Attention", "qkv", qkv, spans.Rows(), 3*d)
	if heads < 1 || d%heads != 0 || m < 0 {
		panic(fmt.Sprintf("tensor: Attention: %d heads of %d columns, for the first %d rows", heads, d, m))
	}
	mustDrop("Attention", p)
	rows := spans.Rows()
	if m > 0 {
		rows = spans.Len() * m
	}
	y := t.passing(rows, d, qkv)
	kept := t.floats.take(rows * heads * 2) // softmax maximum and normalizer of each row and head

	// eachHead calls f for each head of each sequence, with the first column of the head, the rows [lo, hi) of the sequence,
	// and the first of its n rows of the result.
	eachHead := func(f func(col, lo, hi, first, n int, stats []float32, drop simd.Drop)) {
		spans.each(func(s, lo, hi int) {
			first, n := lo, hi-lo
			if m > 0 {
				if first, n = s*m, m; n > hi-lo {
					panic(fmt.Sprintf("tensor: Attention: sequence %d has %d rows, want at least %d", s, hi-lo, n))
				}
			}
			for h := range heads {
				f(h*d/heads, lo, hi, first, n, kept[2*(first*heads+h*n):][:2*n], dropOf(p, seed, first*heads+h))
			}
		})
	}
	eachHead(func(col, lo, hi, first, n int, stats []float32, drop simd.Drop) {
		simd.Attention(y.block(first, col), stats, qkv.block(lo, col), qkv.block(lo, d+col), qkv.block(lo, 2*d+col), n, hi-lo, d/heads, causal, drop)
	})
	t.record(y, func() {
		eachHead(func(col, lo, hi, first, n int, stats []float32, drop simd.Drop) {
			simd.AttentionGrad(qkv.gradBlock(lo, col), qkv.gradBlock(lo, d+col), qkv.gradBlock(lo, 2*d+col), y.gradBlock(first, col), stats,
				qkv.block(lo, col), qkv.block(lo, d+col), qkv.block(lo, 2*d+col), n, hi-lo, d/heads, causal, drop)
		})
	})
	return y
}

// block returns Data from (row, col) onwards.
func (v *Var) block(row, col int) simd.Rows { return simd.Rows{X: v.Data[row*v.Cols+col:], LD: v.Cols} }

// gradBlock returns Grad from (row, col) onwards.
func (v *Var) gradBlock(row, col int) simd.Rows {
	return simd.Rows{X: v.Grad[row*v.Cols+col:], LD: v.Cols}
}
