package invbo

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/vae"
)

// reencoded is a surrogate on the encoder's means of what latents decode to, E(D(z)): an exact GP with one lengthscale for the
// dimensions that the encoder uses. A string has many latents, most of whose differences do not move it, and one such mean.
type reencoded struct {
	model  vae.Model
	weight []float64            // (d): what means are multiplied by, see activity
	seen   map[string][]float64 // weighted means of strings since the last Fit; the encoder may be another by the next
	gp     exact
}

func newReencoded(m vae.Model) *reencoded {
	// Distances in some tens of active dimensions are of the order of 10, and another molecule of nearly the same mean may score otherwise.
	return &reencoded{model: m, gp: exact{opts: gp.ExactOptions{
		Isotropic: true, Lengthscale: gp.Range{Min: 0.1, Max: 300}, Noise: gp.Range{Min: 1e-4, Max: 2},
	}}}
}

func (*reencoded) Reads() {}

func (r *reencoded) Fit(ctx context.Context, at Points, y []float64, rng *rand.Rand) error {
	r.weight, r.seen = nil, map[string][]float64{}
	z, err := r.means(ctx, at.X)
	if err != nil {
		return err
	}
	return r.gp.Fit(ctx, Points{Z: z}, y, rng)
}

func (r *reencoded) Predict(at Points) (mu, sigma2 []float64, err error) {
	z, err := r.means(context.Background(), at.X)
	if err != nil {
		return nil, nil, err
	}
	return r.gp.Predict(Points{Z: z})
}

func (r *reencoded) Sample(at Points, k int, rng *rand.Rand) ([][]float64, error) {
	return sampleStrings(at.X, k, func(x []string) ([][]float64, error) {
		z, err := r.means(context.Background(), x)
		if err != nil {
			return nil, err
		}
		return r.gp.Sample(Points{Z: z}, k, rng)
	})
}

// means returns the weighted means (n, d) of strings. The first that it is asked for give the weights.
func (r *reencoded) means(ctx context.Context, x []string) ([][]float64, error) {
	var unseen []string
	for _, s := range x {
		if _, ok := r.seen[s]; !ok {
			r.seen[s] = nil // named once
			unseen = append(unseen, s)
		}
	}
	if len(unseen) > 0 {
		mu, sigma, err := r.model.Encode(ctx, unseen)
		if err != nil {
			for _, s := range unseen {
				delete(r.seen, s)
			}
			return nil, fmt.Errorf("encode %d strings: %w", len(unseen), err)
		}
		if r.weight == nil {
			r.weight = activity(sigma)
		}
		for i, v := range weigh(mu, r.weight) {
			r.seen[unseen[i]] = v
		}
	}
	z := make([][]float64, len(x))
	for i, s := range x {
		z[i] = r.seen[s]
	}
	return z, nil
}
