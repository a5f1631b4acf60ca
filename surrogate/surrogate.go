// Package surrogate holds models of the score over latents and over the strings that latents decode to.
//
// Surrogate is the interface. Latent is the paper's (a sparse variational GP with a deep kernel on
// latents), Exact is TuRBO's for continuous problems, Structure looks at the strings.
package surrogate

import (
	"context"
	"errors"
	"math/rand/v2"
)

// Surrogate is a model of the score f∘p over latents. Larger values are better.
type Surrogate interface {
	// Fit learns from data, and may start from an earlier fit. Call it before any other method; until then, methods
	// that return an error return one that says so.
	Fit(ctx context.Context, d Data, rng *rand.Rand) error

	// Predict returns the posterior mean and variance of the latent function at n points (n each).
	Predict(ctx context.Context, at Points) (mu, sigma2 []float64, err error)

	// Sample draws k functions from the posterior. Draws may take random numbers from rng later.
	Sample(k int, rng *rand.Rand) Draws
}

// errNoFit is the error of what needs a Fit before.
var errNoFit = errors.New("surrogate: it has not been fitted to data; call Fit first")

// noDraws are the Draws of a Surrogate before its first Fit.
func noDraws(context.Context, Points) ([][]float64, error) { return nil, errNoFit }

// Draws are k functions, and return their values (k, n) at n points. They can be evaluated again, at points made later,
// and remain the same functions.
type Draws func(ctx context.Context, at Points) ([][]float64, error)

// Points are n latents and the strings they stand for.
type Points struct {
	Z [][]float64 // (n, d)
	X []string    // what each decodes to, "" where that is nothing; set for Fit and for a StringSurrogate
}

// Data are n scored points.
type Data struct {
	Points
	Y        []float64 // scores, transformed
	Variance []float64 // known variances of Y; nil: none is known
	ID       []int     // numbers of the points, the same in every Fit, from 0 in the order of their scores
}

// StringSurrogate is a Surrogate that looks at X, not at Z. All candidates are decoded for it, which is
// slow, so that it is given fewer of them.
type StringSurrogate interface {
	Surrogate
	ReadsStrings()
}

// Trainable is a Surrogate that can be trained together with the VAE, as in LOL-BO and CoBO, or guide its
// training, as in PG-LBO. z are n latents (n, d), and y their transformed scores (n).
type Trainable interface {
	Surrogate

	// Loss returns the negated mean log density of scores y at z, up to a constant, and ∂/∂z (n, d).
	Loss(z [][]float64, y []float64) (loss float64, grad [][]float64, err error)

	// Trainer returns a function that takes one step of a fresh Adam on the surrogate's own parameters
	// down its Loss, and returns Loss's results before the step. id are the points' numbers (see Data.ID).
	Trainer(rate float64) func(z [][]float64, y []float64, id []int) (loss float64, grad [][]float64, err error)
}

// Anisotropic is a Surrogate with a lengthscale for each dimension of z (d).
type Anisotropic interface {
	Lengthscales() []float64
}
