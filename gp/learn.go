package gp

import (
	"context"
	"math"

	"github.com/invbo/invbo/internal/stats"
)

// heldOut reports whether the row with this ID, every fifth, validates the network. No gradient of a held-out row's loss
// ever reaches the network: not in an earlier Fit, and not in steps between fits that give Loss the IDs. Two indirect
// paths remain. Fit sets q(v), constant, outputscale, lengthscale and noise from all rows, and later steps train the
// network given these. And an update of a VAE trains its encoder on all rows, by Gradient.X, which moves their latents.
func heldOut(id int) bool { return id%5 == 4 }

// split returns the indices of the rows that train and of those held out.
func split(ids []int) (train, held []int) {
	for i, id := range ids {
		if heldOut(id) {
			held = append(held, i)
		} else {
			train = append(train, i)
		}
	}
	return train, held
}

// patience is the number of steps without a better validation density after which learn stops.
const patience = 5

// learn trains the network, together with the rest of the kernel, on the rows of x (n, d), y (n) that are not held out.
// It keeps the kernel under which the held-out rows have the highest density: that of a step, or else the initial one
// (in a search from scratch, the best kernel for the network as it is). If no rows or all rows are held out, it does
// nothing.
func (f *fit) learn(ctx context.Context, x, y []float64) error {
	g := f.g
	ids := f.opts.ID
	if ids == nil {
		ids = indices(len(y))
	}
	train, test := split(ids)
	if len(train) == 0 || len(test) == 0 {
		return nil
	}
	trainX, trainY := gather(x, train, g.dim), stats.Pick(y, train)
	testX, testY := rows(gather(x, test, g.dim), len(test), g.dim), stats.Pick(y, test)
	trainVariance, testVariance := stats.Pick(f.opts.Variance, train), stats.Pick(f.opts.Variance, test)
	loss, last := g.objective(trainX, trainY, trainVariance)
	judge := func() (density float64, err error) { // validation density of the kernel that loss evaluated last
		if err := g.settle(last); err != nil {
			return 0, err
		}
		p, err := g.Posterior()
		if err != nil {
			return 0, err
		}
		return p.logDensity(testX, testY, testVariance)
	}

	theta := append([]float64(nil), g.params.kernel...)
	if f.anew {
		if err := f.tune(ctx, trainX, trainY, trainVariance); err != nil {
			return err
		}
	}
	best := append([]float64(nil), g.params.kernel...)
	if _, err := loss(best, make([]float64, len(best))); err != nil {
		return err
	}
	highest, err := judge()
	if err != nil {
		return err
	}
	reached, stale := math.Inf(-1), 0
	used, err := lbfgs(ctx, theta, loss, f.opts.Evaluations, func(_, _ float64) bool {
		stale++
		density, err := judge()
		if err == nil && density > reached+tolerance {
			reached, stale = density, 0
		}
		if err == nil && density > highest {
			highest = density
			copy(best, theta)
		}
		return stale == patience
	})
	f.evaluations += used + 1
	copy(g.params.kernel, best)
	return err
}
