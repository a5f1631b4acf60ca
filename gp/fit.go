package gp

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// FitOptions bounds the work of a Fit. A zero field takes the value in its comment.
type FitOptions struct {
	Evaluations int     // of the loss and its gradient, at most, in each phase; 50
	Tolerance   float64 // a step that gains less, in nats per point, ends a phase; 10⁻⁴
	ID          []int   // (n): what each row is called, from 0 up, in this Fit and in all others; its index

	// Variance (n) is the known variance of each target, at least 0 and in the square of its units, such as the squared
	// standard error of a mean of replicates. It adds to the fitted noise of that target. nil: 0.
	Variance []float64
}

// flatten is flattenPairs, and checks IDs and variances.
func (o FitOptions) flatten(x [][]float64, y []float64, d int) ([]float64, error) {
	if o.ID != nil && len(o.ID) != len(y) {
		return nil, fmt.Errorf("gp: %w: %d IDs for %d targets", ErrData, len(o.ID), len(y))
	}
	if err := checkVariance(o.Variance, len(y)); err != nil {
		return nil, err
	}
	return flattenPairs(x, y, d)
}

// FitReport says how well a fit explains the data it was given.
type FitReport struct {
	Evaluations int     // of the loss and its gradient
	Loss        float64 // nats per point; smaller is better
	R2          float64 // share of the targets' variance that the mean explains
	Noise       float64 // variance of the observation noise, without FitOptions.Variance
}

// growth is the factor of the number of data at which a kernel is looked for anew.
const growth = 2

// Fit explains the data x (n, d), y (n), which should have about unit variance (see Transform).
//
// The posterior over the inducing values is the best there is for the kernel (see bound), so only the kernel
// is searched for, by L-BFGS: outputscale, lengthscale, noise and constant on all data, under weak priors. A deep
// kernel has more weights than there are data and can explain anything, so the network learns from four
// fifths of the data and keeps what predicts the others best. Those are every fifth ID: a row must keep its ID
// from fit to fit, even as others come and go, or it will judge a network that has learnt it. Where
// all rows are on one side, the network does not learn.
//
// Inducing points are chosen among the data at every Fit. The kernel starts where the last Fit ended, or,
// once the data have doubled, from the network's features alone: what few data could only call noise, more
// may explain.
//
// The error wraps ErrData, ErrNotPositiveDefinite or ctx's cause; g is then unchanged.
func (g *SVGP) Fit(ctx context.Context, x [][]float64, y []float64, opts FitOptions) (FitReport, error) {
	opts.Evaluations = cmp.Or(opts.Evaluations, 50)
	opts.Tolerance = cmp.Or(opts.Tolerance, 1e-4)
	flat, err := opts.flatten(x, y, g.dim)
	if err != nil {
		return FitReport{}, err
	}
	f := &fit{g: g.clone(), opts: opts}
	if err := f.run(ctx, flat, y); err != nil {
		return FitReport{}, fmt.Errorf("fit: %w", err)
	}
	*g = *f.g
	return f.report, nil
}

// fit is the state of one Fit.
type fit struct {
	g      *SVGP
	opts   FitOptions
	report FitReport
	anew   bool // not from the last kernel, but for the network
}

func (f *fit) run(ctx context.Context, x, y []float64) error {
	g := f.g
	if f.anew = len(y) >= growth*g.seen; f.anew {
		g.seen = len(y)
		g.guess(x, y)
	}
	if len(g.params.Layers) > 0 {
		if err := f.learn(ctx, x, y); err != nil {
			return err
		}
	}
	if err := f.tune(ctx, x, y, f.opts.Variance); err != nil {
		return err
	}
	opt, err := g.bound(x, y, f.opts.Variance, g.choose(x, len(y)), newParams(0, g.dim, g.opts.Features))
	if err != nil {
		return err
	}
	if err := g.settle(opt); err != nil {
		return err
	}
	f.report.Loss, f.report.Noise = opt.loss, g.Noise()
	f.report.R2 = explained(opt.residual, y)
	return nil
}

// explained returns the share of the variance of y that a sum of squared residuals leaves over; 0 where y
// does not vary.
func explained(residual float64, y []float64) float64 {
	total := float64(len(y)) * stat.PopVariance(y, nil)
	if total == 0 {
		return 0
	}
	return 1 - residual/total
}

// guess starts the kernel from the data: it explains nine tenths of the variance, over the median distance.
func (g *SVGP) guess(x, y []float64) {
	n := len(y)
	features, _, _ := g.network().embed(nil, x, n)
	variance := math.Max(stat.PopVariance(y, nil), minNoise)
	*g.params.Constant = stat.Mean(y, nil)
	*g.params.RawOutputscale = unsoftplus(variance)
	*g.params.RawLengthscale = unsoftplus(medianDistance(features, n, g.params.p))
	*g.params.RawNoise = unsoftplus(variance / 10)
}

// choose returns the rows of x (n, d) that serve as inducing points under the present kernel.
func (g *SVGP) choose(x []float64, n int) []int {
	features, _, _ := g.network().embed(nil, x, n)
	return inducing(g.scaled(nil, features), n, g.params.p, g.opts.Inducing, 10*g.opts.Jitter/g.Outputscale())
}

// settle makes opt the posterior.
func (g *SVGP) settle(opt *optimum) error {
	m := len(opt.mean)
	params := newParams(m, g.dim, g.opts.Features)
	copy(params.kernel, g.params.kernel)
	copy(params.Inducing, opt.features)
	copy(params.Mean, opt.mean)
	copy(params.Chol, opt.cov)
	if _, err := cholesky(params.Chol, m); err != nil {
		return fmt.Errorf("covariance of q: %w", err)
	}
	g.params = params
	return nil
}

// tune finds constant, outputscale, lengthscale and noise for the network as it is: it fits the plain GP on
// the features.
func (f *fit) tune(ctx context.Context, x, y, variance []float64) error {
	n, p := len(y), f.g.params.p
	features, _, _ := f.g.network().embed(nil, x, n)
	plain := &SVGP{params: newParams(0, p, nil), dim: p, opts: Options{Inducing: f.g.opts.Inducing, Jitter: f.g.opts.Jitter}, work: f.g.work}
	scalars := f.g.params.kernel[len(f.g.params.kernel)-4:]
	copy(plain.params.kernel, scalars)
	prior := newPrior(features, y, p)
	index := plain.choose(features, n)
	loss := func(theta, grad []float64) (float64, error) {
		copy(plain.params.kernel, theta)
		g := newParams(0, p, nil)
		opt, err := plain.bound(features, y, variance, index, g)
		if err != nil {
			return 0, err
		}
		nats := prior.add(plain, g)
		copy(grad, g.kernel)
		return opt.loss + nats, nil
	}
	used, err := lbfgs(ctx, scalars, loss, f.opts.Evaluations, func(before, after float64) bool { return before-after < f.opts.Tolerance })
	f.report.Evaluations += used
	return err
}
