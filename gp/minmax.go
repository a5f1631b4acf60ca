package gp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/invbo/invbo/internal/parallel"
)

// Counts says which features a thing has, and how often: what a structure is made of.
type Counts struct {
	IDs []uint64 // ascending, distinct
	N   []uint32 // how often; at least 1
}

// overlap is the min-max kernel of counts with totals a and b, of which so much is common: Σ min(aᵢ, bᵢ) /
// Σ max(aᵢ, bᵢ), the Tanimoto similarity, from 0 to 1; 1 where both are empty, as equal structures are equal.
func overlap(common, a, b uint64) float64 {
	if all := a + b - common; all > 0 {
		return float64(common) / float64(all)
	}
	return 1
}

func total(c Counts) uint64 {
	var sum uint64
	for _, n := range c.N {
		sum += uint64(n)
	}
	return sum
}

// MinMax is an exact GP over structures: a constant mean, Gaussian noise and the min-max kernel on the counts
// of their features, scale · Σ min(aᵢ, bᵢ) / Σ max(aᵢ, bᵢ) (Ralaivola et al. 2005). It needs no latent space, and one parameter is found
// from the data: the ratio of noise to signal. It does not change, and is safe for concurrent use.
type MinMax struct {
	x      []Counts
	scale  float64 // variance of the prior
	noise  float64
	mean   float64
	chol   []float64 // (n, n): of K(X, X) + noise
	weight []float64 // (n): (K + noise)⁻¹(y − mean)
}

// MinMaxOptions fixes the parameters of a MinMax. Those of its zero value are fitted.
type MinMaxOptions struct {
	Scale, Noise float64 // variances, both above 0, with mean 0; or neither

	// Variance (n) is the known variance of each target, as in FitOptions; nil: 0.
	Variance []float64
}

// ratios of noise to signal that FitMinMax tries: 10⁻⁴ to 10, two a decade.
const ratios = 11

// FitMinMax returns the GP of y (n) at x (n). Unless opts fixes them, mean and variances are those of the
// greatest marginal likelihood among some ratios of noise to signal; given the ratio, the best mean and
// variance are known in closed form; of equal targets the variance is 10⁻¹². The error wraps ErrData,
// ErrNotPositiveDefinite or ctx's cause.
func FitMinMax(ctx context.Context, x []Counts, y []float64, opts MinMaxOptions) (*MinMax, error) {
	n := len(x)
	if n == 0 || len(y) != n {
		return nil, fmt.Errorf("gp: %w: %d structures and %d targets", ErrData, n, len(y))
	}
	if i := unusable(y); i >= 0 {
		return nil, fmt.Errorf("gp: %w: target %d is %g; leave refused strings out", ErrData, i, y[i])
	}
	if err := checkVariance(opts.Variance, n); err != nil {
		return nil, err
	}
	fixed := opts.Scale != 0 || opts.Noise != 0
	if fixed && !(opts.Scale > 0 && opts.Noise > 0) {
		return nil, fmt.Errorf("gp: %w: scale %g and noise %g: fix both, above 0, or neither", ErrData, opts.Scale, opts.Noise)
	}
	g := &MinMax{x: x}
	gram := similarities(x, x)
	if fixed {
		g.scale, g.noise = opts.Scale, opts.Noise
		return g, g.solve(gram, y, opts.Variance, opts.Noise/opts.Scale, false)
	}
	var best *MinMax
	least := math.Inf(1)
	for i := range ratios {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("gp: fit: %w", context.Cause(ctx))
		}
		try := &MinMax{x: x}
		ratio := math.Pow(10, -4+0.5*float64(i))
		if err := try.solve(gram, y, nil, ratio, true); err != nil {
			return nil, err
		}
		var nats float64 // −log p(y), up to a constant: at the best scale the quadratic form is n/2
		if opts.Variance != nil {
			half, err := try.rescale(gram, y, opts.Variance, ratio)
			if err != nil {
				return nil, err
			}
			nats = half
		}
		for j := range n {
			nats += math.Log(try.chol[j*n+j])
		}
		if nats < least {
			best, least = try, nats
		}
	}
	return best, nil
}

// scaleSteps bounds the factorizations of rescale; it mostly takes 3 to 6.
const scaleSteps = 10

// rescale is solve with known variances V of the targets. The best scale then has no closed form. It is found by iteration from
// that without V, to within 10⁻³ of itself: with K = scale·H + V, H = gram + ratio·I and a = K⁻¹(y − mean),
//
//	scale ← scale · (aᵀHa)/tr(K⁻¹H)
//
// stands still where the likelihood is stationary, and is the closed form for V = 0. It returns (y − mean)ᵀa/2.
func (g *MinMax) rescale(gram, y, variance []float64, ratio float64) (half float64, err error) {
	n := len(y)
	least := max(1e-12, 1e-6*slices.Min(variance)) // no target tells a smaller scale from 0
	for step := 1; ; step++ {
		if err := g.solve(gram, y, variance, ratio, true); err != nil {
			return 0, err
		}
		inv := inverse(nil, g.chol, n)
		var quadratic float64
		signal, trace := 0.0, float64(n) // aᵀ(scale·H)a and tr(K⁻¹ scale·H), by scale·H = K − V
		for i, a := range g.weight {
			quadratic += a * (y[i] - g.mean)
			signal -= variance[i] * a * a
			trace -= variance[i] * inv[i*n+i]
		}
		signal += quadratic
		next := max(least, g.scale*signal/trace)
		if step == scaleSteps || math.Abs(next/g.scale-1) < 1e-3 {
			return quadratic / 2, nil
		}
		g.scale = next
	}
}

// solve factorizes the covariance at a ratio of noise to signal. With fit it finds the best mean, and the best scale too
// unless variances of the targets are known: these need g's scale.
func (g *MinMax) solve(gram, y, variance []float64, ratio float64, fit bool) error {
	n := len(y)
	g.chol = append([]float64(nil), gram...)
	for i := range n {
		g.chol[i*n+i] += ratio
	}
	for i, v := range variance {
		g.chol[i*n+i] += v / g.scale
	}
	if _, err := cholesky(g.chol, n); err != nil {
		return fmt.Errorf("similarities of %d structures: %w", n, err)
	}
	a, b := append([]float64(nil), y...), make([]float64, n)
	for i := range b {
		b[i] = 1
	}
	solveVec(blas.NoTrans, g.chol, a)
	solveVec(blas.NoTrans, g.chol, b)
	if fit {
		g.mean = dot(a, b) / dot(b, b)
		blas64.Axpy(-g.mean, vector(b), vector(a))
		if variance == nil {
			g.scale = dot(a, a) / float64(n)
			if g.scale == 0 || slices.Min(y) == slices.Max(y) { // equal targets leave 0, or what rounding makes of it
				g.scale = 1e-12
			}
		}
		g.noise = ratio * g.scale
	}
	root := math.Sqrt(g.scale)
	for i := range g.chol {
		g.chol[i] *= root
	}
	g.weight = a
	solveVec(blas.Trans, g.chol, g.weight)
	for i := range g.weight {
		g.weight[i] /= root
	}
	return nil
}

// Noise returns the variance of the observation noise.
func (g *MinMax) Noise() float64 { return g.noise }

// Scale returns the variance of the prior.
func (g *MinMax) Scale() float64 { return g.scale }

// similarities returns those of each a with each b, (len(a), len(b)). It looks at pairs only where they share a feature.
func similarities(a, b []Counts) []float64 {
	type posting struct {
		j int
		n uint32
	}
	having := map[uint64][]posting{} // which of b have a feature
	totals := make([]uint64, len(b))
	for j, c := range b {
		totals[j] = total(c)
		for k, id := range c.IDs {
			having[id] = append(having[id], posting{j, c.N[k]})
		}
	}
	s := make([]float64, len(a)*len(b))
	parallel.For(len(a), 8, func(lo, hi int) {
		common := make([]uint64, len(b))
		for i := lo; i < hi; i++ {
			clear(common)
			for k, id := range a[i].IDs {
				for _, p := range having[id] {
					common[p.j] += uint64(min(a[i].N[k], p.n))
				}
			}
			of := total(a[i])
			for j, c := range common {
				s[i*len(b)+j] = overlap(c, of, totals[j])
			}
		}
	})
	return s
}

// Predict returns mean and variance (m each) of the function at m structures x, in the units of the targets
// and their square. The variance excludes the observation noise.
func (g *MinMax) Predict(x []Counts) (mu, sigma2 []float64) {
	n, m := len(g.x), len(x)
	k := similarities(g.x, x)
	for i := range k {
		k[i] *= g.scale
	}
	mu, sigma2 = make([]float64, m), make([]float64, m)
	for j := range mu {
		mu[j], sigma2[j] = g.mean, g.scale
	}
	blas64.Gemv(blas.Trans, 1, general(k, n, m), vector(g.weight), 1, vector(mu))
	solve(blas.NoTrans, g.chol, k, n, m)
	for i := range n {
		for j, v := range k[i*m : (i+1)*m] {
			sigma2[j] -= v * v
		}
	}
	for j := range sigma2 {
		sigma2[j] = math.Max(sigma2[j], 0)
	}
	return mu, sigma2
}

// joint returns mean (m) and covariance (m, m) of the function at m structures x. The diagonal has 10⁻⁶ of the scale
// added to it, as equal structures would leave it singular.
func (g *MinMax) joint(x []Counts) (mu, cov []float64, err error) {
	n, m := len(g.x), len(x)
	cross := similarities(g.x, x)
	for i := range cross {
		cross[i] *= g.scale
	}
	mu = make([]float64, m)
	for j := range mu {
		mu[j] = g.mean
	}
	blas64.Gemv(blas.Trans, 1, general(cross, n, m), vector(g.weight), 1, vector(mu))
	solve(blas.NoTrans, g.chol, cross, n, m)

	cov = similarities(x, x)
	for i := range cov {
		cov[i] *= g.scale
	}
	for j := range m {
		cov[j*m+j] += 1e-6 * g.scale
	}
	blas64.Syrk(blas.Trans, -1, general(cross, n, m), 1, blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: cov})
	mirror(cov, m)
	return mu, cov, nil
}
