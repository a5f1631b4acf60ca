package invbo

import (
	"context"
	"math/rand/v2"
)

// Surrogate is a model of f∘p over latents z (n, d). Larger values are better.
type Surrogate interface {
	// Fit explains the scores y at z. It may start from what an earlier Fit found.
	Fit(ctx context.Context, z [][]float64, y []float64, rng *rand.Rand) error

	// Predict returns the posterior mean of the latent function at each row of z.
	Predict(z [][]float64) ([]float64, error)

	// Sample returns the values at z of k functions drawn from the posterior (k, n).
	Sample(z [][]float64, k int, rng *rand.Rand) ([][]float64, error)
}

// trainable is a Surrogate that can be trained together with the VAE.
type trainable interface {
	// Trainer returns a function that takes one step of a fresh Adam on the surrogate's own parameters
	// and returns its loss on (z, y) and ∂loss/∂z, both from before the step.
	Trainer(rate float64) func(z [][]float64, y []float64) (loss float64, grad [][]float64, err error)
}

// anisotropic is a Surrogate with a lengthscale for each dimension of z.
type anisotropic interface {
	Lengthscales() []float64
}
