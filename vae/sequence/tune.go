package sequence

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/internal/single"
)

// Clone implements vae.Tunable.
func (m *Model) Clone() vae.Tunable {
	clone := *m
	clone.net = m.net.view(slices.Clone(m.net.params.Data), nil)
	clone.net.params.Freeze()
	return &clone
}

// Weights implements vae.Tunable.
func (m *Model) Weights() []float32 { return m.net.params.Data }

// SetWeights implements vae.Tunable.
func (m *Model) SetWeights(w []float32) {
	m.net.params.Set(w)
	m.net.params.Freeze()
}

// tunerParts is trainingParts for the minibatches of InvBO, about 1,100 tokens.
const tunerParts = 4

// NewTuner implements vae.Tunable. Steps use no dropout.
func (m *Model) NewTuner(lr float64) vae.Tuner {
	trained, _ := m.net.params.Len()
	return &tuner{model: m, grad: newGradient(m, tunerParts, chunkTokens), adam: nn.NewAdam(trained, lr)}
}

type tuner struct {
	model *Model
	grad  *gradient
	adam  *nn.Adam
}

// Step implements vae.Tuner.
func (u *tuner) Step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent vae.LatentLoss, rng *rand.Rand) (vae.StepLoss, error) {
	if weight != nil && len(weight) != len(x) {
		panic(fmt.Sprintf("sequence: Step: %d weights for %d strings", len(weight), len(x)))
	}
	strings, err := u.model.splitAll(x)
	if err != nil {
		return vae.StepLoss{}, fmt.Errorf("sequence: tune: %w", err)
	}
	d := u.model.Dim()
	eps := make([]float32, len(x)*d)
	nn.Normal(1)(rng, &tensor.Var{Data: eps})
	var loss vae.StepLoss
	var pull [][]float64 // ∂latent/∂z
	if latent != nil {
		z, err := u.model.sample(ctx, strings, eps)
		if err != nil {
			return vae.StepLoss{}, fmt.Errorf("sequence: tune: %w", err)
		}
		if loss.Latent, pull, err = latent(z); err != nil {
			return vae.StepLoss{}, fmt.Errorf("sequence: tune: loss on latents: %w", err)
		}
	}
	if ctx.Err() != nil {
		return vae.StepLoss{}, fmt.Errorf("sequence: tune: %w", context.Cause(ctx))
	}
	parts := make([]float64, len(x)) // weighted cross-entropy of each string
	sum := u.grad.add(strings, func(n *network, t *tensor.Tape, c chunk) tally {
		e := n.elbo(t, strings[c.lo:c.hi], noise(t, eps, c, d), nn.Dropout{})
		grad, pulled := t.Grad(e.losses), t.Grad(e.z)
		for i := c.lo; i < c.hi; i++ {
			w := 1 / float64(len(x))
			if weight != nil {
				w *= weight[i]
			}
			parts[i] = w * float64(e.losses.Data[i-c.lo])
			grad[i-c.lo] = float32(recon * w)
			if pull != nil {
				for j, g := range pull[i] {
					pulled[(i-c.lo)*d+j] = float32(g)
				}
			}
		}
		t.Grad(e.kl)[0] = float32(kl / float64(len(eps)))
		return e.tally(strings[c.lo:c.hi])
	})
	for _, p := range parts {
		loss.Reconstruction += p
	}
	loss.KL = sum.quality().KL
	if loss.GradNorm, err = u.grad.step(u.adam); err != nil {
		return vae.StepLoss{}, fmt.Errorf("sequence: tune: %w", err)
	}
	return loss, nil
}

// sample returns z = mu + sigma∘eps for strings. The loss on latents needs all latents before any is decoded; encoding
// the strings a second time is cheaper than keeping all activations.
func (m *Model) sample(ctx context.Context, strings [][]int32, eps []float32) ([][]float64, error) {
	z := make([][]float64, len(strings))
	err := m.eachChunk(ctx, strings, func(t *tensor.Tape, c chunk) {
		mu, logvar := m.net.encode(t, newBatch(strings[c.lo:c.hi], m.net.config.Vectors), nn.Dropout{})
		sampled := t.Sample(mu, logvar, noise(t, eps, c, m.Dim()))
		for i := c.lo; i < c.hi; i++ {
			z[i] = single.Widen(sampled.Row(i - c.lo))
		}
	})
	return z, err
}

// noise returns the part of eps for a chunk.
func noise(t *tensor.Tape, eps []float32, c chunk, d int) *tensor.Var {
	v := t.New(c.hi-c.lo, d, false)
	copy(v.Data, eps[c.lo*d:])
	return v
}
