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
	data             // of the last Fit
	offset float64   // the constant mean

	posterior *Posterior // of the last Fit; nil before
}

// ExactOptions holds the options of an Exact.
type ExactOptions struct {
	Noise Range // variance of the noise; 10⁻⁴ to 0.2
}

// Bounds of the kernel, for inputs in the unit cube and targets of unit variance.
var (
	lengthscales = Range{0.005, 4}
	outputscales = Range{0.05, 20}
)

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
// 1, noise 0.005, or the middle of a range that does not contain it. The first Fit chooses its own initial
// lengthscales. NewExact panics if the range is invalid, or dim negative.
func NewExact(dim int, opts ExactOptions) *Exact {
	opts.Noise = cmp.Or(opts.Noise, Range{1e-4, 0.2})
	if r := opts.Noise; !(0 < r.Min && r.Min <= r.Max) || math.IsInf(r.Max/r.Min, 0) { // written this way, NaN fails
		panic(fmt.Sprintf("gp: NewExact: an invalid range from %g to %g: give Min > 0 and Max ≥ Min, both finite", r.Min, r.Max))
	}
	if dim < 0 {
		panic(fmt.Sprintf("gp: NewExact: %d inputs", dim))
	}
	theta := slices.Repeat([]float64{lengthscales.start(0.5)}, dim)
	return &Exact{dim: dim, opts: opts, theta: append(theta, outputscales.start(1), opts.Noise.start(0.005))}
}

// kernel holds the hyperparameters.
type kernel struct {
	lengthscale        []float64 // (d)
	outputscale, noise float64
}

func (e *Exact) kernel(theta []float64) kernel {
	k := kernel{lengthscale: make([]float64, e.dim), outputscale: outputscales.at(theta[e.dim]), noise: e.opts.Noise.at(theta[e.dim+1])}
	for j := range k.lengthscale {
		k.lengthscale[j] = lengthscales.at(theta[j])
	}
	return k
}

// Lengthscales returns the lengthscale of each dimension.
func (e *Exact) Lengthscales() []float64 { return e.kernel(e.theta).lengthscale }

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
	d, err := newData(x, slices.Clone(y), slices.Clone(opts.Variance), opts.ID, e.dim)
	if err != nil {
		return 0, err
	}
	next := &Exact{dim: e.dim, opts: e.opts, theta: slices.Clone(e.theta), data: d}
	if len(e.y) == 0 {
		next.guess()
	}
	logPrior := newPrior(d.x, y, e.dim)
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
	r := lengthscales
	for j := range e.dim {
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
	for j := range e.dim {
		add(j, lengthscales, p.lengthscale, lengthscaleDeviation)
	}
	add(e.dim, outputscales, p.outputscale, 1)
	add(e.dim+1, e.opts.Noise, p.noise, 1)
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
	addNoise(chol, n, k.noise, e.variance)
	if _, err := cholesky(chol, n); err != nil {
		return 0, fmt.Errorf("K(X, X) + noise: %w", err)
	}
	nats := float64(n) / 2 * math.Log(2*math.Pi)
	for i := range n {
		nats += math.Log(chol[i*n+i])
	}
	offset, w, a, dnoise := solved(nil, chol, e.y)
	e.offset = offset
	for i := range n {
		nats += (e.y[i] - e.offset) * a[i] / 2
	}
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
	for i := range n {
		for j := range d {
			v := xs[i*d+j]
			grad[j] += 2 * v * (v*rowSums[i] - wx[i*d+j])
		}
	}
	for j := range d {
		grad[j] *= lengthscales.slope(theta[j])
	}
	grad[d] = sum * outputscales.slope(theta[d])
	grad[d+1] = dnoise * k.noise * e.opts.Noise.slope(theta[d+1])
	blas64.Scal(1/float64(n), vector(grad))
	return nats / float64(n), nil
}

// addNoise adds noise, and the known variances (n) if there are some, to the diagonal of k (n, n).
func addNoise(k []float64, n int, noise float64, variance []float64) {
	for i := range n {
		k[i*n+i] += noise
	}
	for i, v := range variance {
		k[i*n+i] += v
	}
}

// solved returns, for K with the factor chol (n, n), the constant mean that maximizes the likelihood of y (n), K⁻¹, a =
// K⁻¹(y − mean) and the derivative of −log p(y) with respect to the noise. It overwrites chol.
func solved(ws *workspace, chol, y []float64) (mean float64, w, a []float64, dnoise float64) {
	n := len(y)
	w = inverse(ws, chol, n)
	ones, a, b := slices.Repeat([]float64{1}, n), make([]float64, n), make([]float64, n)
	blas64.Gemv(blas.NoTrans, 1, general(w, n, n), vector(y), 0, vector(a))
	blas64.Gemv(blas.NoTrans, 1, general(w, n, n), vector(ones), 0, vector(b))
	mean = dot(ones, a) / dot(ones, b)
	blas64.Axpy(-mean, vector(b), vector(a))
	var trace float64
	for i := range n {
		trace += w[i*n+i]
	}
	return mean, w, a, (trace - dot(a, a)) / 2
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
	p.chol = covariance(nil, p.points, n, e.dim, k.outputscale, 0)
	addNoise(p.chol, n, k.noise, e.variance)
	added, err := cholesky(p.chol, n)
	if err != nil {
		return nil, fmt.Errorf("K(X, X) + noise: %w", err)
	}
	p.diagonal = slices.Repeat([]float64{k.noise + added}, n)
	for i, v := range e.variance {
		p.diagonal[i] += v
	}
	for _, v := range e.y {
		p.mean = append(p.mean, v-e.offset)
	}
	solveVec(blas.NoTrans, p.chol, p.mean)
	return p, nil
}
