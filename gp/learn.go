package gp

import (
	"context"
	"math"
)

// heldOut is the stride of the rows that judge the network: every fifth. They must never have trained it,
// not even in an earlier Fit, so they are told by their IDs.
const heldOut = 5

// patience is the number of steps that the network may take without predicting better.
const patience = 5

// learn trains the network, and the rest of the kernel with it, on four fifths of the data x (n, d), y (n). It
// keeps the kernel of the step that gives the others the highest density, or the one that it began with
// if none does better; in the search for a new kernel, that is the best one for the network as it is. Without
// data on either side it does nothing.
func (f *fit) learn(ctx context.Context, x, y []float64) error {
	g := f.g
	var trainX, trainY, testY []float64
	var testX [][]float64
	var train, test []int
	for i, v := range y {
		row, id := x[i*g.dim:(i+1)*g.dim], i
		if f.opts.ID != nil {
			id = f.opts.ID[i]
		}
		if id%heldOut == heldOut-1 {
			testX, testY, test = append(testX, row), append(testY, v), append(test, i)
		} else {
			trainX, trainY, train = append(trainX, row...), append(trainY, v), append(train, i)
		}
	}
	if len(trainY) == 0 || len(testY) == 0 {
		return nil
	}
	trainVariance, testVariance := pick(f.opts.Variance, train), pick(f.opts.Variance, test)
	features, _, _ := g.network().embed(nil, trainX, len(trainY))
	prior := newPrior(features, trainY, g.params.p)
	index := g.choose(trainX, len(trainY))
	var last *optimum
	loss := func(theta, grad []float64) (nats float64, err error) {
		copy(g.params.kernel, theta)
		into := newParams(0, g.dim, g.opts.Features)
		if last, err = g.bound(trainX, trainY, trainVariance, index, into); err != nil {
			return 0, err
		}
		nats = last.loss + prior.add(g, into)
		copy(grad, into.kernel)
		return nats, nil
	}
	judge := func() (density float64, err error) { // of the kernel that loss saw last
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
		if err == nil && density > reached+f.opts.Tolerance {
			reached, stale = density, 0
		}
		if err == nil && density > highest {
			highest = density
			copy(best, theta)
		}
		return stale == patience
	})
	f.report.Evaluations += used + 1
	copy(g.params.kernel, best)
	return err
}
