package gp

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
)

// TrainOptions holds the options of Train. A zero field takes the value in its comment, that of the paper's code.
type TrainOptions struct {
	Epochs       int     // 20, as for the initial data; the paper's code uses 2 for updates
	LearningRate float64 // 0.001
	Batch        int     // rows per step; 128
	Clip         float64 // largest norm of a gradient; 1

	Variance []float64 // (n): known variance of each target, as in FitOptions; nil: 0
}

// Train minimizes Loss by Adam over shuffled epochs of the data x (n, d), y (n), with a new Adam each time, as the
// paper's code does on raw scores. With a few hundred data these epochs leave most of the variance unexplained: see
// Fit.
//
// The error wraps ErrData, ErrNotPositiveDefinite or ctx's cause; the steps before it are kept.
func (g *SVGP) Train(ctx context.Context, x [][]float64, y []float64, opts TrainOptions, rng *rand.Rand) error {
	if len(x) != len(y) {
		return fmt.Errorf("gp: %w: %d rows and %d targets", ErrData, len(x), len(y))
	}
	if err := checkVariance(opts.Variance, len(y)); err != nil {
		return err
	}
	opt := &Adam{LearningRate: cmp.Or(opts.LearningRate, 0.001), Clip: cmp.Or(opts.Clip, 1)}
	batch := cmp.Or(opts.Batch, 128)
	for epoch := range cmp.Or(opts.Epochs, 20) {
		order := rng.Perm(len(x))
		for lo := 0; lo < len(x); lo += batch {
			if ctx.Err() != nil {
				return fmt.Errorf("gp: train, epoch %d: %w", epoch, context.Cause(ctx))
			}
			var bx [][]float64
			var by []float64
			index := order[lo:min(lo+batch, len(x))]
			for _, i := range index {
				bx, by = append(bx, x[i]), append(by, y[i])
			}
			_, grad, err := g.Loss(bx, by, LossOptions{Variance: pick(opts.Variance, index)})
			if err != nil {
				return fmt.Errorf("gp: train, epoch %d: %w", epoch, err)
			}
			g.Step(opt, grad)
		}
	}
	return nil
}
