package surrogate

import (
	"context"
	"math/rand/v2"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/nn"
)

// Latent is the paper's surrogate: a sparse variational GP with a deep kernel on latents. NewLatent and
// NewPublished differ in how it is fitted and drawn from.
type Latent struct {
	fitted[gp.SVGP, *gp.SVGP]
	opts      gp.Options
	train     func(ctx context.Context, m *gp.SVGP, d Data, first bool, rng *rand.Rand) error
	trainsAll bool // Fit holds out no points to validate the network

	draw func(p *gp.Posterior, k int, rng *rand.Rand) func(z [][]float64) ([][]float64, error)
}

// inducing is the number of inducing points: the initial design of the small-budget benchmarks has 100 strings.
const inducing = 100

// NewLatent returns a Latent that is fitted until it explains the data; its draws are functions without noise.
func NewLatent() *Latent {
	return &Latent{
		opts: gp.Options{Inducing: inducing, Skip: true},
		train: func(ctx context.Context, m *gp.SVGP, d Data, _ bool, _ *rand.Rand) error {
			_, err := m.Fit(ctx, d.Z, d.Y, gp.FitOptions{ID: d.ID, Variance: d.Variance})
			return err
		},
		draw: func(p *gp.Posterior, k int, rng *rand.Rand) func(z [][]float64) ([][]float64, error) {
			return p.Sample(k, rng).At
		},
	}
}

// NewPublished returns a Latent as in the paper's code: twenty epochs of Adam at first and two in every
// later Fit, and observation noise in every draw.
func NewPublished() *Latent {
	return &Latent{
		opts:      gp.Options{Inducing: 1024, Jitter: 1e-4},
		trainsAll: true,
		train: func(ctx context.Context, m *gp.SVGP, d Data, first bool, rng *rand.Rand) error {
			epochs := 2
			if first {
				epochs = 20
			}
			return m.Train(ctx, d.Z, d.Y, gp.TrainOptions{Epochs: epochs, Variance: d.Variance}, rng)
		},
		draw: func(p *gp.Posterior, k int, rng *rand.Rand) func(z [][]float64) ([][]float64, error) {
			return p.Joint(k, p.Noise(), rng).At
		},
	}
}

// Fit begins with a new model at the first call, and continues with it later.
func (s *Latent) Fit(ctx context.Context, d Data, rng *rand.Rand) error {
	model := s.model
	if model == nil {
		opts, dim := s.opts, len(d.Z[0])
		opts.Features = []int{dim, dim}
		var err error
		if model, err = gp.New(d.Z, opts, rng); err != nil {
			return err
		}
	}
	if err := s.train(ctx, model, d, s.model == nil, rng); err != nil {
		return err
	}
	return s.keep(model)
}

// Sample implements Surrogate.
func (s *Latent) Sample(k int, rng *rand.Rand) Draws {
	return pathwise{s.draw(s.posterior, k, rng)}
}

// Loss implements Trainable.
func (s *Latent) Loss(z [][]float64, y []float64) (float64, [][]float64, error) {
	loss, grad, err := s.model.Loss(z, y, gp.LossOptions{})
	if err != nil {
		return 0, nil, err
	}
	return loss, grad.X, nil
}

// Trainer implements Trainable. Its steps train the model on the points that Fit does not hold out; the gradient in z is
// of all points. A model of NewPublished, of which Fit holds out none, is trained on all.
func (s *Latent) Trainer(rate float64) func(z [][]float64, y []float64, id []int) (float64, [][]float64, error) {
	opt := &nn.Adam64{LearningRate: rate}
	return func(z [][]float64, y []float64, id []int) (float64, [][]float64, error) {
		if s.trainsAll {
			id = nil
		}
		loss, grad, err := s.model.Loss(z, y, gp.LossOptions{ID: id})
		if err != nil {
			return 0, nil, err
		}
		s.model.Step(opt, grad)
		return loss, grad.X, nil
	}
}

// Noise returns the variance of the observation noise, in transformed units.
func (s *Latent) Noise() float64 { return s.model.Noise() }
