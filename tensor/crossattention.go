package tensor

import (
	"math"

	"github.com/invbo/invbo/internal/simd"
)

// CrossAttention is Attention in which each row of q (rows of spans, d) attends to the m rows of a memory
// that belong to its sequence. kv (sequences·m, 2d) holds the memory's projected keys and values side by side.
func (t *Tape) CrossAttention(q, kv *Var, heads int, spans *Spans, m int) *Var {
	d := q.Cols
	mustShape("CrossAttention", "q", q, spans.Rows(), d)
	mustShape("CrossAttention", "kv", kv, spans.Len()*m, 2*d)
	c := headWidth("CrossAttention", d, heads)
	y := t.result(q.Rows, d, q, kv)
	kept := t.floats.take(q.Rows * heads * m) // softmax of each row and head
	scale := float32(1 / math.Sqrt(float64(c)))
	spans.each(func(s, lo, hi int) {
		for i := lo; i < hi; i++ {
			for h := range heads {
				qi, out, p := q.Row(i)[h*c:][:c], y.Row(i)[h*c:][:c], kept[(i*heads+h)*m:][:m]
				for j := range p {
					p[j] = scale * simd.Dot(qi, kv.Row(s*m + j)[h*c:][:c])
				}
				simd.Softmax(p, p)
				clear(out)
				for j, w := range p {
					simd.Axpy(w, kv.Row(s*m + j)[d+h*c:][:c], out)
				}
			}
		}
	})
	t.record(record{backward: crossAttentionBackward, y: y, x: [3]*Var{q, kv}, kept: kept, spans: spans, heads: heads, width: m})
	return y
}

func crossAttentionBackward(_ *Tape, r *record) {
	q, kv, y, heads, m := r.x[0], r.x[1], r.y, r.heads, r.width
	d := q.Cols
	c := d / heads
	scale := float32(1 / math.Sqrt(float64(c)))
	r.spans.each(func(s, lo, hi int) {
		ds := make([]float32, m)
		for i := lo; i < hi; i++ {
			for h := range heads {
				dy, p := y.Grad[i*d+h*c:][:c], r.kept[(i*heads+h)*m:][:m]
				for j := range ds {
					ds[j] = simd.Dot(dy, kv.Row(s*m + j)[d+h*c:][:c])
				}
				mean := simd.Dot(p, ds)
				for j, w := range p {
					ds := scale * w * (ds[j] - mean)
					if kv.Grad != nil {
						dkv := kv.Grad[(s*m+j)*2*d:][:2*d]
						simd.Axpy(w, dy, dkv[d+h*c:][:c])
						simd.Axpy(ds, q.Row(i)[h*c:][:c], dkv[h*c:][:c])
					}
					if q.Grad != nil {
						simd.Axpy(ds, kv.Row(s*m + j)[h*c:][:c], q.Grad[i*d+h*c:][:c])
					}
				}
			}
		}
	})
}
