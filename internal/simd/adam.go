package simd

import "math"

// AdamStep holds the constants of one step t = 1, 2, … of Adam (Kingma & Ba 2015, Algorithm 1).
type AdamStep struct {
	LR, Beta1, Beta2, Eps    float32
	Correction1, Correction2 float32 // 1 − Beta1ᵗ and 1 − Beta2ᵗ
}

// Adam updates the weights w and the moments m and v with the gradient g:
//
//	m = Beta1·m + (1 − Beta1)·g    v = Beta2·v + (1 − Beta2)·g²
//	w −= LR · (m/Correction1) / (√(v/Correction2) + Eps)
func Adam(w, g, m, v []float32, step AdamStep) {
	mustMatch("Adam", len(w), g, m, v)
	keep1, keep2 := 1-step.Beta1, 1-step.Beta2
	rate := step.LR / step.Correction1
	scale := float32(1 / math.Sqrt(float64(step.Correction2)))
	adam(w, g, m, v, step.Beta1, step.Beta2, keep1, keep2, rate, scale, step.Eps)
}

// adamGo is Adam, given keep = 1 − beta, rate = LR/Correction1 and scale = 1/√Correction2.
func adamGo(w, g, m, v []float32, beta1, beta2, keep1, keep2, rate, scale, eps float32) {
	g, m, v = g[:len(w)], m[:len(w)], v[:len(w)]
	for i := range w {
		m[i] = beta1*m[i] + keep1*g[i]
		v[i] = beta2*v[i] + keep2*(g[i]*g[i])
		w[i] -= rate * m[i] / (float32(math.Sqrt(float64(v[i])))*scale + eps)
	}
}
