package tensor

import (
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// AddLayerNorm brings each row of s = x + y (n, c) to mean 0 and variance 1, then scales and shifts it:
//
//	gamma·(s − mean)/√(variance + eps) + beta    Ba et al. 2016; post-norm residual of Vaswani et al. 2017
//
// gamma and beta are (1, c).
func (t *Tape) AddLayerNorm(x, y, gamma, beta *Var, eps float32) *Var {
	n, c := x.Rows, x.Cols
	mustShape("AddLayerNorm", "y", y, n, c)
	mustShape("AddLayerNorm", "gamma", gamma, 1, c)
	mustShape("AddLayerNorm", "beta", beta, 1, c)
	z := t.result(n, c, x, y, gamma, beta)
	kept := t.floats.take(n * (c + 2)) // s (n, c); mean and 1/√(variance + eps) (n, 2)
	parallel.For(n, spanBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s := kept[i*c:][:c]
			simd.Add(s, x.Row(i), y.Row(i))
			kept[n*c+2*i], kept[n*c+2*i+1] = simd.LayerNorm(z.Row(i), s, gamma.Data, beta.Data, eps)
		}
	})
	t.record(record{backward: addLayerNormBackward, y: z, x: [3]*Var{x, y, gamma}, bias: beta, kept: kept})
	return z
}

func addLayerNormBackward(t *Tape, r *record) {
	x, y, gamma, beta := r.x[0], r.x[1], r.x[2], r.bias
	n, c := r.y.Rows, r.y.Cols
	tasks := (n-1)/spanBlock + 1
	dgamma, dbeta := t.parts(gamma, tasks), t.parts(beta, tasks)
	ds := t.floats.take(tasks * c)
	parallel.For(n, spanBlock, func(lo, hi int) {
		k := lo / spanBlock
		dg, db, ds := dgamma.of(k), dbeta.of(k), ds[k*c:][:c]
		clear(dg)
		clear(db)
		for i := lo; i < hi; i++ {
			clear(ds)
			simd.LayerNormGrad(ds, dg, db, r.y.Grad[i*c:][:c], r.kept[i*c:][:c], gamma.Data, r.kept[n*c+2*i], r.kept[n*c+2*i+1])
			for _, v := range []*Var{x, y} {
				if v.Grad != nil {
					simd.Add(v.Grad[i*c:][:c], v.Grad[i*c:][:c], ds)
				}
			}
		}
	})
	if gamma.Grad != nil {
		dgamma.addTo(gamma.Grad)
	}
	if beta.Grad != nil {
		dbeta.addTo(beta.Grad)
	}
}
