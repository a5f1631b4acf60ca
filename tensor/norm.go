package tensor

import (
	"math"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// BatchNorm normalizes each column of x (n, c) to mean 0 and variance 1 over the batch, then scales and shifts it:
//
//	y = gamma·(x − mean)/√(variance + eps) + beta    Ioffe & Szegedy 2015, Algorithm 1
//
// gamma and beta are (1, c). It also returns the mean and (biased) variance of the batch, (1, c), without gradients.
func (t *Tape) BatchNorm(x, gamma, beta *Var, eps float32) (_, mean, variance *Var) {
	mean, variance = t.New(1, x.Cols, false), t.New(1, x.Cols, false)
	moments(mean.Data, variance.Data, x)
	return t.normalize(x, gamma, beta, mean, variance, eps, true), mean, variance
}

// Normalize is BatchNorm with a constant mean and variance (1, c), so that rows of y are independent of one another.
func (t *Tape) Normalize(x, gamma, beta, mean, variance *Var, eps float32) *Var {
	mustShape("Normalize", "mean", mean, 1, x.Cols)
	mustShape("Normalize", "variance", variance, 1, x.Cols)
	return t.normalize(x, gamma, beta, mean, variance, eps, false)
}

// normalize returns y = gamma·x̂ + beta, x̂ = (x − mean)·rstd (n, c). Its mean and variance are those of the batch, or
// constant:
//
//	∂x = gamma·rstd·(dy − Σdy/n − x̂·Σ(dy·x̂)/n), or gamma·rstd·dy    ∂gamma = Σ(dy·x̂)    ∂beta = Σdy
func (t *Tape) normalize(x, gamma, beta, mean, variance *Var, eps float32, batch bool) *Var {
	mustShape("BatchNorm", "gamma", gamma, 1, x.Cols)
	mustShape("BatchNorm", "beta", beta, 1, x.Cols)
	n, c := x.Rows, x.Cols
	y, hat, rstd := t.result(n, c, x, gamma, beta), t.floats.take(n*c), t.floats.take(c)
	for j, v := range variance.Data {
		rstd[j] = float32(1 / math.Sqrt(float64(v)+float64(eps)))
	}
	for i := range n {
		xi, yi, hat := x.Row(i), y.Row(i), hat[i*c:(i+1)*c]
		for j, v := range xi {
			hat[j] = (v - mean.Data[j]) * rstd[j]
			yi[j] = gamma.Data[j]*hat[j] + beta.Data[j]
		}
	}
	t.record(y, func() {
		var sums []float32
		if batch || gamma.Grad != nil || beta.Grad != nil {
			sums = t.affineSums(y, hat)
		}
		if x.Grad == nil {
			return
		}
		for i := range n {
			dx, dy, hat := x.Grad[i*c:(i+1)*c], y.Grad[i*c:(i+1)*c], hat[i*c:(i+1)*c]
			for j, d := range dy {
				if batch {
					d -= (sums[j] + hat[j]*sums[c+j]) / float32(n)
				}
				dx[j] += gamma.Data[j] * rstd[j] * d
			}
		}
	})
	return y
}

// affineSums returns Σdy (c), then Σ(dy·x̂) (c), over the rows of BatchNorm's y, and adds them to the gradients of beta
// and gamma.
func (t *Tape) affineSums(y *Var, hat []float32) []float32 {
	gamma, beta := y.operands[1], y.operands[2]
	n, c := y.Rows, y.Cols
	sums := t.floats.take(2 * c)
	clear(sums)
	for i := range n {
		dy, hat := y.Grad[i*c:(i+1)*c], hat[i*c:(i+1)*c]
		for j, d := range dy {
			sums[j] += d
			sums[c+j] += d * hat[j]
		}
	}
	if beta.Grad != nil {
		simd.Add(beta.Grad, beta.Grad, sums[:c])
	}
	if gamma.Grad != nil {
		simd.Add(gamma.Grad, gamma.Grad, sums[c:])
	}
	return sums
}

// moments writes the mean and biased variance of each column of x. Two passes in float64 stay accurate where
// the mean is large.
func moments(mean, variance []float32, x *Var) {
	n := float64(x.Rows)
	for j := range x.Cols {
		var sum, squares float64
		for i := j; i < len(x.Data); i += x.Cols {
			sum += float64(x.Data[i])
		}
		mu := sum / n
		for i := j; i < len(x.Data); i += x.Cols {
			d := float64(x.Data[i]) - mu
			squares += d * d
		}
		mean[j], variance[j] = float32(mu), float32(squares/n)
	}
}

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
