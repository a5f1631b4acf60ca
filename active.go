package invbo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/vae"
)

// ActiveDimensions returns s on latents of m in which each dimension counts as far as m's encoder uses it: they are
// multiplied by √(1 − σ²), or 0.01 if that is less, where σ² is the mean variance of the posteriors of the strings that s is
// fitted to. This is ours; docs/benchmarks.md has what it does to predictions.
//
// A VAE leaves most dimensions at the prior, where they say nothing of the string (they are no active units: Burda et al.
// 2016). The decoder hardly heeds them, so that inversion leaves latents far apart there, and candidates move there for
// nothing. To a surrogate of all dimensions that is noise, and most of every distance.
//
// s is a surrogate of latents, and no Reader. The result is Trainable if s is. Its Fit returns the error of the encoder, or that of s.
func ActiveDimensions(s Surrogate, m vae.Model) Surrogate {
	a := &active{Surrogate: s, model: m}
	if t, ok := s.(Trainable); ok {
		return &activeTrainable{a, t}
	}
	return a
}

// active is what ActiveDimensions returns.
type active struct {
	Surrogate
	model  vae.Model
	weight []float64 // (d): what latents are multiplied by
}

// leastWeight keeps latents apart even where no dimension says anything.
const leastWeight = 0.01

// activity returns the weight of each dimension for posteriors of deviations sigma (n, d): √(1 − mean σ²), the deviation that is
// left to their means. It is 1 where the encoder fixes the latent.
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

// weigh returns latents (n, d), or gradients by weighted ones, times the weight of each dimension.
func weigh(z [][]float64, weight []float64) [][]float64 {
	out := make([][]float64, len(z))
	for i, v := range z {
		out[i] = make([]float64, len(v))
		for j := range v {
			out[i][j] = v[j] * weight[j]
		}
	}
	return out
}

func (a *active) see(at Points) Points {
	at.Z = weigh(at.Z, a.weight)
	return at
}

func (a *active) Fit(ctx context.Context, at Points, y []float64, rng *rand.Rand) error {
	_, sigma, err := a.model.Encode(ctx, at.X)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	a.weight = activity(sigma)
	return a.Surrogate.Fit(ctx, a.see(at), y, rng)
}

func (a *active) Predict(at Points) (mu, sigma2 []float64, err error) {
	return a.Surrogate.Predict(a.see(at))
}

func (a *active) Sample(at Points, k int, rng *rand.Rand) ([][]float64, error) {
	return a.Surrogate.Sample(a.see(at), k, rng)
}

// activeTrainable is an active whose surrogate is Trainable.
type activeTrainable struct {
	*active
	trainable Trainable
}

func (a *activeTrainable) Loss(z [][]float64, y []float64) (float64, [][]float64, error) {
	loss, grad, err := a.trainable.Loss(weigh(z, a.weight), y)
	return loss, weigh(grad, a.weight), err
}

func (a *activeTrainable) Trainer(rate float64) func(z [][]float64, y []float64) (float64, [][]float64, error) {
	step := a.trainable.Trainer(rate)
	return func(z [][]float64, y []float64) (float64, [][]float64, error) {
		loss, grad, err := step(weigh(z, a.weight), y)
		return loss, weigh(grad, a.weight), err
	}
}
