package invbo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/vae"
)

// reencoded is a surrogate that sees a latent z as E(D(z)), the encoder's mean of what it decodes to. A string has
// many latents, which say different things to a surrogate of z, and only one such mean; and means are where the losses of
// LOL-BO and CoBO, which act on the encoder, shape the space.
type reencoded struct {
	Surrogate // of means
	model     vae.Model
	means     map[string][]float64 // of strings that were read since the VAE's last update
}

func (*reencoded) Reads() {}

// forget drops the means: the encoder has changed.
func (r *reencoded) forget() { clear(r.means) }

// rememberedMeans bounds the strings whose means are kept: several batches' candidates, in some 20 MB.
const rememberedMeans = 8192

func (r *reencoded) Fit(ctx context.Context, at Points, y []float64, rng *rand.Rand) error {
	if len(r.means) > rememberedMeans {
		r.forget()
	}
	means, err := r.of(ctx, at)
	if err != nil {
		return err
	}
	return r.Surrogate.Fit(ctx, means, y, rng)
}

func (r *reencoded) Predict(at Points) (mu, sigma2 []float64, err error) {
	means, err := r.of(context.Background(), at)
	if err != nil {
		return nil, nil, err
	}
	return r.Surrogate.Predict(means)
}

// Sample says that latents which decode to nothing are worth nothing.
func (r *reencoded) Sample(at Points, k int, rng *rand.Rand) ([][]float64, error) {
	means, err := r.of(context.Background(), at)
	if err != nil {
		return nil, err
	}
	draws, err := r.Surrogate.Sample(means, k, rng)
	if err != nil {
		return nil, err
	}
	for i, x := range at.X {
		if x == "" {
			for _, f := range draws {
				f[i] = math.Inf(-1)
			}
		}
	}
	return draws, nil
}

// Loss and Trainer are those of the surrogate of means: the latents of an update are the encoder's. New has seen to it that
// they are there where they are wanted.
func (r *reencoded) Loss(z [][]float64, y []float64) (float64, [][]float64, error) {
	return r.Surrogate.(Trainable).Loss(z, y)
}

func (r *reencoded) Trainer(rate float64) func(z [][]float64, y []float64) (float64, [][]float64, error) {
	return r.Surrogate.(Trainable).Trainer(rate)
}

// of returns the points with the means of their strings for latents. What the encoder cannot read keeps its own; latents
// without strings are those of an update, which the encoder made.
func (r *reencoded) of(ctx context.Context, at Points) (Points, error) {
	if at.X == nil {
		return at, nil
	}
	var unread []string
	for _, x := range at.X {
		if _, ok := r.means[x]; !ok {
			r.means[x] = nil
			if x != "" && r.model.Check(x) == nil {
				unread = append(unread, x)
			}
		}
	}
	if len(unread) > 0 {
		mu, _, err := r.model.Encode(ctx, unread)
		if err != nil {
			r.forget()
			return Points{}, fmt.Errorf("encode %d strings: %w", len(unread), err)
		}
		for i, x := range unread {
			r.means[x] = mu[i]
		}
	}
	means := Points{Z: make([][]float64, len(at.X)), X: at.X, ID: at.ID}
	for i, x := range at.X {
		if means.Z[i] = r.means[x]; means.Z[i] == nil {
			means.Z[i] = at.Z[i]
		}
	}
	return means, nil
}
