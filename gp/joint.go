package gp

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// JointDraws are functions drawn from a GP at inputs of type P: rows of latents, or Counts. Each call of At draws
// values conditional on those of earlier calls, so that all of them together are one draw from the joint distribution:
//
//	L₁₁L₁₁ᵀ = K₁₁ + noise·I    L₂₁ = K₂₁L₁₁⁻ᵀ    L₂₂L₂₂ᵀ = K₂₂ + noise·I − L₂₁L₂₁ᵀ
//	f₁ = mu₁ + L₁₁e₁           f₂ = mu₂ + L₂₁e₁ + L₂₂e₂                          e ~ N(0, I)
//
// with 1 for the inputs of earlier calls and 2 for the new ones. n inputs in all take n³/3 multiplications and n²
// numbers of memory; Draws take less, at the price of an approximate prior. JointDraws are not safe for concurrent use.
type JointDraws[P any] struct {
	key     func(x P) string                           // identifies equal inputs; nil with noise
	moments func(x []P) (mu, cov []float64, err error) // mean (n) and covariance (n, n) of the latent function
	noise   float64
	rng     *rand.Rand

	x    []P            // (n): inputs of earlier calls
	row  map[string]int // key to row of x
	chol []float64      // (n, n): L
	e, f [][]float64    // (k, n): standard normals, values
}

// Joint returns k functions drawn from the posterior, each evaluation with independent noise of the given variance: 0
// for the latent function, Noise() for observations, as in the paper's code. Equal rows have the same value without
// noise (up to the jitter within one call of At), and differ by it otherwise. rng is used by At.
//
// At's error wraps ErrData or ErrNotPositiveDefinite.
func (p *Posterior) Joint(k int, noise float64, rng *rand.Rand) *JointDraws[[]float64] {
	if noise > 0 {
		return newJointDraws(k, noise, rng, nil, p.joint)
	}
	return newJointDraws(k, 0, rng, key[float64], p.joint)
}

// Joint returns k functions drawn from the posterior, without observation noise, in the units of the targets. Equal
// structures have the same value, up to a deviation of 10⁻³ of the prior's within one call of At. rng is used by At.
//
// At's error wraps ErrNotPositiveDefinite.
func (g *MinMax) Joint(k int, rng *rand.Rand) *JointDraws[Counts] {
	return newJointDraws(k, 0, rng, func(c Counts) string { return key(c.IDs) + key(c.N) }, g.joint)
}

// key returns the numbers as a string.
func key[T uint32 | uint64 | float64](numbers []T) string {
	b, _ := binary.Append(nil, binary.LittleEndian, numbers) // these have a fixed size
	return string(b)
}

func newJointDraws[P any](k int, noise float64, rng *rand.Rand, key func(P) string, moments func([]P) (mu, cov []float64, err error)) *JointDraws[P] {
	return &JointDraws[P]{key: key, moments: moments, noise: noise, rng: rng, row: map[string]int{}, e: make([][]float64, max(k, 0)), f: make([][]float64, max(k, 0))}
}

// At returns the functions (k, n) at n inputs x. After an error the draws are as before the call, and may be used.
func (d *JointDraws[P]) At(x []P) ([][]float64, error) {
	if len(x) == 0 {
		return nil, fmt.Errorf("gp: %w: no rows", ErrData)
	}
	all := d.x[:len(d.x):len(d.x)]
	rows := make([]int, len(x)) // of x in all
	fresh := map[string]int{}   // rows of keys
	for i, p := range x {
		rows[i] = len(all)
		if d.key != nil {
			k := d.key(p)
			if row, ok := d.row[k]; ok {
				rows[i] = row
				continue
			}
			if _, ok := fresh[k]; !ok {
				fresh[k] = rows[i]
			}
		}
		all = append(all, p)
	}
	if len(all) > len(d.x) {
		if err := d.extend(all); err != nil {
			return nil, err
		}
	}
	maps.Copy(d.row, fresh)
	values := make([][]float64, len(d.f))
	for k, f := range d.f {
		values[k] = make([]float64, len(x))
		for i, row := range rows {
			values[k][i] = f[row]
		}
	}
	return values, nil
}

// extend draws the values at the rows of all beyond those of d.x.
func (d *JointDraws[P]) extend(all []P) error {
	before, n := len(d.x), len(all)
	m := n - before
	mu, cov, err := d.moments(all)
	if err != nil {
		return err
	}
	var scale float64 // mean variance of the new values
	for i := before; i < n; i++ {
		cov[i*n+i] += d.noise
		scale += cov[i*n+i] / float64(m)
	}
	// L replaces the covariance, block by block
	l21, l22 := cov[before*n:], cov
	if before > 0 {
		for i := range before {
			copy(cov[i*n:i*n+before], d.chol[i*before:(i+1)*before])
			clear(cov[i*n+before : (i+1)*n])
		}
		blas64.Trsm(blas.Right, blas.Trans, 1, lower(d.chol, before), blas64.General{Rows: m, Cols: before, Stride: n, Data: l21})
		l22 = make([]float64, m*m)
		for i := range m {
			copy(l22[i*m:(i+1)*m], l21[i*n+before:(i+1)*n])
		}
		blas64.Syrk(blas.NoTrans, -1, blas64.General{Rows: m, Cols: before, Stride: n, Data: l21}, 1,
			blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: l22})
		mirror(l22, m)
	}
	if _, err := choleskyOfScale(nil, l22, m, scale); err != nil {
		return fmt.Errorf("covariance of %d candidates: %w", m, err)
	}
	for k := range d.f {
		e := normals(m, d.rng)
		f := append([]float64(nil), e...)
		blas64.Trmv(blas.NoTrans, lower(l22, m), vector(f))
		if before > 0 {
			blas64.Gemv(blas.NoTrans, 1, blas64.General{Rows: m, Cols: before, Stride: n, Data: l21}, vector(d.e[k]), 1, vector(f))
		}
		blas64.Axpy(1, vector(mu[before:]), vector(f))
		d.e[k], d.f[k] = append(d.e[k], e...), append(d.f[k], f...)
	}
	if before > 0 {
		for i := range m {
			copy(l21[i*n+before:(i+1)*n], l22[i*m:(i+1)*m])
		}
	}
	d.x, d.chol = all, cov
	return nil
}
