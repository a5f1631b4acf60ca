package simd

import "math"

// Adam updates the weights w and the moments m and v with the gradient g, in step t = 1, 2, … (Kingma & Ba 2015,
// Algorithm 1):
//
//	m = beta1·m + (1 − beta1)·g    v = beta2·v + (1 − beta2)·g²
//	w −= lr · m/(1 − beta1ᵗ) / (√(v/(1 − beta2ᵗ)) + eps)
func Adam(w, g, m, v []float32, t int, lr, beta1, beta2, eps float64) {
	mustMatch("Adam", len(w), g, m, v)
	correction1, correction2 := float32(1-math.Pow(beta1, float64(t))), float32(1-math.Pow(beta2, float64(t)))
	b1, b2 := float32(beta1), float32(beta2)
	adam(w, g, m, v, b1, b2, 1-b1, 1-b2, float32(lr)/correction1, float32(1/math.Sqrt(float64(correction2))), float32(eps))
}

// adamGo is Adam, given keep = 1 − beta, rate = lr/(1 − beta1ᵗ) and scale = 1/√(1 − beta2ᵗ).
func adamGo(w, g, m, v []float32, beta1, beta2, keep1, keep2, rate, scale, eps float32) {
	g, m, v = g[:len(w)], m[:len(w)], v[:len(w)]
	for i := range w {
		m[i] = beta1*m[i] + keep1*g[i]
		v[i] = beta2*v[i] + keep2*(g[i]*g[i])
		w[i] -= rate * m[i] / (float32(math.Sqrt(float64(v[i])))*scale + eps)
	}
}
