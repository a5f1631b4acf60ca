package tensor

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/simd"
)

// Attention is scaled dot-product self-attention with several heads (Vaswani et al. 2017, §3.2), in which each
// row attends to the rows of its own sequence, or, if causal, to those up to itself:
//
//	y = softmax(QKᵀ/√c)V    for each sequence and head
//
// qkv (rows of spans, 3d) holds the projected queries, keys and values side by side, and in each of them the
// heads, c = d/heads columns wide. The result is (rows, d). It panics if heads does not divide d.
func (t *Tape) Attention(qkv *Var, heads int, spans *Spans, causal bool) *Var {
	d := qkv.Cols / 3
	mustShape("Attention", "qkv", qkv, spans.Rows(), 3*d)
	c := headWidth("Attention", d, heads)
	y := t.result(qkv.Rows, d, qkv)
	scale := float32(1 / math.Sqrt(float64(c)))
	spans.each(func(_, lo, hi int) {
		p := make([]float32, hi-lo)
		for h := range heads {
			for i := lo; i < hi; i++ {
				q, out := qkv.Row(i)[h*c:][:c], y.Row(i)[h*c:][:c]
				p := p[:visible(i, lo, hi, causal)]
				for j := range p {
					p[j] = scale * simd.Dot(q, qkv.Row(lo + j)[d+h*c:][:c])
				}
				simd.Softmax(p, p)
				clear(out)
				for j, w := range p {
					simd.Axpy(w, qkv.Row(lo + j)[2*d+h*c:][:c], out)
				}
			}
		}
	})
	t.record(record{backward: attentionBackward, y: y, x: [3]*Var{qkv}, spans: spans, heads: heads, causal: causal})
	return y
}

func attentionBackward(_ *Tape, r *record) {
	qkv, y, spans := r.x[0], r.y, r.spans
	d := y.Cols
	c := d / r.heads
	scale := float32(1 / math.Sqrt(float64(c)))
	grad := func(i int) []float32 { return qkv.Grad[i*3*d:][:3*d] }
	spans.each(func(_, lo, hi int) {
		p := make([]float32, hi-lo)
		ds := make([]float32, hi-lo)
		for h := range r.heads {
			for i := lo; i < hi; i++ {
				q, dy := qkv.Row(i)[h*c:][:c], y.Grad[i*d+h*c:][:c]
				p := p[:visible(i, lo, hi, r.causal)]
				ds := ds[:len(p)]
				for j := range p {
					p[j] = scale * simd.Dot(q, qkv.Row(lo + j)[d+h*c:][:c])
					ds[j] = simd.Dot(dy, qkv.Row(lo + j)[2*d+h*c:][:c])
				}
				simd.Softmax(p, p)
				mean := simd.Dot(p, ds)
				for j, w := range p {
					s := scale * w * (ds[j] - mean)
					simd.Axpy(w, dy, grad(lo + j)[2*d+h*c:][:c])
					simd.Axpy(s, q, grad(lo + j)[d+h*c:][:c])
					simd.Axpy(s, qkv.Row(lo + j)[d+h*c:][:c], grad(i)[h*c:][:c])
				}
			}
		}
	})
}

// visible returns how many rows of the sequence [lo, hi) row i attends to.
func visible(i, lo, hi int, causal bool) int {
	if causal {
		return i + 1 - lo
	}
	return hi - lo
}

// headWidth returns the columns of one of heads that share d.
func headWidth(op string, d, heads int) int {
	if heads < 1 || d%heads != 0 {
		panic(fmt.Sprintf("tensor: %s: %d heads do not share %d columns", op, heads, d))
	}
	return d / heads
}
