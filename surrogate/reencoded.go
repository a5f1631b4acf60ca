package surrogate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/vae"
)

// Reencoded is an exact GP on the encoder's means of what latents decode to, E(D(z)), with one lengthscale
// for the dimensions that the encoder uses. A string has many latents, whose differences mostly do not change
// it, and one such mean. It is not from the paper; docs/benchmarks.md has what it finds.
type Reencoded struct {
	model  vae.Model
	weight []float64            // (d): factors of the means, see activity
	seen   map[string][]float64 // weighted means of strings since the last Fit; the encoder may change until the next
	gp     Exact
}

// NewReencoded returns a Reencoded over the strings of m.
func NewReencoded(m vae.Model) *Reencoded {
	// Distances in some tens of active dimensions are of the order of 10, and molecules with nearly the same
	// mean may score differently.
	return &Reencoded{model: m, gp: Exact{opts: gp.ExactOptions{
		Isotropic: true, Lengthscale: gp.Range{Min: 0.1, Max: 300}, Noise: gp.Range{Min: 1e-4, Max: 2},
	}}}
}

// ReadsStrings implements StringSurrogate.
func (*Reencoded) ReadsStrings() {}

// Fit implements Surrogate.
func (r *Reencoded) Fit(ctx context.Context, d Data, rng *rand.Rand) error {
	r.weight, r.seen = nil, map[string][]float64{}
	z, err := r.means(ctx, d.X)
	if err != nil {
		return err
	}
	d.Z = z
	return r.gp.Fit(ctx, d, rng)
}

// Predict implements Surrogate.
func (r *Reencoded) Predict(ctx context.Context, at Points) (mu, sigma2 []float64, err error) {
	z, err := r.means(ctx, at.X)
	if err != nil {
		return nil, nil, err
	}
	return r.gp.Predict(ctx, Points{Z: z})
}

// Sample implements Surrogate.
func (r *Reencoded) Sample(k int, rng *rand.Rand) Draws {
	draws := r.gp.Sample(k, rng)
	return ofStrings{k, func(ctx context.Context, x []string) ([][]float64, error) {
		z, err := r.means(ctx, x)
		if err != nil {
			return nil, err
		}
		return draws.At(ctx, Points{Z: z})
	}}
}

// means returns the weighted means (n, d) of strings. The first call after a Fit sets the weights.
func (r *Reencoded) means(ctx context.Context, x []string) ([][]float64, error) {
	var unseen []string
	for _, s := range x {
		if _, ok := r.seen[s]; !ok {
			r.seen[s] = nil // listed once
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
		for i, v := range mu {
			weighted := make([]float64, len(v))
			for j := range v {
				weighted[j] = v[j] * r.weight[j]
			}
			r.seen[unseen[i]] = weighted
		}
	}
	z := make([][]float64, len(x))
	for i, s := range x {
		z[i] = r.seen[s]
	}
	return z, nil
}

// leastWeight keeps strings apart even if the encoder uses no dimension.
const leastWeight = 0.01

// activity returns the weight of each dimension for posteriors with deviations sigma (n, d): √(1 − mean σ²), the
// deviation of their means where the aggregate posterior is the prior; at least leastWeight. A VAE leaves most
// dimensions at the prior, where they carry nothing of the string (no active units: Burda et al. 2016).
func activity(sigma [][]float64) []float64 {
	weight := make([]float64, len(sigma[0]))
	for j := range weight {
		var sum float64
		for _, s := range sigma {
			sum += s[j] * s[j]
		}
		weight[j] = max(leastWeight, math.Sqrt(max(0, 1-sum/float64(len(sigma)))))
	}
	return weight
}
