package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAdam compares three steps with float64. A step has about ten roundings of 2⁻²⁴, relative to parts of the result.
func TestAdam(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const lr, beta1, beta2, epsilon = 0.01, 0.9, 0.999, 1e-8
	for n := range 100 {
		w0 := normals[float32](rng, n)
		grads := [3][]float32{normals[float32](rng, n), normals[float32](rng, n), normals[float32](rng, n)}
		eachISA(t, func(name string) {
			w, m, v := fenced(w0), fenced(make([]float32, n)), fenced(make([]float32, n))
			for step, g := range grads {
				Adam(w.x, fenced(g).x, m.x, v.x, step+1, lr, beta1, beta2, epsilon)
			}
			for i := range n {
				want, m64, v64 := float64(w0[i]), 0., 0.
				for step, g := range grads {
					g := float64(g[i])
					m64 = beta1*m64 + (1-beta1)*g
					v64 = beta2*v64 + (1-beta2)*g*g
					mhat := m64 / (1 - math.Pow(beta1, float64(step+1)))
					vhat := v64 / (1 - math.Pow(beta2, float64(step+1)))
					want -= lr * mhat / (math.Sqrt(vhat) + epsilon)
				}
				// float32(0.999) gives 1 − Beta2 a relative error of 2⁻²⁴/0.001, and the step one of at most 3e-5
				if got := float64(w.x[i]); !(math.Abs(got-want) <= 3*(eps*math.Abs(want)+1e-4*lr)) {
					t.Errorf("%s, n=%d: w[%d] = %g, want %g", name, n, i, got, want)
				}
			}
			for _, f := range []fence[float32]{w, m, v} {
				f.check(t, name)
			}
		})
	}
}
