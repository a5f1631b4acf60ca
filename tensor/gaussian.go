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
	t.record(mu, func() {
		for i := range h.Rows {
			dh := h.Grad[i*2*d:][:2*d]
			for j := range d {
				dh[j] += mu.Grad[i*d+j]
				dh[d+j] += logvar.Grad[i*d+j] * slope[i*d+j]
			}
		}
	})
	return mu, logvar
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
	t.record(z, func() {
		for i, g := range z.Grad {
			if mu.Grad != nil {
				mu.Grad[i] += g
			}
			if logvar.Grad != nil {
				logvar.Grad[i] += g * 0.5 * noise[i] // ∂z/∂logvar = ½·exp(½logvar)·eps
			}
		}
	})
	return z
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
	t.record(kl, func() {
		g := kl.Grad[0]
		for i, m := range mu.Data {
			if mu.Grad != nil {
				mu.Grad[i] += g * m // ∂/∂mu = mu
			}
			if logvar.Grad != nil {
				logvar.Grad[i] += g * 0.5 * excess[i] // ∂/∂logvar = ½(exp(logvar) − 1)
			}
		}
	})
	return kl
}
