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

// Sample returns z = mu + exp(½logvar)·eps (n, d): for standard normal eps (n, d), a reparametrized draw from
// N(mu, exp(logvar)) (Kingma & Welling 2014, §2.4). eps gets no gradient.
func (t *Tape) Sample(mu, logvar, eps *Var) *Var {
	mustShape("Sample", "logvar", logvar, mu.Rows, mu.Cols)
	mustShape("Sample", "eps", eps, mu.Rows, mu.Cols)
	z := t.result(mu.Rows, mu.Cols, mu, logvar)
	noise := t.floats.take(len(z.Data)) // exp(½logvar)·eps
	for i, lv := range logvar.Data {
		noise[i] = float32(math.Exp(0.5*float64(lv))) * eps.Data[i]
		z.Data[i] = mu.Data[i] + noise[i]
	}
	t.record(record{backward: sampleBackward, y: z, x: [4]*Var{mu, logvar}, kept: noise})
	return z
}

func sampleBackward(_ *Tape, r *record) {
	mu, logvar := r.x[0], r.x[1]
	for i, g := range r.y.Grad {
		if mu.Grad != nil {
			mu.Grad[i] += g
		}
		if logvar.Grad != nil {
			logvar.Grad[i] += g * 0.5 * r.kept[i] // ∂z/∂logvar = ½·exp(½logvar)·eps
		}
	}
}

// KL returns KL(N(mu, exp(logvar)) ‖ N(0, I)) in nats, summed over the batch (a scalar):
//
//	½ Σᵢⱼ (exp(logvarᵢⱼ) + muᵢⱼ² − 1 − logvarᵢⱼ)    Kingma & Welling 2014, Appendix B
//
// mu and logvar are (batch, latent).
func (t *Tape) KL(mu, logvar *Var) *Var {
	mustShape("KL", "logvar", logvar, mu.Rows, mu.Cols)
	excess := t.floats.take(len(logvar.Data)) // exp(logvar) − 1
	sum := 0.0
	for i, lv := range logvar.Data {
		m, lv := float64(mu.Data[i]), float64(lv)
		e := math.Expm1(lv)
		sum += 0.5 * (e - lv + m*m)
		excess[i] = float32(e)
	}
	kl := t.result(1, 1, mu, logvar)
	kl.Data[0] = float32(sum)
	t.record(record{backward: klBackward, y: kl, x: [4]*Var{mu, logvar}, kept: excess})
	return kl
}

func klBackward(_ *Tape, r *record) {
	mu, logvar, g := r.x[0], r.x[1], r.y.Grad[0]
	if mu.Grad != nil {
		for i, m := range mu.Data {
			mu.Grad[i] += g * m // ∂/∂mu = mu
		}
	}
	if logvar.Grad != nil {
		for i, excess := range r.kept {
			logvar.Grad[i] += g * 0.5 * excess // ∂/∂logvar = ½(exp(logvar) − 1)
		}
	}
}
