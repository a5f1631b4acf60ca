// Package surrogate holds models of the score over latents and over the strings that latents decode to.
//
// Surrogate is the interface. Latent is the paper's (a sparse variational GP with a deep kernel on
// latents), Exact is TuRBO's for continuous problems, Structure looks at the strings.
package surrogate

import (
	"context"
	"encoding"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/gp"
)

// Surrogate is a model of the score f∘p over latents. Larger values are better.
type Surrogate interface {
	// Fit learns from data. It may start from what an earlier Fit found.
	Fit(ctx context.Context, d Data, rng *rand.Rand) error

	// Predict returns the posterior mean and variance of the latent function at n points (n each).
	Predict(ctx context.Context, at Points) (mu, sigma2 []float64, err error)

	// Sample draws k functions from the posterior. Draws may take random numbers from rng later.
	Sample(k int, rng *rand.Rand) Draws
}

// Draws are k functions. They can be evaluated again, at points made later, and remain the same functions.
type Draws interface {
	// At returns the values (k, n) at n points.
	At(ctx context.Context, at Points) ([][]float64, error)
}

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

// fitted is a GP on latents, nil before the first Fit, and its posterior.
type fitted[T any, M interface {
	*T
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	Posterior() (*gp.Posterior, error)
}] struct {
	model     M
	posterior *gp.Posterior
}

// keep keeps a model that was fitted. Before, a first fit that is interrupted starts over.
func (f *fitted[T, M]) keep(model M) (err error) {
	f.model = model
	f.posterior, err = model.Posterior()
	return err
}

// Predict implements Surrogate.
func (f *fitted[T, M]) Predict(_ context.Context, at Points) (mu, sigma2 []float64, err error) {
	return f.posterior.Predict(at.Z)
}

// MarshalBinary returns the state of the model that the next Fit continues with.
func (f *fitted[T, M]) MarshalBinary() ([]byte, error) {
	if f.model == nil {
		return nil, nil
	}
	return f.model.MarshalBinary()
}

// UnmarshalBinary continues with a marshalled state. The error wraps gp.ErrData or gp.ErrNotPositiveDefinite.
func (f *fitted[T, M]) UnmarshalBinary(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	model := M(new(T))
	if err := model.UnmarshalBinary(data); err != nil {
		return err
	}
	return f.keep(model)
}

// pathwise are draws of a GP on latents.
type pathwise struct {
	at func(z [][]float64) ([][]float64, error)
}

func (p pathwise) At(_ context.Context, at Points) ([][]float64, error) { return p.at(at.Z) }

// ofStrings are k functions of strings: each distinct string is evaluated once in a call, and -Inf stands for
// latents that decode to nothing.
type ofStrings struct {
	k  int
	at func(ctx context.Context, x []string) ([][]float64, error)
}

func (o ofStrings) At(ctx context.Context, at Points) ([][]float64, error) {
	row := map[string]int{}
	var distinct []string
	for _, s := range at.X {
		if _, ok := row[s]; !ok && s != "" {
			row[s] = len(distinct)
			distinct = append(distinct, s)
		}
	}
	draws := make([][]float64, o.k)
	for i := range draws {
		draws[i] = slices.Repeat([]float64{math.Inf(-1)}, len(at.X))
	}
	if len(distinct) == 0 {
		return draws, nil
	}
	f, err := o.at(ctx, distinct)
	if err != nil {
		return nil, err
	}
	for i := range draws {
		for j, s := range at.X {
			if s != "" {
				draws[i][j] = f[i][row[s]]
			}
		}
	}
	return draws, nil
}
