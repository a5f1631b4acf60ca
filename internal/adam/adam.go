// Package adam holds the optimizer Adam in float64; package nn has its own for the float32 weights of networks.
package adam

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// Adam is the optimizer of Kingma & Ba 2015 with β = (0.9, 0.999) and ε = 10⁻⁸. LearningRate must be set. One Adam
// serves one vector of parameters.
type Adam struct {
	LearningRate float64
	Clip         float64 // largest norm of a gradient, which is scaled down to it; 0: no limit

	m, v []float64
	t    int
}

// Step updates theta given the gradient grad, and returns grad's norm before clipping.
func (a *Adam) Step(theta, grad []float64) (norm float64) {
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
