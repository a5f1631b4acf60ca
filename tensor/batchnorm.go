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
func (t *Tape) BatchNorm(x, gamma, beta *Var, eps float32) (y, mean, variance *Var) {
	mean, variance = t.New(1, x.Cols, false), t.New(1, x.Cols, false)
	moments(mean.Data, variance.Data, x)
	y = t.result(x.Rows, x.Cols, x, gamma, beta)
	t.record(record{backward: batchNormBackward, y: y, x: [4]*Var{x, gamma, beta}, kept: t.normalize(y, x, gamma, beta, mean, variance, eps)})
	return y, mean, variance
}

// Normalize is BatchNorm with a constant mean and variance (1, c), so that rows of y are independent of one another.
func (t *Tape) Normalize(x, gamma, beta, mean, variance *Var, eps float32) *Var {
	mustShape("Normalize", "mean", mean, 1, x.Cols)
	mustShape("Normalize", "variance", variance, 1, x.Cols)
	y := t.result(x.Rows, x.Cols, x, gamma, beta)
	t.record(record{backward: normalizeBackward, y: y, x: [4]*Var{x, gamma, beta}, kept: t.normalize(y, x, gamma, beta, mean, variance, eps)})
	return y
}

// normalize writes y and returns the values for both backward passes: x̂ = (x − mean)·rstd (n, c), then rstd (c).
func (t *Tape) normalize(y, x, gamma, beta, mean, variance *Var, eps float32) []float32 {
	mustShape("BatchNorm", "gamma", gamma, 1, x.Cols)
	mustShape("BatchNorm", "beta", beta, 1, x.Cols)
	n, c := x.Rows, x.Cols
	kept := t.floats.take((n + 1) * c)
	rstd := kept[n*c:]
	for j, v := range variance.Data {
		rstd[j] = float32(1 / math.Sqrt(float64(v)+float64(eps)))
	}
	for i := range n {
		xi, yi, hat := x.Row(i), y.Row(i), kept[i*c:(i+1)*c]
		for j, v := range xi {
			hat[j] = (v - mean.Data[j]) * rstd[j]
			yi[j] = gamma.Data[j]*hat[j] + beta.Data[j]
		}
	}
	return kept
}

// batchNormBackward: ∂x = gamma·rstd·(dy − Σdy/n − x̂·Σ(dy·x̂)/n), ∂gamma = Σ(dy·x̂), ∂beta = Σdy.
func batchNormBackward(t *Tape, r *record) {
	x, gamma := r.x[0], r.x[1]
	n, c := x.Rows, x.Cols
	sums := t.affineSums(r)
	if x.Grad == nil {
		return
	}
	rstd := r.kept[n*c:]
	for i := range n {
		dx, dy, hat := x.Grad[i*c:(i+1)*c], r.y.Grad[i*c:(i+1)*c], r.kept[i*c:(i+1)*c]
		for j, d := range dy {
			dx[j] += gamma.Data[j] * rstd[j] * (d - (sums[j]+hat[j]*sums[c+j])/float32(n))
		}
	}
}

func normalizeBackward(t *Tape, r *record) {
	x, gamma := r.x[0], r.x[1]
	n, c := x.Rows, x.Cols
	if gamma.Grad != nil || r.x[2].Grad != nil {
		t.affineSums(r)
	}
	if x.Grad == nil {
		return
	}
	rstd := r.kept[n*c:]
	for i := range n {
		dx, dy := x.Grad[i*c:(i+1)*c], r.y.Grad[i*c:(i+1)*c]
		for j, d := range dy {
			dx[j] += gamma.Data[j] * rstd[j] * d
		}
	}
}

// affineSums returns Σdy (c), then Σ(dy·x̂) (c), over the rows, and adds them to the gradients of beta and gamma.
func (t *Tape) affineSums(r *record) []float32 {
	gamma, beta := r.x[1], r.x[2]
	n, c := r.y.Rows, r.y.Cols
	sums := t.floats.take(2 * c)
	clear(sums)
	for i := range n {
		dy, hat := r.y.Grad[i*c:(i+1)*c], r.kept[i*c:(i+1)*c]
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
