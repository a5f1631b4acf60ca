package surrogate

import (
	"context"
	"math/rand/v2"

	"github.com/invbo/invbo/gp"
)

// Exact is an exact GP on latents.
type Exact struct {
	fitted[gp.Exact, *gp.Exact]
	opts gp.ExactOptions
}

// NewExact returns TuRBO's surrogate of continuous problems, with a lengthscale for each dimension. Such scores
// are computed, not measured, so its noise is bounded as in BoTorch's TuRBO (variance at most 10⁻³), on which the
// paper's Ackley experiment builds.
func NewExact() *Exact {
	return &Exact{opts: gp.ExactOptions{Noise: gp.Range{Min: 1e-6, Max: 1e-3}}}
}

// refit bounds the evaluations of a Fit after the first, which starts at the kernel of slightly fewer data.
const refit = 10

// Fit implements Surrogate.
func (e *Exact) Fit(ctx context.Context, d Data, _ *rand.Rand) error {
	model, opts := e.model, gp.FitOptions{Evaluations: refit}
	if model == nil {
		model, opts = gp.NewExact(len(d.Z[0]), e.opts), gp.FitOptions{}
	}
	opts.Variance = d.Variance
	if _, err := model.Fit(ctx, d.Z, d.Y, opts); err != nil {
		return err
	}
	return e.keep(model)
}

// Sample implements Surrogate.
func (e *Exact) Sample(k int, rng *rand.Rand) Draws { return pathwise{e.posterior.Sample(k, rng).At} }

// Lengthscales implements Anisotropic.
func (e *Exact) Lengthscales() []float64 { return e.model.Lengthscales() }
