package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/simd"
)

// Attention is multi-head scaled dot-product self-attention (Vaswani et al. 2017, §3.2). Each row attends to
// all rows of its sequence or, if causal, to those up to itself:
//
//	y = softmax(QKᵀ/√c)V    for each sequence and head
//
// qkv (rows of spans, 3d) holds the projected queries, keys and values side by side, each split into heads of
// c = d/heads columns. The result is (rows, d). Attention weights are dropped with probability p (see
// Dropout). It panics if heads does not divide d, or unless 0 ≤ p < 1.
func (t *Tape) Attention(qkv *Var, heads int, spans *Spans, causal bool, p float32, seed uint64) *Var {
	return t.attention("Attention", record{x: [4]*Var{qkv}, heads: heads, spans: spans, causal: causal, p: p, seed: seed}, spans.Rows())
}

// FirstAttention is Attention of the first m rows of each sequence, to all its rows. The result is (sequences·m, d). It panics if m is not
// positive, or a sequence has fewer rows.
func (t *Tape) FirstAttention(qkv *Var, heads int, spans *Spans, m int, p float32, seed uint64) *Var {
	if m < 1 {
		panic(fmt.Sprintf("tensor: FirstAttention: %d rows", m))
	}
	return t.attention("FirstAttention", record{x: [4]*Var{qkv}, heads: heads, spans: spans, width: m, p: p, seed: seed}, spans.Len()*m)
}

// attention runs and records r, whose result has the given number of rows.
func (t *Tape) attention(op string, r record, rows int) *Var {
	qkv := r.x[0]
	d := qkv.Cols / 3
	mustShape(op, "qkv", qkv, r.spans.Rows(), 3*d)
	if r.heads < 1 || d%r.heads != 0 {
		panic(fmt.Sprintf("tensor: %s: %d heads do not divide %d columns", op, r.heads, d))
	}
	mustDrop(op, r.p)
	r.backward, r.y = attentionBackward, t.passing(rows, d, qkv)
	r.kept = t.floats.take(rows * r.heads * 2) // softmax maximum and normalizer of each row and head
	r.eachHead(func(col, lo, hi, first, n int, stats []float32, drop simd.Drop) {
		simd.Attention(r.y.block(first, col), stats, qkv.block(lo, col), qkv.block(lo, d+col), qkv.block(lo, 2*d+col), n, hi-lo, d/r.heads, r.causal, drop)
	})
	t.record(r)
	return r.y
}

func attentionBackward(_ *Tape, r *record) {
	qkv, d := r.x[0], r.y.Cols
	r.eachHead(func(col, lo, hi, first, n int, stats []float32, drop simd.Drop) {
		simd.AttentionGrad(qkv.gradBlock(lo, col), qkv.gradBlock(lo, d+col), qkv.gradBlock(lo, 2*d+col), r.y.gradBlock(first, col), stats,
			qkv.block(lo, col), qkv.block(lo, d+col), qkv.block(lo, 2*d+col), n, hi-lo, d/r.heads, r.causal, drop)
	})
}

// eachHead calls f for each head of each sequence, with the first column of the head, the rows [lo, hi) of the sequence, and the
// first of its n rows of the result.
func (r *record) eachHead(f func(col, lo, hi, first, n int, stats []float32, drop simd.Drop)) {
	r.spans.each(func(s, lo, hi int) {
		first, n := lo, hi-lo
		if r.width > 0 {
			if first, n = s*r.width, r.width; n > hi-lo {
				panic(fmt.Sprintf("tensor: FirstAttention: sequence %d has %d rows, want at least %d", s, hi-lo, n))
			}
		}
		for h := range r.heads {
			f(h*r.y.Cols/r.heads, lo, hi, first, n, r.kept[2*(first*r.heads+h*n):][:2*n], dropOf(r.p, r.seed, first*r.heads+h))
		}
	})
}

// block returns Data from (row, col) onwards.
func (v *Var) block(row, col int) simd.Rows { return simd.Rows{X: v.Data[row*v.Cols+col:], LD: v.Cols} }

// gradBlock returns Grad from (row, col) onwards.
func (v *Var) gradBlock(row, col int) simd.Rows {
	return simd.Rows{X: v.Grad[row*v.Cols+col:], LD: v.Cols}
}
