package invbo

import (
	"context"
	"math/rand/v2"

	"github.com/invbo/invbo/gp"
)

// exact is an exact GP of its options.
type exact struct {
	opts      gp.ExactOptions
	model     *gp.Exact
	posterior *gp.Posterior
}

// newExact returns TuRBO's surrogate on continuous problems, with a lengthscale for each dimension. What it models is
// computed, not measured, so its noise is bounded as in BoTorch's TuRBO (variance at most 10⁻³), which the paper's Ackley
// experiment builds on.
func newExact() *exact {
	return &exact{opts: gp.ExactOptions{Noise: gp.Range{Min: 1e-6, Max: 1e-3}}}
}

// refit bounds the evaluations of a Fit after the first, which starts at the kernel of a few data earlier.
const refit = 10

func (e *exact) Fit(ctx context.Context, at Points, y []float64, _ *rand.Rand) error {
	model, opts := e.model, gp.FitOptions{Evaluations: refit}
	if model == nil {
		model, opts = gp.NewExact(len(at.Z[0]), e.opts), gp.FitOptions{}
	}
	if _, err := model.Fit(ctx, at.Z, y, opts); err != nil {
		return err
	}
	e.model = model // a first fit that is cut short begins anew
	var err error
	e.posterior, err = model.Posterior()
	return err
}

func (e *exact) Predict(at Points) (mu, sigma2 []float64, err error) {
	return e.posterior.Predict(at.Z)
}

func (e *exact) Sample(at Points, k int, rng *rand.Rand) ([][]float64, error) {
	return e.posterior.Sample(k, rng).At(at.Z)
}

func (e *exact) Lengthscales() []float64 { return e.model.Lengthscales() }
