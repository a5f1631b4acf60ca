package tensor

import (
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// AddLayerNorm normalizes each row of s = x + y (n, c) to mean 0 and variance 1, then scales and shifts it:
//
//	gamma·(s − mean)/√(variance + eps) + beta    Ba et al. 2016; post-norm residual of Vaswani et al. 2017
//
// gamma and beta are (1, c).
func (t *Tape) AddLayerNorm(x, y, gamma, beta *Var, eps float32) *Var {
	n, c := x.Rows, x.Cols
	mustShape("AddLayerNorm", "y", y, n, c)
	mustShape("AddLayerNorm", "gamma", gamma, 1, c)
	mustShape("AddLayerNorm", "beta", beta, 1, c)
	z := t.passing(n, c, x, y, gamma, beta)
	xhat, rstd := t.floats.take(n*c), t.floats.take(n) // (s − mean)/√(variance + eps) (n, c); 1/√(variance + eps) (n)
	parallel.For(n, spanBlock, func(lo, hi int) {
		from, to := lo*c, hi*c
		simd.AddLayerNorm(z.Data[from:to], xhat[from:to], rstd[lo:hi], x.Data[from:to], y.Data[from:to], gamma.Data, beta.Data, eps)
	})
	t.record(z, func() {
		if x.Grad != nil || y.Grad != nil {
			const some = 32 // rows at a time, whose gradients stay in the L1 cache
			all := t.floats.take(((n-1)/spanBlock + 1) * some * c)
			parallel.For(n, spanBlock, func(lo, hi int) {
				ds := all[lo/spanBlock*some*c:]
				for ; lo < hi; lo += some {
					end := min(lo+some, hi)
					from, to := lo*c, end*c
					ds := ds[:to-from]
					simd.LayerNormGrad(ds, xhat[from:to], rstd[lo:end], z.Grad[from:to], gamma.Data)
					if x.Grad != nil {
						simd.Add(x.Grad[from:to], x.Grad[from:to], ds)
					}
					if y.Grad != nil {
						simd.Add(y.Grad[from:to], y.Grad[from:to], ds)
					}
				}
			})
		}
		if gamma.Grad != nil {
			mulAddRows(gamma.Grad, z.Grad, xhat)
		}
		if beta.Grad != nil {
			addRows(beta.Grad, z.Grad)
		}
	})
	return z
}

// mulAddRows adds the rows of the element-wise product of a and b (n, len(sum)) to sum.
func mulAddRows(sum, a, b []float32) {
	for ; len(a) > 0; a, b = a[len(sum):], b[len(sum):] {
		simd.MulAdd(sum, a[:len(sum)], b[:len(sum)])
	}
}
