package tensor

import "github.com/invbo/invbo/internal/simd"

// CrossAttention is Attention in which each row of q (rows of spans, d) attends to the m memory rows of its
// sequence. kv (sequences·m, 2d) holds the projected keys and values of the memory side by side.
func (t *Tape) CrossAttention(q, kv *Var, heads int, spans *Spans, m int, p float32, seed uint64) *Var {
	d := q.Cols
	mustDrop("CrossAttention", p)
	mustShape("CrossAttention", "q", q, spans.Rows(), d)
	mustShape("CrossAttention", "kv", kv, spans.Len()*m, 2*d)
	c := headWidth("CrossAttention", d, heads)
	y := t.passing(q.Rows, d, q, kv)
	kept := t.floats.take(q.Rows * heads * 2)
	spans.each(func(s, lo, hi int) {
		n := hi - lo
		for h := range heads {
			k, v := kv.block(s*m, h*c), kv.block(s*m, d+h*c)
			simd.Attention(y.block(lo, h*c), kept[2*(lo*heads+h*n):][:2*n], q.block(lo, h*c), k, v, n, m, c, false, dropOf(p, seed, lo*heads+h))
		}
	})
	t.record(record{backward: crossAttentionBackward, y: y, x: [4]*Var{q, kv}, kept: kept, spans: spans, heads: heads, width: m, p: p, seed: seed})
	return y
}

func crossAttentionBackward(_ *Tape, r *record) {
	q, kv, y, heads, m := r.x[0], r.x[1], r.y, r.heads, r.width
	d := q.Cols
	c := d / heads
	r.spans.each(func(s, lo, hi int) {
		n := hi - lo
		for h := range heads {
			k, v, dk, dv := kv.block(s*m, h*c), kv.block(s*m, d+h*c), kv.gradBlock(s*m, h*c), kv.gradBlock(s*m, d+h*c)
			simd.AttentionGrad(q.gradBlock(lo, h*c), dk, dv, y.gradBlock(lo, h*c), r.kept[2*(lo*heads+h*n):][:2*n],
				q.block(lo, h*c), k, v, n, m, c, false, dropOf(r.p, r.seed, lo*heads+h))
		}
	})
}
