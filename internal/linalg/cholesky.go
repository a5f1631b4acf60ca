// Package linalg provides fast float64 linear algebra: the Cholesky factorization, and matrix products and triangular
// solves for gonum's BLAS interface. Importing it registers the latter with gonum.
package linalg

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/simd"
)

const leaf = 8 // simd.SolveLower64 takes a multiple of so many columns

// Cholesky overwrites the symmetric matrix A (n, n), row-major, with its lower factor L, A = LLᵀ. It reads the lower
// triangle only and sets the upper one to zero. It uses the recursion
//
//	A₁₁ = L₁₁L₁₁ᵀ    L₂₁ = A₂₁L₁₁⁻ᵀ    A₂₂ − L₂₁L₂₁ᵀ = L₂₂L₂₂ᵀ
//
// If A is not positive definite or has a NaN, the error names the first column without a real factor and its pivot, and
// the lower triangle is partly overwritten. Jitter on the diagonal may help. The result does not depend on the number
// of processors. Cholesky panics if the length of a is not n·n.
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
	simd.SolveLower64(a, ld, k, a21, ld, n-k)
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
