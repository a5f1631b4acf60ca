package tensor

import "math"

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
