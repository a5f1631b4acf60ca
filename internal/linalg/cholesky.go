// Package linalg is the float64 linear algebra that is too slow elsewhere: the Cholesky factorization, and the
// matrix product behind gonum's BLAS interface, which importing this package replaces.
package linalg

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// NotPositiveDefiniteError says where a Cholesky factorization ended. More jitter on the diagonal may help.
type NotPositiveDefiniteError struct {
	Column int     // the first column that has no real factor
	Pivot  float64 // what is left on its diagonal: not positive, or NaN
}

func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("matrix is not positive definite: pivot %g in column %d", e.Pivot, e.Column)
}

const (
	blockCols = 64 // columns that are factored at a time
	rowGrain  = 48 // rows that are worth a goroutine's while
)

// Cholesky overwrites the symmetric matrix A (n, n), row-major, with its lower factor L, A = LLᵀ. It reads
// the lower triangle only, and sets the upper one to zero.
//
// If A is not positive definite, the error is a *NotPositiveDefiniteError and A is partly overwritten; no NaN is
// ever taken for a factor. The result does not depend on the number of processors. Cholesky panics if a is
// not n·n long.
func Cholesky(a []float64, n int) error {
	if len(a) != n*n {
		panic(fmt.Sprintf("linalg: Cholesky: %d elements, want %d×%d", len(a), n, n))
	}
	for j := 0; j < n; j += blockCols {
		cols := min(blockCols, n-j)
		if err := choleskyBlock(a, n, j, cols); err != nil {
			return err
		}
	}
	for i := range n {
		clear(a[i*n+i+1 : (i+1)*n])
	}
	return nil
}

// choleskyBlock finds columns [j, j+cols) of L, given those to the left:
//
//	A₁ ← A₁ − L₀L₀ᵀ    A₁₁ = L₁₁L₁₁ᵀ    L₂₁ = A₂₁L₁₁⁻ᵀ
func choleskyBlock(a []float64, n, j, cols int) error {
	if j > 0 {
		simd.Gemm64(false, true, n-j, cols, j, -1, a[j*n:], n, a[j*n:], n, a[j*n+j:], n, true)
	}
	for i := j; i < j+cols; i++ {
		solveRow(a, n, i, j, i)
		d := a[i*n+i]
		for _, l := range a[i*n+j : i*n+i] {
			d -= l * l
		}
		if !(d > 0) || math.IsInf(d, 1) {
			return &NotPositiveDefiniteError{Column: i, Pivot: d}
		}
		a[i*n+i] = math.Sqrt(d)
	}
	below := j + cols
	parallel.For(n-below, rowGrain, func(lo, hi int) {
		for i := below + lo; i < below+hi; i++ {
			solveRow(a, n, i, j, below)
		}
	})
	return nil
}

// solveRow turns columns [lo, hi) of row i of A into those of L, by forward substitution.
func solveRow(a []float64, n, i, lo, hi int) {
	x := a[i*n:]
	for c := lo; c < hi; c++ {
		s := x[c]
		for p, l := range a[c*n+lo : c*n+c] {
			s -= l * x[lo+p]
		}
		x[c] = s / a[c*n+c]
	}
}
