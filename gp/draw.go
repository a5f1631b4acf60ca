package gp

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/stats"
)

// waves is the number of random Fourier frequencies per draw. Each draw has its own frequencies, so that mean,
// covariance and the prior's marginals are exact for any number; with more waves, values at several points are closer
// to jointly normal.
const waves = 256

// Draws are functions drawn from a Posterior, without observation noise. They can be evaluated any number of times,
// from several goroutines, and always have the same value at the same point.
//
// Each is a draw from the prior, corrected at the points Z by a draw from q (Matheron's rule, pathwise conditioning;
// Wilson et al. 2020, (13)), in the notation of Posterior:
//
//	f(x) = constant + g(x) + k(x, Z)·L⁻ᵀ(v − L⁻¹(g(Z) + √diagonal·ε))    v ~ N(mean, SSᵀ), ε ~ N(0, I)
//	g(x) = √(outputscale/R) Σᵣ (aᵣ cos ωᵣᵀx + bᵣ sin ωᵣᵀx)    a, b, ω ~ N(0, I)    Rahimi & Recht 2007
type Draws struct {
	post *Posterior
	each []draw
}

// draw is one function.
type draw struct {
	omega      []float64 // (p, waves)
	amplitudes []float64 // (2·waves): a, then b, times √(outputscale/R)
	update     []float64 // (m): factor of k(x, Z)
}

// Sample draws k functions from the posterior.
func (p *Posterior) Sample(k int, rng *rand.Rand) *Draws {
	d := &Draws{post: p}
	for range k {
		d.each = append(d.each, p.draw(rng))
	}
	return d
}

func (p *Posterior) draw(rng *rand.Rand) draw {
	d := draw{omega: normals(waves*p.p, rng), amplitudes: normals(2*waves, rng)}
	blas64.Scal(math.Sqrt(p.outputscale/waves), vector(d.amplitudes))

	prior := make([]float64, p.m)
	d.addPrior(prior, p.points, p.p, make([]float64, basisRows*2*waves))
	for i, e := range normals(p.m, rng) {
		prior[i] += math.Sqrt(p.diagonal[i]) * e
	}
	solveVec(blas.NoTrans, p.chol, prior)
	d.update = append([]float64(nil), p.mean...)
	if p.s != nil {
		v := normals(p.m, rng)
		blas64.Trmv(blas.NoTrans, lower(p.s, p.m), vector(v))
		blas64.Axpy(1, vector(v), vector(d.update))
	}
	blas64.Axpy(-1, vector(prior), vector(d.update))
	solveVec(blas.Trans, p.chol, d.update)
	return d
}

// basisRows is the number of points evaluated at a time, so that their cosines and sines stay in the cache.
const basisRows = 16

// addPrior adds g(x) to f (n), for scaled features x (n, p). basis (basisRows, 2·waves) is scratch memory.
func (d draw) addPrior(f, x []float64, p int, basis []float64) {
	phases := blas64.General{Cols: waves, Stride: 2 * waves, Data: basis[waves:]} // in the place of the sines
	for len(f) > 0 {
		n := min(len(f), basisRows)
		phases.Rows = n
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, general(x, n, p), general(d.omega, p, waves), 0, phases)
		for i := range n {
			cos, sin := basis[2*i*waves:(2*i+1)*waves], basis[(2*i+1)*waves:(2*i+2)*waves]
			simd.SinCos64(sin, cos, sin)
		}
		blas64.Gemv(blas.NoTrans, 1, general(basis, n, 2*waves), vector(d.amplitudes), 1, vector(f[:n]))
		f, x = f[n:], x[n*p:]
	}
}

// drawRows is the number of rows that At works on at a time.
const drawRows = 128

// At returns the functions (k, n) at the rows of x (n, d). The error wraps ErrData.
func (d *Draws) At(x [][]float64) ([][]float64, error) {
	p := d.post
	flat, err := flatten(x, p.dim)
	if err != nil {
		return nil, err
	}
	f := stats.Rows(make([]float64, len(d.each)*len(x)), len(d.each), len(x))
	parallel.For(len(x), drawRows, func(lo, hi int) {
		n := hi - lo
		features := p.embed(flat[lo*p.dim:hi*p.dim], n)
		kxz := make([]float64, n*p.m)
		rbf(kxz, features, p.points, n, p.m, p.p, p.outputscale)
		basis := make([]float64, basisRows*2*waves)
		for k, draw := range d.each {
			chunk := f[k][lo:hi]
			for i := range chunk {
				chunk[i] = p.constant
			}
			blas64.Gemv(blas.NoTrans, 1, general(kxz, n, p.m), vector(draw.update), 1, vector(chunk))
			draw.addPrior(chunk, features, p.p, basis)
		}
	})
	return f, nil
}
