package neural

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
)

// Clone returns a model with weights of its own.
func (m *Model[N]) Clone() Model[N] {
	clone := *m
	clone.Net = m.Net.View(slices.Clone(m.Weights()), nil)
	clone.Net.Params().Freeze()
	return clone
}

// Weights implements vae.Tunable.
func (m *Model[N]) Weights() []float32 { return m.Net.Params().Data }

// SetWeights implements vae.Tunable.
func (m *Model[N]) SetWeights(w []float32) {
	m.Net.Params().Set(w)
	m.Net.Params().Freeze()
}

// Gradient computes the gradient of a loss, summed over the chunks of a batch, in the weights of a model. A fixed
// number of parts, each with its own gradient, are processed in parallel and added in order, so that results do
// not depend on the number of processors.
type Gradient[N Network[N]] struct {
	model *Model[N]
	sum   *nn.Params // of the model, with the summed gradient
	parts []N        // views of the model, each with its own gradient
	chunk int
}

// NewGradient returns a gradient of the given number of parts, which process chunks of the given size.
func NewGradient[N Network[N]](m *Model[N], parts, chunk int) *Gradient[N] {
	view := func() N {
		trained, _ := m.Net.Params().Len()
		return m.Net.View(m.Weights(), make([]float32, trained))
	}
	g := &Gradient[N]{model: m, sum: view().Params(), chunk: chunk}
	for range parts {
		g.parts = append(g.parts, view())
	}
	return g
}

// Add adds the gradient of a batch to the sum. pass runs the forward pass of a chunk and writes the gradient of its
// loss, for Backward.
func (g *Gradient[N]) Add(strings [][]int32, pass func(n N, t *tensor.Tape, c Chunk)) {
	all := g.model.chunks(strings, g.chunk)
	parallel.For(len(g.parts), 1, func(k, _ int) {
		g.parts[k].Params().FreezeAs(g.model.Net.Params())
		for _, c := range all[k*len(all)/len(g.parts) : (k+1)*len(all)/len(g.parts)] {
			g.model.OnTape(func(t *tensor.Tape) {
				pass(g.parts[k], t, c)
				t.Backward()
			})
		}
	})
	parallel.For(len(g.sum.Grad), 1<<16, func(lo, hi int) {
		sum := g.sum.Grad[lo:hi]
		for _, n := range g.parts {
			part := n.Params().Grad[lo:hi]
			simd.Add(sum, sum, part)
			clear(part)
		}
	})
}

// Step updates the weights with the gradient clipped to norm limit, and returns the norm before clipping. After an error
// the weights are unchanged.
func (g *Gradient[N]) Step(adam *nn.Adam, limit float64) (norm float64, err error) {
	norm, err = adam.ClippedStep(g.sum, limit)
	g.model.Net.Params().Freeze() // at the new values
	return norm, err
}

// NewTuner implements vae.Tunable.
func (m *Model[N]) NewTuner(lr float64) vae.Tuner {
	trained, _ := m.Net.Params().Len()
	return &tuner[N]{m, NewGradient(m, m.TunerParts, m.TunerChunk), nn.NewAdam(trained, lr)}
}

type tuner[N Network[N]] struct {
	model *Model[N]
	grad  *Gradient[N]
	adam  *nn.Adam
}

// Step implements vae.Tuner.
func (u *tuner[N]) Step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent vae.LatentLoss, rng *rand.Rand) (vae.StepLoss, error) {
	if weight != nil && len(weight) != len(x) {
		panic(fmt.Sprintf("%s: Step: %d weights for %d strings", u.model.Package, len(weight), len(x)))
	}
	loss, err := u.step(ctx, x, weight, recon, kl, latent, rng)
	if err != nil {
		return vae.StepLoss{}, fmt.Errorf("%s: tune: %w", u.model.Package, err)
	}
	return loss, nil
}

func (u *tuner[N]) step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent vae.LatentLoss, rng *rand.Rand) (loss vae.StepLoss, err error) {
	strings, order, err := u.model.sorted(x)
	if err != nil {
		return loss, err
	}
	d := u.model.Latent
	eps := make([]float32, len(x)*d)
	nn.Normal(1)(rng, &tensor.Var{Data: eps})
	var pull [][]float64 // ∂latent/∂z
	if latent != nil {
		z, err := u.model.sample(ctx, strings, order, eps)
		if err != nil {
			return loss, err
		}
		if loss.Latent, pull, err = latent(z); err != nil {
			return loss, fmt.Errorf("loss on latents: %w", err)
		}
	}
	if ctx.Err() != nil {
		return loss, context.Cause(ctx)
	}
	entropy, divergence := make([]float64, len(x)), make([]float64, len(x)) // weighted, of each string; of each chunk, at its first string
	u.grad.Add(strings, func(n N, t *tensor.Tape, c Chunk) {
		mu, logvar := n.Encode(t, strings[c.Lo:c.Hi])
		z := t.Sample(mu, logvar, noise(t, eps, c, d))
		losses, _ := n.Reconstruct(t, z, strings[c.Lo:c.Hi], tensor.CrossEntropy)
		grad, pulled := t.Grad(losses), t.Grad(z)
		for row, i := range order[c.Lo:c.Hi] {
			w := 1 / float64(len(x))
			if weight != nil {
				w *= weight[i]
			}
			entropy[c.Lo+row] = w * float64(losses.Data[row])
			grad[row] = float32(recon * w)
			if pull != nil {
				for j, g := range pull[i] {
					pulled[row*d+j] = float32(g)
				}
			}
		}
		divergences := t.KL(mu, logvar)
		t.Grad(divergences)[0] = float32(kl / float64(len(eps)))
		divergence[c.Lo] = float64(divergences.Data[0])
	})
	for i := range x {
		loss.Reconstruction += entropy[i]
		loss.KL += divergence[i]
	}
	loss.KL /= float64(len(eps))
	loss.GradNorm, err = u.grad.Step(u.adam, 1)
	return loss, err
}

// sample returns z = mu + sigma∘eps for strings, in the caller's order. The loss on latents needs all latents before any
// is decoded; encoding the strings a second time is cheaper than keeping all activations.
func (m *Model[N]) sample(ctx context.Context, strings [][]int32, order []int, eps []float32) ([][]float64, error) {
	z := make([][]float64, len(strings))
	err := m.Each(ctx, strings, func(t *tensor.Tape, c Chunk) {
		mu, logvar := m.Net.Encode(t, strings[c.Lo:c.Hi])
		sampled := t.Sample(mu, logvar, noise(t, eps, c, m.Latent))
		for row, i := range order[c.Lo:c.Hi] {
			z[i] = widen(sampled.Row(row))
		}
	})
	return z, err
}

// noise returns the part of eps for a chunk.
func noise(t *tensor.Tape, eps []float32, c Chunk, d int) *tensor.Var {
	v := t.New(c.Hi-c.Lo, d, false)
	copy(v.Data, eps[c.Lo*d:])
	return v
}
