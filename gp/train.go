package gp

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/nn"
)

// TrainOptions holds the options of Train.
type TrainOptions struct {
	Epochs int // 0 is 20, as the paper's code for the initial data; it uses 2 for updates

	Variance []float64 // (n): known variance of each target, as in FitOptions; nil: 0
}

// Train minimizes Loss by Adam over shuffled epochs of the data x (n, d), y (n), with a new Adam each time, as the
// paper's code does on raw scores. With a few hundred data these epochs leave most of the variance unexplained: see
// Fit.
//
// The error wraps ErrData, ErrNotPositiveDefinite or ctx's cause; the steps before it are kept.
func (g *SVGP) Train(ctx context.Context, x [][]float64, y []float64, opts TrainOptions, rng *rand.Rand) error {
	if err := checkTargets(len(x), y, opts.Variance); err != nil {
		return err
	}
	const batch = 128 // rows per step
	opt := &nn.Adam64{LearningRate: 0.001, Clip: 1}
	for epoch := range cmp.Or(opts.Epochs, 20) {
		order := rng.Perm(len(x))
		for lo := 0; lo < len(x); lo += batch {
			if ctx.Err() != nil {
				return fmt.Errorf("gp: train, epoch %d: %w", epoch, context.Cause(ctx))
			}
			index := order[lo:min(lo+batch, len(x))]
			_, grad, err := g.Loss(stats.Pick(x, index), stats.Pick(y, index), LossOptions{Variance: stats.Pick(opts.Variance, index)})
			if err != nil {
				return fmt.Errorf("gp: train, epoch %d: %w", epoch, err)
			}
			g.Step(opt, grad)
		}
	}
	return nil
}
