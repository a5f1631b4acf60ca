package nn

import (
	"math"

	"github.com/invbo/invbo/internal/simd"
)

// Adam is the optimizer of Kingma & Ba 2015 with β₁ = 0.9, ε = 10⁻⁸. Its fields are all of its state, so that
// a checkpoint can hold it.
type Adam struct {
	LR    float64
	Beta2 float64   // decay of V
	Steps int       // taken
	M, V  []float32 // first and second moments of the gradient
}

// NewAdam returns a fresh optimizer of n parameters with β₂ = 0.999.
func NewAdam(n int, lr float64) *Adam {
	return &Adam{LR: lr, Beta2: 0.999, M: make([]float32, n), V: make([]float32, n)}
}

// Step moves p's parameters against their gradients, and sets these to 0. A gradient that is NaN or infinite
// spoils its parameter and moments for good.
func (a *Adam) Step(p *Params) {
	const beta1 = 0.9
	a.Steps++
	simd.Adam(p.Data[:len(p.Grad)], p.Grad, a.M, a.V, simd.AdamStep{
		LR: float32(a.LR), Beta1: beta1, Beta2: float32(a.Beta2), Eps: 1e-8,
		Correction1: float32(1 - math.Pow(beta1, float64(a.Steps))),
		Correction2: float32(1 - math.Pow(a.Beta2, float64(a.Steps))),
	})
	clear(p.Grad)
}

// ClipNorm scales grad down to Euclidean norm limit if it is longer, and returns its norm before.
//
// With a NaN in grad the norm is NaN, and grad stays as it is; with infinities alone it is +Inf, and they become NaN,
// all else 0. Look at the norm before a step.
func ClipNorm(grad []float32, limit float64) float64 {
	norm := math.Sqrt(simd.SumSquares(grad))
	if norm > limit {
		simd.Scale(float32(limit/norm), grad)
	}
	return norm
}
