package sequence

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
)

// Clone implements vae.Tunable.
func (m *Model) Clone() vae.Tunable {
	clone := *m
	clone.net = m.net.view(slices.Clone(m.net.params.Data), nil)
	clone.net.params.Freeze()
	return &clone
}

// NewTuner implements vae.Tunable. A Step computes its minibatch at once, without dropout; the memory it takes
// grows with the minibatch.
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
	net   *network // the model's weights, with gradients
	adam  *nn.Adam
	tape  tensor.Tape
}

// Step implements vae.Tuner.
func (u *tuner) Step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent vae.LatentLoss, rng *rand.Rand) (vae.StepLoss, error) {
	if ctx.Err() != nil {
		return vae.StepLoss{}, fmt.Errorf("sequence: tune: %w", context.Cause(ctx))
	}
	if weight != nil && len(weight) != len(x) {
		panic(fmt.Sprintf("sequence: Step: %d weights for %d strings", len(weight), len(x)))
	}
	strings, err := u.model.splitAll(x)
	if err != nil {
		return vae.StepLoss{}, fmt.Errorf("sequence: tune: %w", err)
	}
	u.tape.Reset()
	pass := u.net.elbo(&u.tape, strings, u.net.normal(&u.tape, len(strings), rng), nn.Dropout{})

	var loss vae.StepLoss
	for i := range strings {
		w := 1 / float64(len(x))
		if weight != nil {
			w *= weight[i]
		}
		loss.Reconstruction += w * float64(pass.losses.Data[i])
		pass.losses.Grad[i] = float32(recon * w)
	}
	scale := 1 / float64(len(pass.z.Data))
	loss.KL = scale * float64(pass.kl.Data[0])
	pass.kl.Grad[0] = float32(kl * scale)
	if latent != nil {
		if loss.Latent, err = addLatent(pass.z, latent); err != nil {
			return vae.StepLoss{}, fmt.Errorf("sequence: tune: loss on latents: %w", err)
		}
	}
	u.tape.Backward()
	loss.GradNorm = nn.ClipNorm(u.net.params.Grad, 1)
	u.adam.Step(&u.net.params)
	u.model.net.params.Freeze() // at their new values
	return loss, nil
}

// addLatent adds the gradient of a loss on latents.
func addLatent(z *tensor.Var, latent vae.LatentLoss) (float64, error) {
	wide := make([][]float64, z.Rows)
	for i := range wide {
		wide[i] = widen(z.Row(i))
	}
	loss, grad, err := latent(wide)
	if err != nil {
		return 0, err
	}
	for i := range grad {
		for j, g := range grad[i] {
			z.Grad[i*z.Cols+j] += float32(g)
		}
	}
	return loss, nil
}
