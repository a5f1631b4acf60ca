package gp

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
)

// Posterior is the posterior of a fitted GP. It is immutable and safe for concurrent use.
//
// It is given by the distribution of the function at m points Z in whitened form (Hensman et al. 2015, whitened as in
// Matthews 2017): u = Lv + constant and q(v) = N(mean, SSᵀ), where LLᵀ = K(Z, Z) + diag(diagonal). For a sparse GP, Z
// are the inducing points and diagonal is the jitter. For an exact GP, Z are the data, diagonal is the noise of each,
// mean = L⁻¹(y − constant) and S = 0.
type Posterior struct {
	dim, p   int
	net      network
	scale    []float64 // (p): reciprocal lengthscales of the features
	constant float64

	outputscale   float64
	noise, jitter float64 // jitter is on the diagonal of K(X, X)

	m        int
	points   []float64 // (m, p): Z, scaled
	chol     []float64 // (m, m): L
	diagonal []float64 // (m)
	mean     []float64 // (m)
	s        []float64 // (m, m), lower; nil is 0
}

// Noise returns the variance of the observation noise, without known variances of targets.
func (p *Posterior) Noise() float64 { return p.noise }

// embed returns the scaled features (n, p) of x (n, d).
func (p *Posterior) embed(x []float64, n int) []float64 {
	f, _, _ := p.net.embed(nil, x, n)
	scaled := make([]float64, len(f))
	for i := range n {
		for j, s := range p.scale {
			scaled[i*p.p+j] = f[i*p.p+j] * s
		}
	}
	return scaled
}

// project returns A = L⁻¹K(Z, X) and B = SᵀA, (m, n) each, for scaled features x (n, p).
func (p *Posterior) project(x []float64, n int) (a, b []float64) {
	a, b = make([]float64, p.m*n), make([]float64, p.m*n)
	rbf(a, p.points, x, p.m, n, p.p, p.outputscale)
	solve(blas.NoTrans, p.chol, a, p.m, n)
	if p.s != nil {
		copy(b, a)
		blas64.Trmm(blas.Left, blas.Trans, 1, lower(p.s, p.m), general(b, p.m, n))
	}
	return a, b
}

// predictRows is the number of rows that Predict processes at a time, which bounds its memory.
const predictRows = 512

// Predict returns the mean and variance of the latent function at every row of x (n, d), in the units of the targets:
//
//	a = L⁻¹k(Z, x)    mu = constant + aᵀmean    sigma2 = k(x, x) + jitter − aᵀa + ‖Sᵀa‖²
//
// sigma2 excludes observation noise. The error wraps ErrData.
func (p *Posterior) Predict(x [][]float64) (mu, sigma2 []float64, err error) {
	flat, err := flatten(x, p.dim)
	if err != nil {
		return nil, nil, err
	}
	mu, sigma2 = make([]float64, len(x)), make([]float64, len(x))
	parallel.For(len(x), predictRows, func(lo, hi int) {
		n := hi - lo
		a, b := p.project(p.embed(flat[lo*p.dim:hi*p.dim], n), n)
		chunkMu, chunkSigma2 := moments(a, b, p.mean, n, p.constant, p.outputscale+p.jitter)
		copy(mu[lo:hi], chunkMu)
		for i, v := range chunkSigma2 {
			sigma2[lo+i] = math.Max(v, 0) // rounding can leave −10⁻¹⁶ at the data
		}
	})
	return mu, sigma2, nil
}

// logDensity returns the mean of log N(yᵢ; muᵢ, sigma2ᵢ + noise + varianceᵢ) over data.
func (p *Posterior) logDensity(d data) (float64, error) {
	mu, sigma2, err := p.Predict(stats.Rows(d.x, len(d.y), p.dim))
	if err != nil {
		return 0, err
	}
	var sum float64
	for i, v := range d.y {
		s2 := sigma2[i] + p.noise
		if d.variance != nil {
			s2 += d.variance[i]
		}
		sum += logGaussian(v, mu[i], s2)
	}
	return sum / float64(len(d.y)), nil
}

// joint returns the mean (n) of the latent function at x (n, d) and its covariance (n, n):
//
//	K(X, X) + jitter·I − AᵀA + BᵀB    A = L⁻¹K(Z, X)    B = SᵀA
func (p *Posterior) joint(x [][]float64) (mu, cov []float64, err error) {
	flat, err := flatten(x, p.dim)
	if err != nil {
		return nil, nil, err
	}
	n := len(x)
	features := p.embed(flat, n)
	a, b := p.project(features, n)
	mu = slices.Repeat([]float64{p.constant}, n)
	blas64.Gemv(blas.Trans, 1, general(a, p.m, n), vector(p.mean), 1, vector(mu))
	cov = covariance(nil, features, n, p.p, p.outputscale, p.jitter)
	sym := blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: cov}
	blas64.Syrk(blas.Trans, -1, general(a, p.m, n), 1, sym)
	blas64.Syrk(blas.Trans, 1, general(b, p.m, n), 1, sym)
	mirror(cov, n)
	return mu, cov, nil
}

// normals returns n standard normal numbers.
func normals(n int, rng *rand.Rand) []float64 {
	z := make([]float64, n)
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	return z
}
