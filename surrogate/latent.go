package surrogate

import (
	"cmp"
	"context"
	"encoding"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/nn"
)

// fitted is a GP on latents, nil before the first Fit, and its posterior.
type fitted[T any, M interface {
	*T
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	Posterior() (*gp.Posterior, error)
}] struct {
	model     M
	posterior *gp.Posterior
}

// keep keeps a model that was fitted. Before, a first fit that is interrupted starts over.
func (f *fitted[T, M]) keep(model M) (err error) {
	f.model = model
	f.posterior, err = model.Posterior()
	return err
}

// Predict implements Surrogate.
func (f *fitted[T, M]) Predict(_ context.Context, at Points) (mu, sigma2 []float64, err error) {
	if f.posterior == nil {
		return nil, nil, errNoFit
	}
	return f.posterior.Predict(at.Z)
}

// Sample implements Surrogate.
func (f *fitted[T, M]) Sample(k int, rng *rand.Rand) Draws {
	if f.posterior == nil {
		return noDraws
	}
	return onLatents(f.posterior.Sample(k, rng).At)
}

// MarshalBinary returns the state of the model that the next Fit continues with.
func (f *fitted[T, M]) MarshalBinary() ([]byte, error) {
	if f.model == nil {
		return nil, nil
	}
	return f.model.MarshalBinary()
}

// UnmarshalBinary continues with a marshalled state. The error wraps gp.ErrData or gp.ErrNotPositiveDefinite.
func (f *fitted[T, M]) UnmarshalBinary(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	model := M(new(T))
	if err := model.UnmarshalBinary(data); err != nil {
		return err
	}
	return f.keep(model)
}

// errNoRows is the error of a first Fit without data.
var errNoRows = fmt.Errorf("surrogate: %w: no rows to fit to", gp.ErrData)

// onLatents are draws of a GP on latents.
func onLatents(at func(z [][]float64) ([][]float64, error)) Draws {
	return func(_ context.Context, p Points) ([][]float64, error) { return at(p.Z) }
}

// Latent is the paper's surrogate: a sparse variational GP with a deep kernel on latents. It is fitted until it
// explains the data, and its draws are functions without noise.
type Latent struct {
	fitted[gp.SVGP, *gp.SVGP]
	opts     gp.Options
	Inducing int // points of a model that is fitted from now on; 0: 100, and 1,024 of a Published
}

// inducing is the number of inducing points: the initial design of the small-budget benchmarks has 100 strings.
const inducing = 100

// NewLatent returns a Latent.
func NewLatent() *Latent { return &Latent{opts: gp.Options{Inducing: inducing, Skip: true}} }

// started returns the model that the first Fit made, or a new one.
func (s *Latent) started(d Data, rng *rand.Rand) (*gp.SVGP, error) {
	if s.model != nil {
		return s.model, nil
	}
	if len(d.Z) == 0 {
		return nil, errNoRows
	}
	opts, dim := s.opts, len(d.Z[0])
	opts.Features = []int{dim, dim}
	opts.Inducing = cmp.Or(s.Inducing, opts.Inducing)
	return gp.New(d.Z, opts, rng)
}

// Fit begins with a new model at the first call, and continues with it later.
func (s *Latent) Fit(ctx context.Context, d Data, rng *rand.Rand) error {
	model, err := s.started(d, rng)
	if err != nil {
		return err
	}
	if _, err := model.Fit(ctx, d.Z, d.Y, gp.FitOptions{ID: d.ID, Variance: d.Variance}); err != nil {
		return err
	}
	return s.keep(model)
}

// Loss implements Trainable.
func (s *Latent) Loss(z [][]float64, y []float64) (float64, [][]float64, error) {
	if s.model == nil {
		return 0, nil, errNoFit
	}
	loss, grad, err := s.model.Loss(z, y, nil, nil)
	if err != nil {
		return 0, nil, err
	}
	return loss, grad.X, nil
}

// Trainer implements Trainable. Its steps train the model on the points that Fit does not hold out; the gradient in z is
// of all points.
func (s *Latent) Trainer(rate float64) func(z [][]float64, y []float64, id []int) (float64, [][]float64, error) {
	opt := &nn.Adam64{LearningRate: rate}
	return func(z [][]float64, y []float64, id []int) (float64, [][]float64, error) {
		if s.model == nil {
			return 0, nil, errNoFit
		}
		loss, grad, err := s.model.Loss(z, y, nil, id)
		if err != nil {
			return 0, nil, err
		}
		s.model.Step(opt, grad)
		return loss, grad.X, nil
	}
}

// Noise returns the variance of the observation noise, in transformed units.
func (s *Latent) Noise() float64 { return s.model.Noise() }

// Published is a Latent that is trained as in the paper's code: for twenty epochs of Adam at first and two in every
// later Fit, on all points. Its draws are observations, with noise.
type Published struct{ Latent }

// NewPublished returns a Published.
func NewPublished() *Published {
	return &Published{Latent{opts: gp.Options{Inducing: 1024, Jitter: 1e-4}}}
}

// Fit begins with a new model at the first call, and continues with it later.
func (s *Published) Fit(ctx context.Context, d Data, rng *rand.Rand) error {
	epochs := 2
	if s.model == nil {
		epochs = 20
	}
	model, err := s.started(d, rng)
	if err != nil {
		return err
	}
	if err := model.Train(ctx, d.Z, d.Y, d.Variance, epochs, rng); err != nil {
		return err
	}
	return s.keep(model)
}

// Sample implements Surrogate.
func (s *Published) Sample(k int, rng *rand.Rand) Draws {
	if s.posterior == nil {
		return noDraws
	}
	return onLatents(s.posterior.Joint(k, s.posterior.Noise(), rng).At)
}

// Trainer implements Trainable. Its steps train the model on all points.
func (s *Published) Trainer(rate float64) func(z [][]float64, y []float64, id []int) (float64, [][]float64, error) {
	step := s.Latent.Trainer(rate)
	return func(z [][]float64, y []float64, _ []int) (float64, [][]float64, error) { return step(z, y, nil) }
}

// Exact is TuRBO's surrogate of continuous problems: an exact GP on latents with a lengthscale for each dimension.
type Exact struct {
	fitted[gp.Exact, *gp.Exact]
}

// NewExact returns an Exact.
func NewExact() *Exact { return new(Exact) }

// noise bounds the variance of the noise from above as in BoTorch's TuRBO, on which the paper's Ackley experiment
// builds: such scores are computed, not measured.
var noise = gp.Range{Min: 1e-6, Max: 1e-3}

// refit bounds the evaluations of a Fit after the first, which starts at the kernel of slightly fewer data.
const refit = 10

// Fit implements Surrogate.
func (e *Exact) Fit(ctx context.Context, d Data, _ *rand.Rand) error {
	model, opts := e.model, gp.FitOptions{Evaluations: refit}
	switch {
	case model == nil && len(d.Z) == 0:
		return errNoRows
	case model == nil:
		model, opts = gp.NewExact(len(d.Z[0]), gp.ExactOptions{Noise: noise}), gp.FitOptions{}
	}
	opts.Variance = d.Variance
	if _, err := model.Fit(ctx, d.Z, d.Y, opts); err != nil {
		return err
	}
	return e.keep(model)
}

// Lengthscales implements Anisotropic.
func (e *Exact) Lengthscales() []float64 { return e.model.Lengthscales() }
