package gp

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Exact is the exact GP of TuRBO (Eriksson et al. 2019): a constant mean, a squared-exponential kernel with one
// lengthscale per dimension, and Gaussian noise. A Fit takes O(n³) time; use it for up to a few
// thousand data. An Exact is not safe for concurrent use; a Posterior is.
type Exact struct {
	dim    int
	opts   ExactOptions
	theta  []float64 // lengthscales, outputscale, noise: arguments of Range.at
	x      []float64 // (n, d): the data of the last Fit
	y      []float64 // (n)
	extra  []float64 // (n): known variances of y; nil is 0
	offset float64   // the constant mean

	posterior *Posterior // of the last Fit; nil before
}

// ExactOptions bounds the kernel of an Exact on inputs in the unit cube and targets of unit variance. A zero
// field takes the value in its comment.
type ExactOptions struct {
	Isotropic   bool  // one lengthscale for all dimensions
	Lengthscale Range // 0.005 to 4
	Outputscale Range // 0.05 to 20
	Noise       Range // 10⁻⁴ to 0.2
}

// Range is an interval of positive numbers, from Min to Max ≥ Min. If they are equal, the parameter is fixed.
type Range struct{ Min, Max float64 }

// at maps the unconstrained theta to the range: log at(theta) is a logistic function from log Min to log Max.
func (r Range) at(theta float64) float64 {
	return r.Min * math.Exp(math.Log(r.Max/r.Min)*sigmoid(theta))
}

// theta is the inverse of at.
func (r Range) theta(v float64) float64 {
	s := math.Log(v/r.Min) / math.Log(r.Max/r.Min)
	return math.Log(s / (1 - s))
}

// start returns theta(v), or the middle of the range, 0, for a v outside the range or at its ends.
func (r Range) start(v float64) float64 {
	if theta := r.theta(v); !math.IsNaN(theta) && !math.IsInf(theta, 0) {
		return theta
	}
	return 0
}

// slope returns ∂ log at(theta)/∂theta.
func (r Range) slope(theta float64) float64 {
	s := sigmoid(theta)
	return math.Log(r.Max/r.Min) * s * (1 - s)
}

// NewExact returns an exact GP on dim inputs with the kernel TuRBO starts from: lengthscales 0.5, outputscale
// 1, noise 0.005, or the middle of a range that does not contain these. The first Fit chooses its own initial
// lengthscales. NewExact panics if a range is invalid.
func NewExact(dim int, opts ExactOptions) *Exact {
	opts.Lengthscale = cmp.Or(opts.Lengthscale, Range{0.005, 4})
	opts.Outputscale = cmp.Or(opts.Outputscale, Range{0.05, 20})
	opts.Noise = cmp.Or(opts.Noise, Range{1e-4, 0.2})
	for _, r := range []Range{opts.Lengthscale, opts.Outputscale, opts.Noise} {
		if !(0 < r.Min && r.Min <= r.Max) || math.IsInf(r.Max/r.Min, 0) { // written this way, NaN fails
			panic(fmt.Sprintf("gp: NewExact: an invalid range from %g to %g: give Min > 0 and Max ≥ Min, both finite", r.Min, r.Max))
		}
	}
	lengthscales := dim
	if opts.Isotropic {
		lengthscales = 1
	}
	theta := slices.Repeat([]float64{opts.Lengthscale.start(0.5)}, lengthscales)
	return &Exact{dim: dim, opts: opts, theta: append(theta, opts.Outputscale.start(1), opts.Noise.start(0.005))}
}

// kernel holds the hyperparameters.
type kernel struct {
	lengthscale        []float64 // (d)
	outputscale, noise float64
}

func (e *Exact) kernel(theta []float64) kernel {
	k := kernel{lengthscale: make([]float64, e.dim)}
	ls := theta[:len(theta)-2]
	for j := range k.lengthscale {
		k.lengthscale[j] = e.opts.Lengthscale.at(ls[j%len(ls)])
	}
	k.outputscale = e.opts.Outputscale.at(theta[len(ls)])
	k.noise = e.opts.Noise.at(theta[len(ls)+1])
	return k
}

// Lengthscales returns the lengthscale of each dimension.
func (e *Exact) Lengthscales() []float64 { return e.kernel(e.theta).lengthscale }

// Outputscale returns the variance of the prior.
func (e *Exact) Outputscale() float64 { return e.kernel(e.theta).outputscale }

// Noise returns the variance of the observation noise.
func (e *Exact) Noise() float64 { return e.kernel(e.theta).noise }

// lengthscaleDeviation is the prior's standard deviation of log lengthscales. On Ackley in 40 dimensions, 0.5 predicted
// new points better than 1 and than no prior with 50 and 100 data, and as well with 600.
const lengthscaleDeviation = 0.5

// Fit maximizes the posterior density of the hyperparameters given the data x (n, d), y (n) by L-BFGS, from those of
// the last Fit. The prior of outputscale and noise is SVGP's weak one; log lengthscales are N(log of the median
// distance between points, 0.5²), because few data determine many lengthscales poorly. FitOptions.ID is ignored.
//
// Fit returns the number of evaluations of the likelihood and its gradient.
// The error wraps ErrData, ErrNotPositiveDefinite or ctx's cause; e is then unchanged.
func (e *Exact) Fit(ctx context.Context, x [][]float64, y []float64, opts FitOptions) (evaluations int, err error) {
	flat, err := flattenData(x, y, opts.Variance, opts.ID, e.dim)
	if err != nil {
		return 0, err
	}
	next := &Exact{dim: e.dim, opts: e.opts, theta: append([]float64(nil), e.theta...), x: flat, y: append([]float64(nil), y...), extra: append([]float64(nil), opts.Variance...)}
	if len(e.y) == 0 {
		next.guess()
	}
	logPrior := newPrior(flat, y, e.dim)
	loss := func(theta, grad []float64) (float64, error) {
		nats, err := next.likelihood(theta, grad)
		if err != nil {
			return 0, err
		}
		return nats + next.addPrior(logPrior, theta, grad), nil
	}
	evaluations, err = lbfgs(ctx, next.theta, loss, cmp.Or(opts.Evaluations, 50), func(before, after float64) bool { return before-after < tolerance })
	if err == nil {
		_, err = next.likelihood(next.theta, make([]float64, len(next.theta))) // sets offset, which is now that of the last theta tried
	}
	if err == nil {
		next.posterior, err = next.condition()
	}
	if err != nil {
		return 0, fmt.Errorf("fit: %w", err)
	}
	*e = *next
	return evaluations + 1, nil
}

// guess sets the initial lengthscales to the median distance between the data. With shorter ones, all points in many
// dimensions are uncorrelated, and the likelihood is flat.
func (e *Exact) guess() {
	l := medianDistance(e.x, len(e.y), e.dim)
	r := e.opts.Lengthscale
	for j := range len(e.theta) - 2 {
		e.theta[j] = r.start(min(max(l, 1.1*r.Min), r.Max/1.1))
	}
}

// addPrior returns −log p(theta)/n, up to a constant, and adds its gradient to grad.
func (e *Exact) addPrior(p prior, theta, grad []float64) (loss float64) {
	add := func(i int, r Range, mean, deviation float64) {
		d := (math.Log(r.at(theta[i])) - mean) / deviation
		loss += d * d / 2 / p.n
		grad[i] += d / deviation * r.slope(theta[i]) / p.n
	}
	ls := len(theta) - 2
	for j := range ls {
		add(j, e.opts.Lengthscale, p.lengthscale, lengthscaleDeviation)
	}
	add(ls, e.opts.Outputscale, p.outputscale, 1)
	add(ls+1, e.opts.Noise, p.noise, 1)
	return loss
}

// scaled returns the data divided by the lengthscales.
func (e *Exact) scaled(lengthscale []float64) []float64 {
	s := make([]float64, len(e.x))
	for i, v := range e.x {
		s[i] = v / lengthscale[i%e.dim]
	}
	return s
}

// addVariance adds the known variances of the targets to the diagonal of k (n, n).
func (e *Exact) addVariance(k []float64) {
	for i, v := range e.extra {
		k[i*len(e.y)+i] += v
	}
}

// likelihood returns the negated log marginal likelihood in nats per point and writes its gradient with respect to
// theta to grad. It sets offset to the optimal constant mean. With K the covariance of the targets and a = K⁻¹(y −
// offset),
//
//	½(y − offset)ᵀa + ½log|K| + n/2·log 2π    ∂/∂K = ½(K⁻¹ − aaᵀ)    Rasmussen & Williams 2006, (5.8), (5.9)
func (e *Exact) likelihood(theta, grad []float64) (float64, error) {
	n, d := len(e.y), e.dim
	k := e.kernel(theta)
	xs := e.scaled(k.lengthscale)
	f := covariance(nil, xs, n, d, k.outputscale, 0)
	chol := append([]float64(nil), f...)
	for i := range n {
		chol[i*n+i] += k.noise
	}
	e.addVariance(chol)
	if _, err := cholesky(chol, n); err != nil {
		return 0, fmt.Errorf("K(X, X) + noise: %w", err)
	}
	w := inverse(nil, chol, n)
	offset, a := centre(w, e.y)
	e.offset = offset

	nats := float64(n) / 2 * math.Log(2*math.Pi)
	var trace float64
	for i := range n {
		nats += math.Log(chol[i*n+i]) + (e.y[i]-e.offset)*a[i]/2
		trace += w[i*n+i]
	}
	dnoise := (trace - dot(a, a)) / 2
	// W = ∂/∂K·K, element by element, is symmetric, so that the two points of ‖xᵢ − xⱼ‖² contribute alike:
	// ∂/∂log l = −Σ x·∂/∂x = 2(Σᵢ xᵢ²Σⱼwᵢⱼ − Σᵢ xᵢ(Wx)ᵢ)
	var sum float64
	rowSums := make([]float64, n)
	for i := range n {
		row := w[i*n : (i+1)*n]
		for j, v := range row {
			row[j] = (v - a[i]*a[j]) / 2 * f[i*n+j]
			rowSums[i] += row[j]
		}
		sum += rowSums[i]
	}
	wx := make([]float64, n*d)
	mul(blas.NoTrans, blas.NoTrans, n, d, n, w, xs, wx)
	clear(grad)
	ls := len(theta) - 2
	for i := range n {
		for j := range d {
			v := xs[i*d+j]
			grad[j%ls] += 2 * v * (v*rowSums[i] - wx[i*d+j])
		}
	}
	for j := range ls {
		grad[j] *= e.opts.Lengthscale.slope(theta[j])
	}
	grad[ls] = sum * e.opts.Outputscale.slope(theta[ls])
	grad[ls+1] = dnoise * k.noise * e.opts.Noise.slope(theta[ls+1])
	blas64.Scal(1/float64(n), vector(grad))
	return nats / float64(n), nil
}

// centre returns the constant mean that maximizes the likelihood of y (n), given w = K⁻¹ (n, n), and K⁻¹(y − mean).
func centre(w, y []float64) (mean float64, a []float64) {
	n := len(y)
	ones, a, b := slices.Repeat([]float64{1}, n), make([]float64, n), make([]float64, n)
	blas64.Gemv(blas.NoTrans, 1, general(w, n, n), vector(y), 0, vector(a))
	blas64.Gemv(blas.NoTrans, 1, general(w, n, n), vector(ones), 0, vector(b))
	mean = dot(ones, a) / dot(ones, b)
	blas64.Axpy(-mean, vector(b), vector(a))
	return mean, a
}

// Posterior returns the posterior given the data of the last Fit. Later fits do not change it. Before the first Fit,
// the error wraps ErrData.
func (e *Exact) Posterior() (*Posterior, error) {
	if e.posterior == nil {
		return nil, fmt.Errorf("gp: %w: an exact GP has no posterior before Fit", ErrData)
	}
	return e.posterior, nil
}

// condition returns the posterior given the data.
func (e *Exact) condition() (*Posterior, error) {
	n, k := len(e.y), e.kernel(e.theta)
	p := &Posterior{
		dim: e.dim, p: e.dim, outputscale: k.outputscale, constant: e.offset, noise: k.noise,
		m: n, points: e.scaled(k.lengthscale),
	}
	for _, l := range k.lengthscale {
		p.scale = append(p.scale, 1/l)
	}
	p.chol = covariance(nil, p.points, n, e.dim, k.outputscale, k.noise)
	e.addVariance(p.chol)
	added, err := cholesky(p.chol, n)
	if err != nil {
		return nil, fmt.Errorf("K(X, X) + noise: %w", err)
	}
	p.diagonal = slices.Repeat([]float64{k.noise + added}, n)
	for i, v := range e.extra {
		p.diagonal[i] += v
	}
	for _, v := range e.y {
		p.mean = append(p.mean, v-e.offset)
	}
	solveVec(blas.NoTrans, p.chol, p.mean)
	return p, nil
}
