package tensor

import (
	"math"

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
	y, hat, rstd := t.normalize(x, gamma, beta, mean, variance, eps)
	n, c := x.Rows, x.Cols
	// ∂x = gamma·rstd·(dy − Σdy/n − x̂·Σ(dy·x̂)/n), ∂gamma = Σ(dy·x̂), ∂beta = Σdy
	t.record(y, func() {
		sums := t.affineSums(y, hat)
		if x.Grad == nil {
			return
		}
		for i := range n {
			dx, dy, hat := x.Grad[i*c:(i+1)*c], y.Grad[i*c:(i+1)*c], hat[i*c:(i+1)*c]
			for j, d := range dy {
				dx[j] += gamma.Data[j] * rstd[j] * (d - (sums[j]+hat[j]*sums[c+j])/float32(n))
			}
		}
	})
	return y, mean, variance
}

// Normalize is BatchNorm with a constant mean and variance (1, c), so that rows of y are independent of one another.
func (t *Tape) Normalize(x, gamma, beta, mean, variance *Var, eps float32) *Var {
	mustShape("Normalize", "mean", mean, 1, x.Cols)
	mustShape("Normalize", "variance", variance, 1, x.Cols)
	y, hat, rstd := t.normalize(x, gamma, beta, mean, variance, eps)
	t.record(y, func() {
		if gamma.Grad != nil || beta.Grad != nil {
			t.affineSums(y, hat)
		}
		if x.Grad == nil {
			return
		}
		for i := range x.Rows {
			dx, dy := x.Grad[i*x.Cols:][:x.Cols], y.Grad[i*x.Cols:][:x.Cols]
			for j, d := range dy {
				dx[j] += gamma.Data[j] * rstd[j] * d
			}
		}
	})
	return y
}

// normalize returns y, x̂ = (x − mean)·rstd (n, c) and rstd (c).
func (t *Tape) normalize(x, gamma, beta, mean, variance *Var, eps float32) (y *Var, hat, rstd []float32) {
	mustShape("BatchNorm", "gamma", gamma, 1, x.Cols)
	mustShape("BatchNorm", "beta", beta, 1, x.Cols)
	n, c := x.Rows, x.Cols
	y, hat, rstd = t.result(n, c, x, gamma, beta), t.floats.take(n*c), t.floats.take(c)
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
	return y, hat, rstd
}

// affineSums returns Σdy (c), then Σ(dy·x̂) (c), over the rows of BatchNorm's y, and adds them to the gradients of beta and gamma.
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
