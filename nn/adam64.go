package nn

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// Adam64 is Adam in float64, for a vector of parameters outside a network, such as a latent or the kernel of a Gaussian process
// (Kingma & Ba 2015 with β = (0.9, 0.999) and ε = 10⁻⁸). LearningRate must be set. One Adam64 serves one vector.
type Adam64 struct {
	LearningRate float64
	Clip         float64 // largest Euclidean norm of a gradient, which is scaled down to it; 0: no limit

	m, v []float64
	t    int
}

// Step updates theta (n) given the gradient grad (n), and returns grad's Euclidean norm before clipping.
func (a *Adam64) Step(theta, grad []float64) (norm float64) {
	if a.m == nil {
		a.m, a.v = make([]float64, len(theta)), make([]float64, len(theta))
	}
	g := blas64.Vector{N: len(grad), Inc: 1, Data: grad}
	norm = math.Sqrt(blas64.Dot(g, g))
	scale := 1.0
	if a.Clip > 0 {
		scale = math.Min(1, a.Clip/(norm+1e-6)) // PyTorch's rule
	}
	const beta1, beta2, eps = 0.9, 0.999, 1e-8
	a.t++
	c1 := 1 - math.Pow(beta1, float64(a.t))
	c2 := 1 - math.Pow(beta2, float64(a.t))
	for i, g := range grad {
		g *= scale
		a.m[i] = beta1*a.m[i] + (1-beta1)*g
		a.v[i] = beta2*a.v[i] + (1-beta2)*g*g
		theta[i] -= a.LearningRate * (a.m[i] / c1) / (math.Sqrt(a.v[i]/c2) + eps)
	}
	return norm
}
