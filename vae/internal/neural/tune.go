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

// Trainer changes the weights of a model by the gradient of a loss, which it sums over the chunks of a batch. A fixed
// number of parts, each with its own gradient, are processed in parallel and added in order, so that results do
// not depend on the number of processors.
type Trainer[N Network[N]] struct {
	Adam *nn.Adam

	model *Model[N]
	sum   *nn.Params // of the model, with the summed gradient
	parts []N        // views of the model, each with its own gradient
	chunk int
}

// NewTrainer returns a trainer with gradients of the given number of parts, which process chunks of the given size. It
// allocates weights that have no memory yet.
func NewTrainer[N Network[N]](m *Model[N], parts, chunk int, lr float64) *Trainer[N] {
	trained, all := m.Net.Params().Len()
	if m.Weights() == nil {
		m.Net.Params().Bind(make([]float32, all), nil)
	}
	view := func() N { return m.Net.View(m.Weights(), make([]float32, trained)) }
	r := &Trainer[N]{Adam: nn.NewAdam(trained, lr), model: m, sum: view().Params(), chunk: chunk}
	for range parts {
		r.parts = append(r.parts, view())
	}
	return r
}

// Resume copies weights and the state of an optimizer.
func (r *Trainer[N]) Resume(weights []float32, a *nn.Adam) {
	copy(r.model.Weights(), weights)
	r.Adam.Steps = a.Steps
	copy(r.Adam.M, a.M)
	copy(r.Adam.V, a.V)
}

// Add adds the gradient of a batch to the sum. pass runs the forward pass of a chunk and writes the gradient of its
// loss, for Backward.
func (r *Trainer[N]) Add(strings [][]int32, pass func(n N, t *tensor.Tape, c Chunk)) {
	all := r.model.chunks(strings, r.chunk)
	parallel.For(len(r.parts), 1, func(k, _ int) {
		r.parts[k].Params().FreezeAs(r.model.Net.Params())
		for _, c := range all[k*len(all)/len(r.parts) : (k+1)*len(all)/len(r.parts)] {
			r.model.OnTape(func(t *tensor.Tape) {
				pass(r.parts[k], t, c)
				t.Backward()
			})
		}
	})
	parallel.For(len(r.sum.Grad), 1<<16, func(lo, hi int) {
		sum := r.sum.Grad[lo:hi]
		for _, n := range r.parts {
			part := n.Params().Grad[lo:hi]
			simd.Add(sum, sum, part)
			clear(part)
		}
	})
}

// Update updates the weights with the gradient clipped to norm limit, and returns the norm before clipping. After an error
// the weights are unchanged.
func (r *Trainer[N]) Update(limit float64) (norm float64, err error) {
	norm, err = r.Adam.ClippedStep(r.sum, limit)
	r.model.Net.Params().Freeze() // at the new values
	return norm, err
}

// NewTuner implements vae.Tunable.
func (m *Model[N]) NewTuner(lr float64) vae.Tuner {
	return NewTrainer(m, m.TunerParts, m.TunerChunk, lr)
}

// Step implements vae.Tuner.
func (r *Trainer[N]) Step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent vae.LatentLoss, rng *rand.Rand) (vae.StepLoss, error) {
	if weight != nil && len(weight) != len(x) {
		panic(fmt.Sprintf("%s: Step: %d weights for %d strings", r.model.Package, len(weight), len(x)))
	}
	loss, err := r.step(ctx, x, weight, recon, kl, latent, rng)
	if err != nil {
		return vae.StepLoss{}, fmt.Errorf("%s: tune: %w", r.model.Package, err)
	}
	return loss, nil
}

func (r *Trainer[N]) step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent vae.LatentLoss, rng *rand.Rand) (loss vae.StepLoss, err error) {
	strings, order, err := r.model.sorted(x)
	if err != nil {
		return loss, err
	}
	d := r.model.Latent
	eps := make([]float32, len(x)*d)
	nn.Normal(1)(rng, &tensor.Var{Data: eps})
	var pull [][]float64 // ∂latent/∂z
	if latent != nil {
		z, err := r.model.sample(ctx, strings, order, eps)
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
	r.Add(strings, func(n N, t *tensor.Tape, c Chunk) {
		mu, logvar := n.Encode(t, strings[c.Lo:c.Hi])
		z := t.Sample(mu, logvar, noise(eps, c, d))
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
	loss.GradNorm, err = r.Update(1)
	return loss, err
}

// sample returns z = mu + sigma∘eps for strings, in the caller's order. The loss on latents needs all latents before any
// is decoded; encoding the strings a second time is cheaper than keeping all activations.
func (m *Model[N]) sample(ctx context.Context, strings [][]int32, order []int, eps []float32) ([][]float64, error) {
	z := make([][]float64, len(strings))
	err := m.Each(ctx, strings, func(t *tensor.Tape, c Chunk) {
		mu, logvar := m.Net.Encode(t, strings[c.Lo:c.Hi])
		sampled := t.Sample(mu, logvar, noise(eps, c, m.Latent))
		for row, i := range order[c.Lo:c.Hi] {
			z[i] = widen(sampled.Row(row))
		}
	})
	return z, err
}

// noise returns the part of eps for a chunk.
func noise(eps []float32, c Chunk, d int) *tensor.Var {
	return &tensor.Var{Data: eps[c.Lo*d : c.Hi*d], Rows: c.Hi - c.Lo, Cols: d}
}
