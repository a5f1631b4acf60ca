package invbo

import (
	"context"
	"math/rand/v2"
)

// Surrogate is a model of f∘p over latents. Larger values are better.
type Surrogate interface {
	// Fit explains the scores y at the points. It may start from what an earlier Fit found.
	Fit(ctx context.Context, at Points, y []float64, rng *rand.Rand) error

	// Predict returns the posterior mean and variance of the latent function at each point.
	Predict(at Points) (mu, sigma2 []float64, err error)

	// Sample returns the values at n points of k functions drawn from the posterior (k, n).
	Sample(at Points, k int, rng *rand.Rand) ([][]float64, error)
}

// Points are n latents and what they stand for.
type Points struct {
	Z  [][]float64 // (n, d)
	X  []string    // what each decodes to, "" where that is nothing; given to Fit, and to a Reader but with the encoder's latents of an update of the VAE
	ID []int       // what each is called in every Fit, from 0 in the order of scores; given to Fit only
}

// Reader is a Surrogate that judges latents by what they decode to. The optimizer decodes all candidates
// for it, which is dear: its Profile should have few.
type Reader interface {
	Surrogate
	Reads()
}

// Trainable is a Surrogate that can be trained together with the VAE, as LOL-BO and CoBO do, or guide its training, as in
// PG-LBO. z are n latents (n, d), and y their scores (n).
type Trainable interface {
	Surrogate

	// Loss returns the negated mean log density of scores y at z, up to a constant, and ∂/∂z (n, d).
	Loss(z [][]float64, y []float64) (loss float64, grad [][]float64, err error)

	// Trainer returns a function that takes one step of a fresh Adam on the surrogate's own parameters
	// down its Loss, and returns what that is before the step.
	Trainer(rate float64) func(z [][]float64, y []float64) (loss float64, grad [][]float64, err error)
}

// anisotropic is a Surrogate with a lengthscale for each dimension of z.
type anisotropic interface {
	Lengthscales() []float64
}
