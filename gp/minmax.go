package gp

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Counts describes a structure by its features and how often each occurs.
type Counts struct {
	IDs []uint64 // ascending, distinct
	N   []uint32 // number of occurrences of each; at least 1
}

// CountsOf returns the Counts of features by their numbers of occurrences, which are at least 1.
func CountsOf(occurrences map[uint64]uint32) Counts {
	c := Counts{IDs: slices.AppendSeq(make([]uint64, 0, len(occurrences)), maps.Keys(occurrences)), N: make([]uint32, len(occurrences))}
	slices.Sort(c.IDs)
	for i, id := range c.IDs {
		c.N[i] = occurrences[id]
	}
	return c
}

// total returns the number of occurrences of all features.
func total(c Counts) uint64 {
	var sum uint64
	for _, n := range c.N {
		sum += uint64(n)
	}
	return sum
}

// MinMax is an exact GP on structures: a constant mean, Gaussian noise and the min-max (Tanimoto) kernel on counts of
// features, scale · Σ min(aᵢ, bᵢ) / Σ max(aᵢ, bᵢ) (Ralaivola et al. 2005). It is immutable and safe for concurrent use.
type MinMax struct {
	x      []Counts
	scale  float64 // variance of the prior
	noise  float64
	mean   float64
	chol   []float64 // (n, n): of K(X, X) + noise
	weight []float64 // (n): (K + noise)⁻¹(y − mean)
}

// ratios is the number of ratios of noise to scale that FitMinMax tries: 10⁻⁴ to 10, two per decade.
const ratios = 11

// FitMinMax returns the GP fitted to targets y (n) at structures x (n), with known variances (n) as in FitOptions.
//
// Mean, scale and noise maximize the marginal likelihood over a grid of ratios of noise to scale, 10⁻⁴ to 10. Given the
// ratio, the best mean and scale have a closed form; with known variances the scale is found by iteration. The scale of
// equal targets is 10⁻¹², or a millionth of the least known variance if that is more.
//
// The error wraps ErrData, ErrNotPositiveDefinite or ctx's cause.
func FitMinMax(ctx context.Context, x []Counts, y, variance []float64) (*MinMax, error) {
	n := len(x)
	if n == 0 {
		return nil, fmt.Errorf("gp: %w: no structures", ErrData)
	}
	if err := checkTargets(n, y, variance); err != nil {
		return nil, err
	}
	for _, c := range x {
		if err := checkStructure([]Counts{c}); err != nil {
			return nil, err
		}
	}
	gram := covariances(1, x, x)
	var best *MinMax
	least := math.Inf(1)
	for i := range ratios {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("gp: fit: %w", context.Cause(ctx))
		}
		try := &MinMax{x: x}
		ratio := math.Pow(10, -4+0.5*float64(i))
		if err := try.solve(gram, y, nil, ratio); err != nil {
			return nil, err
		}
		var nats float64 // −log p(y), up to a constant: at the best scale the quadratic form is n/2
		if variance != nil {
			var err error
			if nats, err = try.rescale(gram, y, variance, ratio); err != nil {
				return nil, err
			}
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

// scaleSteps is the largest number of factorizations of rescale; most fits need 3 to 6.
const scaleSteps = 10

// rescale solves with known variances V of the targets. The best scale has no closed form then; it is iterated, from
// the best scale without V, until it changes by less than 10⁻³ of itself. With K = scale·H + V, H = gram + ratio·I and
// a = K⁻¹(y − mean),
//
//	scale ← scale · (aᵀHa)/tr(K⁻¹H)
//
// The likelihood is stationary at the fixed point, and V = 0 gives the closed form. rescale returns (y − mean)ᵀa/2.
func (g *MinMax) rescale(gram, y, variance []float64, ratio float64) (half float64, err error) {
	n := len(y)
	least := max(1e-12, 1e-6*slices.Min(variance)) // a smaller scale is lost in the noise of every target
	for step := 1; ; step++ {
		if err := g.solve(gram, y, variance, ratio); err != nil {
			return 0, err
		}
		inv := inverse(nil, slices.Clone(g.chol), n)
		var quadratic float64
		signal, trace := 0.0, float64(n) // aᵀ(scale·H)a and tr(K⁻¹ scale·H), by scale·H = K − V
		for i, a := range g.weight {
			quadratic += a * (y[i] - g.mean)
			signal -= variance[i] * a * a
			trace -= variance[i] * inv[i*n+i]
		}
		signal += quadratic
		next := least
		if trace > 0 { // 0 where the known variances are all there is
			next = max(least, g.scale*signal/trace)
		}
		if step == scaleSteps || math.Abs(next/g.scale-1) < 1e-3 {
			return quadratic / 2, nil
		}
		g.scale = next
	}
}

// solve factorizes the covariance at a ratio of noise to scale, and sets the mean to the best one. If variance is nil,
// it sets the scale too; otherwise it uses g's scale.
func (g *MinMax) solve(gram, y, variance []float64, ratio float64) error {
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
	a, b := append([]float64(nil), y...), slices.Repeat([]float64{1}, n)
	solveVec(blas.NoTrans, g.chol, a)
	solveVec(blas.NoTrans, g.chol, b)
	g.mean = dot(a, b) / dot(b, b)
	blas64.Axpy(-g.mean, vector(b), vector(a))
	if variance == nil {
		g.scale = dot(a, a) / float64(n)
		if g.scale == 0 || slices.Min(y) == slices.Max(y) { // 0 up to rounding for equal targets
			g.scale = 1e-12
		}
	}
	g.noise = ratio * g.scale
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

// covariances returns scale times the similarity of each a to each b, (len(a), len(b)).
func covariances(scale float64, a, b []Counts) []float64 {
	all := NewMixture([]Term{{Kernel: Tanimoto}}, []float64{scale}, 0)
	for c := range slices.Chunk(b, 1) {
		all.hold(c, 0)
	}
	k := make([]float64, len(a)*len(b))
	all.covariances(slices.Collect(slices.Chunk(a, 1)), k)
	return k
}

// project returns the mean (m) of the latent function at m structures x, and A = L⁻¹K(X, x) (n, m).
func (g *MinMax) project(x []Counts) (mu, a []float64) {
	n, m := len(g.x), len(x)
	a = covariances(g.scale, g.x, x)
	mu = slices.Repeat([]float64{g.mean}, m)
	blas64.Gemv(blas.Trans, 1, general(a, n, m), vector(g.weight), 1, vector(mu))
	solve(blas.NoTrans, g.chol, a, n, m)
	return mu, a
}

// Predict returns the mean and variance (m each) of the latent function at m structures x, in units of the targets and
// their square. The variance excludes observation noise.
func (g *MinMax) Predict(x []Counts) (mu, sigma2 []float64) {
	m := len(x)
	mu, a := g.project(x)
	sigma2 = slices.Repeat([]float64{g.scale}, m)
	for i := range g.x {
		for j, v := range a[i*m : (i+1)*m] {
			sigma2[j] -= v * v
		}
	}
	for j := range sigma2 {
		sigma2[j] = math.Max(sigma2[j], 0)
	}
	return mu, sigma2
}

// joint returns the mean (m) and covariance (m, m) of the latent function at m structures x, with 10⁻⁶ of the scale
// added to the diagonal, because equal structures make the covariance singular.
func (g *MinMax) joint(x []Counts) (mu, cov []float64, err error) {
	n, m := len(g.x), len(x)
	mu, a := g.project(x)
	cov = covariances(g.scale, x, x)
	for j := range m {
		cov[j*m+j] += 1e-6 * g.scale
	}
	blas64.Syrk(blas.Trans, -1, general(a, n, m), 1, blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: cov})
	mirror(cov, m)
	return mu, cov, nil
}
