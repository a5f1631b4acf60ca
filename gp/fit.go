package gp

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// FitOptions limits the work of a Fit and describes its data. A zero field takes the value in its comment.
type FitOptions struct {
	Evaluations int   // most evaluations of the loss and its gradient in each phase; 50
	ID          []int // (n): identifies each row across fits; at least 0; its index

	// Variance (n) is the known variance of each target, at least 0 and in squared units of the targets: for example,
	// the squared standard error of a mean of replicates. It is added to the fitted noise of that target. nil: all 0.
	Variance []float64
}

// tolerance is the gain of a step, in nats per point, below which a phase of a fit ends.
const tolerance = 1e-4

// growth is the factor of the number of data at which the kernel is searched for from scratch.
const growth = 2

// Fit trains g on the data x (n, d), y (n). y should have about unit variance (see Transform).
//
// The posterior of the inducing values has a closed form given the kernel (Titsias 2009), so only the kernel is
// searched for, by L-BFGS under weak priors: outputscale, lengthscale, noise and constant on all data, the network on
// four fifths. A network has more weights than there are data and could fit anything; the weights kept are those under
// which the held-out fifth has the highest density. Rows with ID ≡ 4 (mod 5) are held out. A row must keep its ID in
// all fits, even as others come and go: otherwise a network is validated on rows it was trained on. If no rows or all
// rows are held out, the network stays as it is.
//
// Inducing points are chosen from the data at every Fit. The search starts from the kernel of the last Fit. Once the
// number of data has doubled, it keeps only the network, because more data may explain what fewer left as noise.
//
// Fit returns the number of evaluations of the loss and its gradient, in all phases.
// The error wraps ErrData, ErrNotPositiveDefinite or ctx's cause; g is then unchanged.
func (g *SVGP) Fit(ctx context.Context, x [][]float64, y []float64, opts FitOptions) (evaluations int, err error) {
	opts.Evaluations = cmp.Or(opts.Evaluations, 50)
	flat, err := flattenData(x, y, opts.Variance, opts.ID, g.dim)
	if err != nil {
		return 0, err
	}
	f := &fit{g: g.clone(), opts: opts}
	if err := f.run(ctx, flat, y); err != nil {
		return 0, fmt.Errorf("fit: %w", err)
	}
	*g = *f.g
	return f.evaluations, nil
}

// fit is the state of one Fit.
type fit struct {
	g           *SVGP
	opts        FitOptions
	evaluations int
	anew        bool // search from scratch: keep only the network
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
	return g.settle(opt)
}

// guess sets the initial kernel: noise of a tenth of the variance of y, and the median distance as lengthscale.
func (g *SVGP) guess(x, y []float64) {
	n := len(y)
	features, _, _ := g.network().embed(nil, x, n)
	variance := math.Max(stat.PopVariance(y, nil), minNoise)
	*g.params.Constant = stat.Mean(y, nil)
	*g.params.RawOutputscale = unsoftplus(variance)
	*g.params.RawLengthscale = unsoftplus(medianDistance(features, n, g.params.p))
	*g.params.RawNoise = unsoftplus(variance / 10)
}

// choose returns the indices of the rows of x (n, d) to use as inducing points under the current kernel.
func (g *SVGP) choose(x []float64, n int) []int {
	features, _, _ := g.network().embed(nil, x, n)
	return inducing(g.scaled(nil, features), n, g.params.p, g.opts.Inducing, 10*g.opts.Jitter/g.Outputscale())
}

// settle sets inducing points and q(v) to opt.
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

// objective returns the loss of a kernel, given the data x (n, d), y (n), plus its prior, for lbfgs: a call sets the kernel
// of g, and last to the optimal q(v).
func (g *SVGP) objective(x, y, variance []float64) (loss objective, last *optimum) {
	features, _, _ := g.network().embed(nil, x, len(y))
	prior := newPrior(features, y, g.params.p)
	index := g.choose(x, len(y))
	last = new(optimum)
	return func(kernel, grad []float64) (float64, error) {
		copy(g.params.kernel, kernel)
		into := newParams(0, g.dim, g.opts.Features)
		opt, err := g.bound(x, y, variance, index, into)
		if err != nil {
			return 0, err
		}
		*last = *opt
		nats := opt.loss + prior.add(g, into)
		copy(grad, into.kernel)
		return nats, nil
	}, last
}

// tune searches for constant, outputscale, lengthscale and noise with the network fixed: it fits a GP without a network
// to the features.
func (f *fit) tune(ctx context.Context, x, y, variance []float64) error {
	p := f.g.params.p
	features, _, _ := f.g.network().embed(nil, x, len(y))
	plain := &SVGP{params: newParams(0, p, nil), dim: p, opts: Options{Inducing: f.g.opts.Inducing, Jitter: f.g.opts.Jitter}, work: f.g.work}
	scalars := f.g.params.kernel[len(f.g.params.kernel)-4:]
	copy(plain.params.kernel, scalars)
	loss, _ := plain.objective(features, y, variance)
	used, err := lbfgs(ctx, scalars, loss, f.opts.Evaluations, func(before, after float64) bool { return before-after < tolerance })
	f.evaluations += used
	return err
}
