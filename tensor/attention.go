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
	mustDrop("Attention", p)
	mustShape("Attention", "qkv", qkv, spans.Rows(), 3*d)
	c := headWidth("Attention", d, heads)
	y := t.passing(qkv.Rows, d, qkv)
	kept := t.floats.take(qkv.Rows * heads * 2) // softmax maximum and normalizer of each row and head
	spans.each(func(_, lo, hi int) {
		n := hi - lo
		for h := range heads {
			q, k, v := qkv.block(lo, h*c), qkv.block(lo, d+h*c), qkv.block(lo, 2*d+h*c)
			simd.Attention(y.block(lo, h*c), kept[2*(lo*heads+h*n):][:2*n], q, k, v, n, n, c, causal, dropOf(p, seed, lo*heads+h))
		}
	})
	t.record(record{backward: attentionBackward, y: y, x: [4]*Var{qkv}, kept: kept, spans: spans, heads: heads, causal: causal, p: p, seed: seed})
	return y
}

func attentionBackward(_ *Tape, r *record) {
	qkv, y, heads := r.x[0], r.y, r.heads
	d := y.Cols
	c := d / heads
	r.spans.each(func(_, lo, hi int) {
		n := hi - lo
		for h := range heads {
			q, k, v := qkv.block(lo, h*c), qkv.block(lo, d+h*c), qkv.block(lo, 2*d+h*c)
			dq, dk, dv := qkv.gradBlock(lo, h*c), qkv.gradBlock(lo, d+h*c), qkv.gradBlock(lo, 2*d+h*c)
			simd.AttentionGrad(dq, dk, dv, y.gradBlock(lo, h*c), r.kept[2*(lo*heads+h*n):][:2*n], q, k, v, n, n, c, r.causal, dropOf(r.p, r.seed, lo*heads+h))
		}
	})
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

// headWidth returns the number of columns per head, d/heads.
func headWidth(op string, d, heads int) int {
	if heads < 1 || d%heads != 0 {
		panic(fmt.Sprintf("tensor: %s: %d heads do not divide %d columns", op, heads, d))
	}
	return d / heads
}
