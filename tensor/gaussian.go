package tensor

import "math"

// Gaussian returns the mean and log variance (n, d each) of normal distributions parametrized by h (n, 2d):
//
//	mu = h[:, :d]    logvar = 2·log(softplus(h[:, d:]) + floor)    softplus(a) = log(1 + exp(a))
//
// floor is the least standard deviation.
func (t *Tape) Gaussian(h *Var, floor float32) (mu, logvar *Var) {
	d := h.Cols / 2
	mustShape("Gaussian", "h", h, h.Rows, 2*d)
	mu, logvar = t.result(h.Rows, d, h), t.result(h.Rows, d, h)
	slope := t.floats.take(h.Rows * d) // ∂logvar/∂h
	for i := range h.Rows {
		copy(mu.Row(i), h.Row(i))
		for j, a := range h.Row(i)[d:] {
			a := float64(a)
			sigma := max(a, 0) + math.Log1p(math.Exp(-math.Abs(a))) + float64(floor)
			logvar.Row(i)[j] = float32(2 * math.Log(sigma))
			slope[i*d+j] = float32(2 / (sigma * (1 + math.Exp(-a))))
		}
	}
	t.record(record{backward: gaussianBackward, y: mu, x: [4]*Var{h, logvar}, kept: slope})
	return mu, logvar
}

func gaussianBackward(_ *Tape, r *record) {
	h, mu, logvar := r.x[0], r.y, r.x[1]
	d := mu.Cols
	for i := range h.Rows {
		dh := h.Grad[i*2*d:][:2*d]
		for j := range d {
			dh[j] += mu.Grad[i*d+j]
			dh[d+j] += logvar.Grad[i*d+j] * r.kept[i*d+j]
		}
	}
}
