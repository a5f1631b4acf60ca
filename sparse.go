package invbo

import (
	"context"
	"math/rand/v2"

	"github.com/invbo/invbo/gp"
)

// sparse is the paper's surrogate, a sparse variational GP with a deep kernel.
type sparse struct {
	published bool
	model     *gp.SVGP
	posterior *gp.Posterior
}

// inducing is the number of inducing points: the first data of the small-budget benchmarks are 100.
const inducing = 100

// Fit starts the model at the first call, and trains it on.
func (s *sparse) Fit(ctx context.Context, at Points, y []float64, rng *rand.Rand) error {
	z, epochs, model := at.Z, 2, s.model
	if model == nil {
		d := len(z[0])
		opts := gp.Options{Inducing: inducing, Features: []int{d, d}, Skip: !s.published}
		if s.published {
			opts.Inducing, opts.Jitter = 1024, 1e-4
		}
		m, err := gp.New(z, opts, rng)
		if err != nil {
			return err
		}
		model, epochs = m, 20
	}
	var err error
	if s.published {
		err = model.Train(ctx, z, y, gp.TrainOptions{Epochs: epochs}, rng)
	} else {
		_, err = model.Fit(ctx, z, y, gp.FitOptions{ID: at.ID})
	}
	if err != nil {
		return err
	}
	s.model = model // a first fit that is cut short begins anew
	s.posterior, err = model.Posterior()
	return err
}

func (s *sparse) Predict(at Points) (mu, sigma2 []float64, err error) {
	return s.posterior.Predict(at.Z)
}

// Sample draws functions, or, as published, values at z together with observation noise.
func (s *sparse) Sample(at Points, k int, rng *rand.Rand) ([][]float64, error) {
	if s.published {
		return s.posterior.Joint(k, s.posterior.Noise(), rng).At(at.Z)
	}
	return s.posterior.Sample(k, rng).At(at.Z)
}

func (s *sparse) Loss(z [][]float64, y []float64) (float64, [][]float64, error) {
	loss, grad, err := s.model.Loss(z, y, gp.LossOptions{})
	if err != nil {
		return 0, nil, err
	}
	return loss, grad.X, nil
}

func (s *sparse) Trainer(rate float64) func(z [][]float64, y []float64) (float64, [][]float64, error) {
	opt := &gp.Adam{LearningRate: rate}
	return func(z [][]float64, y []float64) (float64, [][]float64, error) {
		loss, grad, err := s.model.Loss(z, y, gp.LossOptions{})
		if err != nil {
			return 0, nil, err
		}
		s.model.Step(opt, grad)
		return loss, grad.X, nil
	}
}
