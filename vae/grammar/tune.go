package grammar

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
	return &clone
}

// Weights implements vae.Tunable.
func (m *Model) Weights() []float32 { return m.net.params.Data }

// SetWeights implements vae.Tunable.
func (m *Model) SetWeights(w []float32) { m.net.params.Set(w) }

// NewTuner implements vae.Tunable. The tuner normalizes by the running statistics of pre-training and does not
// update them.
func (m *Model) NewTuner(lr float64) vae.Tuner {
	trained, _ := m.net.params.Len()
	return &tuner{
		model: m,
		net:   m.net.view(m.net.params.Data, make([]float32, trained)),
		adam:  nn.NewAdam(trained, lr),
	}
}

type tuner struct {
	model *Model
	net   *network // view of the model with gradients
	adam  *nn.Adam
	tape  tensor.Tape
}

// Step implements vae.Tuner.
func (u *tuner) Step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent vae.LatentLoss, rng *rand.Rand) (vae.StepLoss, error) {
	if err := ctx.Err(); err != nil {
		return vae.StepLoss{}, fmt.Errorf("grammar: tune: %w", context.Cause(ctx))
	}
	if weight != nil && len(weight) != len(x) {
		panic(fmt.Sprintf("grammar: Step: %d weights for %d strings", len(weight), len(x)))
	}
	rules, err := u.model.derivations.all(x)
	if err != nil {
		return vae.StepLoss{}, fmt.Errorf("grammar: tune: %w", err)
	}
	u.tape.Reset()
	order := longestFirst(rules)
	pass := u.net.elbo(&u.tape, permute(rules, order), 1, rng, nn.BatchNorm.Running)

	var loss vae.StepLoss
	for row, i := range order {
		w := 1 / float64(len(x))
		if weight != nil {
			w *= weight[i]
		}
		loss.Reconstruction += w * float64(pass.losses.Data[row])
		pass.losses.Grad[row] = float32(recon * w)
	}
	scale := 1 / float64(len(pass.z.Data))
	loss.KL = scale * float64(pass.kl.Data[0])
	pass.kl.Grad[0] = float32(kl * scale)
	if latent != nil {
		if loss.Latent, err = addLatent(pass.z, order, latent); err != nil {
			return vae.StepLoss{}, fmt.Errorf("grammar: tune: loss on latents: %w", err)
		}
	}
	u.tape.Backward()
	if loss.GradNorm, err = u.adam.ClippedStep(&u.net.params, 1); err != nil {
		return vae.StepLoss{}, fmt.Errorf("grammar: tune: %w", err)
	}
	return loss, nil
}

// addLatent adds the gradient of a loss on latents, which receives them in the caller's order.
func addLatent(z *tensor.Var, order []int, latent vae.LatentLoss) (float64, error) {
	wide := make([][]float64, z.Rows)
	for row, i := range order {
		wide[i] = single.Widen(z.Row(row))
	}
	loss, grad, err := latent(wide)
	if err != nil {
		return 0, err
	}
	for row, i := range order {
		for j, g := range grad[i] {
			z.Grad[row*z.Cols+j] += float32(g)
		}
	}
	return loss, nil
}
