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
	d := qkv.Cols / 3
	mustShape("Attention", "qkv", qkv, spans.Rows(), 3*d)
	return t.attention("Attention", record{x: [4]*Var{qkv}, heads: heads, spans: spans, causal: causal, p: p, seed: seed}, d)
}

// CrossAttention is Attention in which each row of q (rows of spans, d) attends to the m memory rows of its
// sequence. kv (sequences·m, 2d) holds the projected keys and values of the memory side by side.
func (t *Tape) CrossAttention(q, kv *Var, heads int, spans *Spans, m int, p float32, seed uint64) *Var {
	mustShape("CrossAttention", "q", q, spans.Rows(), q.Cols)
	mustShape("CrossAttention", "kv", kv, spans.Len()*m, 2*q.Cols)
	return t.attention("CrossAttention", record{x: [4]*Var{q, kv}, heads: heads, spans: spans, width: m, p: p, seed: seed}, q.Cols)
}

// attention runs and records r, with results of d columns.
func (t *Tape) attention(op string, r record, d int) *Var {
	if r.heads < 1 || d%r.heads != 0 {
		panic(fmt.Sprintf("tensor: %s: %d heads do not divide %d columns", op, r.heads, d))
	}
	mustDrop(op, r.p)
	c, rows := d/r.heads, r.x[0].Rows
	r.backward, r.y = attentionBackward, t.passing(rows, d, r.x[0], r.x[1])
	r.kept = t.floats.take(rows * r.heads * 2) // softmax maximum and normalizer of each row and head
	r.spans.each(func(s, lo, hi int) {
		n := hi - lo
		for h := range r.heads {
			q, k, v, keys := r.operands((*Var).block, s, lo, n, h*c)
			simd.Attention(r.y.block(lo, h*c), r.kept[2*(lo*r.heads+h*n):][:2*n], q, k, v, n, keys, c, r.causal, dropOf(r.p, r.seed, lo*r.heads+h))
		}
	})
	t.record(r)
	return r.y
}

func attentionBackward(_ *Tape, r *record) {
	c := r.y.Cols / r.heads
	r.spans.each(func(s, lo, hi int) {
		n := hi - lo
		for h := range r.heads {
			q, k, v, keys := r.operands((*Var).block, s, lo, n, h*c)
			dq, dk, dv, _ := r.operands((*Var).gradBlock, s, lo, n, h*c)
			simd.AttentionGrad(dq, dk, dv, r.y.gradBlock(lo, h*c), r.kept[2*(lo*r.heads+h*n):][:2*n], q, k, v, n, keys, c, r.causal, dropOf(r.p, r.seed, lo*r.heads+h))
		}
	})
}

// operands returns the queries, keys and values of one head of sequence s, with n rows from lo, and the number of keys.
// The columns of the head start at col.
func (r *record) operands(block func(v *Var, row, col int) simd.Rows, s, lo, n, col int) (q, k, v simd.Rows, keys int) {
	x, memory, d, m := r.x[0], r.x[1], r.y.Cols, r.width
	if memory == nil {
		return block(x, lo, col), block(x, lo, d+col), block(x, lo, 2*d+col), n
	}
	return block(x, lo, col), block(memory, s*m, col), block(memory, s*m, d+col), m
}

// block returns Data from (row, col) onwards.
func (v *Var) block(row, col int) simd.Rows { return simd.Rows{X: v.Data[row*v.Cols+col:], LD: v.Cols} }

// gradBlock returns Grad from (row, col) onwards; empty Rows if there is no gradient.
func (v *Var) gradBlock(row, col int) simd.Rows {
	if v.Grad == nil {
		return simd.Rows{}
	}
	return simd.Rows{X: v.Grad[row*v.Cols+col:], LD: v.Cols}
}
