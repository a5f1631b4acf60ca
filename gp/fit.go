package gp

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/internal/stats"
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
	d, err := newData(x, y, opts.Variance, opts.ID, g.dim)
	if err != nil {
		return 0, err
	}
	f := &fit{g: g.clone(), opts: opts}
	if err := f.run(ctx, d); err != nil {
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

func (f *fit) run(ctx context.Context, d data) error {
	g := f.g
	if f.anew = len(d.y) >= growth*g.seen; f.anew {
		g.seen = len(d.y)
		g.guess(d)
	}
	if len(g.params.Layers) > 0 {
		if err := f.learn(ctx, d); err != nil {
			return err
		}
	}
	if err := f.tune(ctx, d); err != nil {
		return err
	}
	opt, err := g.bound(d, g.choose(d), newParams(0, g.dim, g.opts.Features))
	if err != nil {
		return err
	}
	return g.settle(opt)
}

// guess sets the initial kernel: noise of a tenth of the variance of the targets, and the median distance as lengthscale.
func (g *SVGP) guess(d data) {
	n := len(d.y)
	features, _, _ := g.network().embed(nil, d.x, n)
	variance := math.Max(stat.PopVariance(d.y, nil), minNoise)
	*g.params.Constant = stat.Mean(d.y, nil)
	*g.params.RawOutputscale = unsoftplus(variance)
	*g.params.RawLengthscale = unsoftplus(medianDistance(features, n, g.params.p))
	*g.params.RawNoise = unsoftplus(variance / 10)
}

// choose returns the indices of the rows to use as inducing points under the current kernel.
func (g *SVGP) choose(d data) []int {
	features, _, _ := g.network().embed(nil, d.x, len(d.y))
	return inducing(g.scaled(nil, features), len(d.y), g.params.p, g.opts.Inducing, 10*g.opts.Jitter/g.Outputscale())
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

// objective returns the loss of a kernel, given data, plus its prior, for lbfgs: a call sets the kernel
// of g, and last to the optimal q(v).
func (g *SVGP) objective(d data) (loss objective, last *optimum) {
	features, _, _ := g.network().embed(nil, d.x, len(d.y))
	prior := newPrior(features, d.y, g.params.p)
	index := g.choose(d)
	last = new(optimum)
	return func(kernel, grad []float64) (float64, error) {
		copy(g.params.kernel, kernel)
		into := newParams(0, g.dim, g.opts.Features)
		opt, err := g.bound(d, index, into)
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
func (f *fit) tune(ctx context.Context, d data) error {
	p := f.g.params.p
	features, _, _ := f.g.network().embed(nil, d.x, len(d.y))
	plain := &SVGP{params: newParams(0, p, nil), dim: p, opts: Options{Inducing: f.g.opts.Inducing, Jitter: f.g.opts.Jitter}, work: f.g.work}
	scalars := f.g.params.kernel[len(f.g.params.kernel)-4:]
	copy(plain.params.kernel, scalars)
	loss, _ := plain.objective(data{features, d.y, d.variance})
	used, err := lbfgs(ctx, scalars, loss, f.opts.Evaluations, func(before, after float64) bool { return before-after < tolerance })
	f.evaluations += used
	return err
}

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

// learn trains the network, together with the rest of the kernel, on the rows that are not held out.
// It keeps the kernel under which the held-out rows have the highest density: that of a step, or else the initial one
// (in a search from scratch, the best kernel for the network as it is). If no rows or all rows are held out, it does
// nothing.
func (f *fit) learn(ctx context.Context, d data) error {
	g := f.g
	ids := f.opts.ID
	if ids == nil {
		ids = stats.Indices(len(d.y))
	}
	train, test := split(ids)
	if len(train) == 0 || len(test) == 0 {
		return nil
	}
	trained, judged := d.rows(train, g.dim), d.rows(test, g.dim)
	loss, last := g.objective(trained)
	judge := func() (density float64, err error) { // validation density of the kernel that loss evaluated last
		if err := g.settle(last); err != nil {
			return 0, err
		}
		p, err := g.Posterior()
		if err != nil {
			return 0, err
		}
		return p.logDensity(judged)
	}

	theta := append([]float64(nil), g.params.kernel...)
	if f.anew {
		if err := f.tune(ctx, trained); err != nil {
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

// prior is the weak prior of the hyperparameters in Fit. As shares of the variance of the targets, log noise ~ N(−4,
// 1), as in BoTorch, and log outputscale ~ N(0, 1). log lengthscale ~ N(log of the median distance between points, 1).
// The network's weights ~ N(0, 1/(3·In)), with the variance of their initial distribution.
type prior struct {
	noise, outputscale, lengthscale float64 // means of the logarithms
	n                               float64
}

// newPrior returns the prior for features (n, p) and targets y (n).
func newPrior(features, y []float64, p int) prior {
	n := len(y)
	variance := math.Max(stat.PopVariance(y, nil), minNoise)
	return prior{math.Log(variance) - 4, math.Log(variance), math.Log(medianDistance(features, n, p)), float64(n)}
}

// add returns −log p(kernel)/n, up to a constant, and adds its gradient to grad.
func (p prior) add(g *SVGP, grad Params) (loss float64) {
	normal := func(value, mean, raw float64, grad *float64) {
		e := math.Log(value) - mean
		loss += e * e / 2 / p.n
		*grad += e / value * sigmoid(raw) / p.n
	}
	normal(g.Noise(), p.noise, *g.params.RawNoise, grad.RawNoise)
	normal(g.Outputscale(), p.outputscale, *g.params.RawOutputscale, grad.RawOutputscale)
	normal(g.Lengthscale(), p.lengthscale, *g.params.RawLengthscale, grad.RawLengthscale)
	for i, l := range g.params.Layers {
		precision := 3 * float64(l.In) / p.n
		loss += precision / 2 * (dot(l.Weight, l.Weight) + dot(l.Bias, l.Bias))
		blas64.Axpy(precision, vector(l.Weight), vector(grad.Layers[i].Weight))
		blas64.Axpy(precision, vector(l.Bias), vector(grad.Layers[i].Bias))
	}
	return loss
}

// medianRows is the largest number of rows that medianDistance compares.
const medianRows = 100

// medianDistance returns the median distance between rows of x (n, d), or 1 if it is 0.
func medianDistance(x []float64, n, d int) float64 {
	stride := (n-1)/medianRows + 1
	var squares []float64
	for i := 0; i < n; i += stride {
		for j := 0; j < i; j += stride {
			var sum float64
			for k := range d {
				e := x[i*d+k] - x[j*d+k]
				sum += e * e
			}
			squares = append(squares, sum)
		}
	}
	slices.Sort(squares)
	if len(squares) == 0 || squares[len(squares)/2] == 0 {
		return 1
	}
	return math.Sqrt(squares[len(squares)/2])
}
