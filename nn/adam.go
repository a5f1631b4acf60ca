package nn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/invbo/invbo/internal/simd"
)

// Adam is the optimizer of Kingma & Ba 2015 with β₁ = 0.9, ε = 10⁻⁸. All state is in exported fields, for checkpoints.
type Adam struct {
	LR    float64
	Beta2 float64   // decay rate of V
	Steps int       // number of steps taken
	M, V  []float32 // first and second moments of the gradient
}

// NewAdam returns an optimizer of n parameters with β₂ = 0.999.
func NewAdam(n int, lr float64) *Adam {
	return &Adam{LR: lr, Beta2: 0.999, M: make([]float32, n), V: make([]float32, n)}
}

// Step updates the parameters of p from their gradients, and sets the gradients to 0. A gradient that is NaN or
// infinite makes its parameter and moments NaN permanently.
func (a *Adam) Step(p *Params) {
	a.Steps++
	simd.Adam(p.Data[:len(p.Grad)], p.Grad, a.M, a.V, a.Steps, a.LR, 0.9, a.Beta2, 1e-8)
	clear(p.Grad)
}

// ClippedStep is Step with the gradient scaled to Euclidean norm limit if its norm is larger. It returns the original
// norm. If that is not finite it returns an error, sets the gradients to 0 and changes nothing else.
func (a *Adam) ClippedStep(p *Params, limit float64) (norm float64, err error) {
	norm = math.Sqrt(simd.SumSquares(p.Grad))
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		clear(p.Grad)
		return norm, fmt.Errorf("the norm of the gradient is %g: lower the learning rate", norm)
	}
	if norm > limit {
		simd.Scale(float32(limit/norm), p.Grad)
	}
	a.Step(p)
	return norm, nil
}

// Cosine returns the learning rate at step, annealed from lr at step 0 to 0 at steps (Loshchilov & Hutter 2017,
// Eq. 5, without restarts).
func Cosine(lr float64, step, steps int) float64 {
	return lr * 0.5 * (1 + math.Cos(math.Pi*float64(step)/float64(steps)))
}

// Adam64 is Adam in float64, for a vector of parameters outside a network, such as a latent or the kernel of a Gaussian
// process (Kingma & Ba 2015 with β = (0.9, 0.999) and ε = 10⁻⁸). LearningRate must be set. One Adam64 serves one
// vector.
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
