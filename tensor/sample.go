package tensor

import "math"

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
