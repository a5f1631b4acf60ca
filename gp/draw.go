package gp

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/invbo/invbo/internal/parallel"
)

// waves is the number of random frequencies of a Draw. Mean and covariance of draws are exact for any number,
// since every draw has frequencies of its own, and so is the distribution of each value of the prior; more
// waves make values at several points more jointly normal.
const waves = 256

// Draw is a function drawn from a Posterior, without observation noise. It is the same function however
// often and wherever it is evaluated, from any goroutine.
//
// It is a draw from the prior, moved to agree with a draw of what is known at Z (Matheron's rule; Wilson
// et al. 2020, (13)), in the letters of Posterior:
//
//	f(x) = constant + g(x) + k(x, Z)·L⁻ᵀ(v − L⁻¹(g(Z) + √diagonal·ε))    v ~ N(mean, SSᵀ), ε ~ N(0, I)
//	g(x) = √(outputscale/R) Σᵣ (aᵣ cos ωᵣᵀx + bᵣ sin ωᵣᵀx)    a, b, ω ~ N(0, I)    Rahimi & Recht 2007
type Draw struct {
	post     *Posterior
	omega    []float64 // (waves, p)
	cos, sin []float64 // (waves): a and b with the factor
	update   []float64 // (m): what k(x, Z) is multiplied by
}

// Sample draws a function from the posterior.
func (p *Posterior) Sample(rng *rand.Rand) *Draw {
	d := &Draw{post: p, omega: normals(waves*p.p, rng), cos: normals(waves, rng), sin: normals(waves, rng)}
	amplitude := math.Sqrt(p.outputscale / waves)
	blas64.Scal(amplitude, vector(d.cos))
	blas64.Scal(amplitude, vector(d.sin))

	prior := make([]float64, p.m)
	d.addPrior(prior, p.points, p.m)
	for i, e := range normals(p.m, rng) {
		prior[i] += math.Sqrt(p.diagonal) * e
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

// addPrior adds g to f (n), for scaled features x (n, p).
func (d *Draw) addPrior(f, x []float64, n int) {
	phase := make([]float64, n*waves)
	mul(blas.NoTrans, blas.Trans, n, waves, d.post.p, x, d.omega, phase)
	for i := range n {
		var sum float64
		for r, t := range phase[i*waves : (i+1)*waves] {
			sin, cos := math.Sincos(t)
			sum += d.cos[r]*cos + d.sin[r]*sin
		}
		f[i] += sum
	}
}

// drawRows is the number of rows that At works on at a time.
const drawRows = 128

// At returns the function at every row of x (n, d). The error wraps ErrData.
func (d *Draw) At(x [][]float64) ([]float64, error) {
	p := d.post
	flat, err := flatten(x, p.dim)
	if err != nil {
		return nil, err
	}
	f := make([]float64, len(x))
	parallel.For(len(x), drawRows, func(lo, hi int) {
		n := hi - lo
		features := p.embed(flat[lo*p.dim:hi*p.dim], n)
		k := make([]float64, n*p.m)
		rbf(k, features, p.points, n, p.m, p.p, p.outputscale)
		blas64.Gemv(blas.NoTrans, 1, general(k, n, p.m), vector(d.update), 0, vector(f[lo:hi]))
		d.addPrior(f[lo:hi], features, n)
		for i := lo; i < hi; i++ {
			f[i] += p.constant
		}
	})
	return f, nil
}
