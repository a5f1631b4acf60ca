// Package linalg provides fast float64 linear algebra: the Cholesky factorization, and matrix products and triangular
// solves for gonum's BLAS interface. Importing it registers the latter with gonum.
package linalg

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

const (
	leaf      = 8   // columns of simd.Solve8
	solveRows = 128 // rows of a triangular solve per parallel task
)

// Cholesky overwrites the symmetric matrix A (n, n), row-major, with its lower factor L, A = LLᵀ. It reads the lower
// triangle only and sets the upper one to zero. It uses the recursion
//
//	A₁₁ = L₁₁L₁₁ᵀ    L₂₁ = A₂₁L₁₁⁻ᵀ    A₂₂ − L₂₁L₂₁ᵀ = L₂₂L₂₂ᵀ
//
// If A is not positive definite or has a NaN, the error names the first column without a real factor and its pivot, and
// the lower triangle is partly overwritten. Jitter on the diagonal may help. The result does not depend on the number of processors. Cholesky panics if the length of a is not n·n.
func Cholesky(a []float64, n int) error {
	if len(a) != n*n {
		panic(fmt.Sprintf("linalg: Cholesky: %d elements, want %d×%d", len(a), n, n))
	}
	if err := factor(a, n, n, 0); err != nil {
		return err
	}
	for i := range n {
		clear(a[i*n+i+1 : (i+1)*n])
	}
	return nil
}

// factor replaces the lower triangle of A (n, n), with rows ld apart, by L. column is the index of its first column in
// the whole matrix.
func factor(a []float64, ld, n, column int) error {
	if n <= leaf {
		return factorLeaf(a, ld, n, column)
	}
	k := half(n)
	a21, a22 := a[k*ld:], a[k*ld+k:]
	if err := factor(a, ld, k, column); err != nil {
		return err
	}
	parallel.For(n-k, solveRows, func(lo, hi int) {
		solve(a21[lo*ld:], a, ld, hi-lo, k)
	})
	simd.Square64(n-k, k, -1, a21, ld, a22, ld)
	return factor(a22, ld, n-k, column+k)
}

// half returns about half of n, rounded to a multiple of leaf.
func half(n int) int { return (n/2 + leaf - 1) / leaf * leaf }

func factorLeaf(a []float64, ld, n, column int) error {
	for i := range n {
		row := a[i*ld:][:i+1]
		for j := range row {
			s := row[j]
			other := a[j*ld:][:j+1]
			for p, v := range other[:j] {
				s -= row[p] * v
			}
			if j < i {
				row[j] = s / other[j]
				continue
			}
			if !(s > 0) || math.IsInf(s, 1) {
				return fmt.Errorf("matrix is not positive definite: pivot %g in column %d", s, column+i)
			}
			row[i] = math.Sqrt(s)
		}
	}
	return nil
}

// solve overwrites X (m, n) with X·L⁻ᵀ, where L (n, n) is lower triangular and n a multiple of leaf:
//
//	X₁ ← X₁L₁₁⁻ᵀ    X₂ ← (X₂ − X₁L₂₁ᵀ)·L₂₂⁻ᵀ
func solve(x, l []float64, ld, m, n int) {
	if n == leaf {
		simd.Solve8(l, ld, x, ld, m)
		return
	}
	k := half(n)
	solve(x, l, ld, m, k)
	simd.Gemm64(false, true, m, n-k, k, -1, x, ld, l[k*ld:], ld, x[k:], ld, true)
	solve(x[k:], l[k*ld+k:], ld, m, n-k)
}
