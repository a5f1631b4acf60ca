package linalg

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/invbo/invbo/internal/simd"
)

func init() { blas64.Use(implementation{}) }

// implementation is gonum's BLAS with matrix products and triangular solves by the kernels of package simd. Results do
// not depend on the number of processors.
type implementation struct{ gonum.Implementation }

const (
	smallProduct = 1 << 10 // multiplications up to which gonum is as fast
	smallSolve   = 16      // order of a triangular matrix up to which gonum is as fast
	smallSquare  = 64      // order of a product AAᵀ up to which both triangles are computed
)

// Dgemm sets C (m, n) to alpha·op(A)·op(B) + beta·C.
func (im implementation) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if alpha == 0 || m*n*k <= smallProduct {
		im.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	if beta != 0 && beta != 1 {
		for i := range m {
			scale(beta, c[i*ldc:][:n])
		}
	}
	simd.Gemm64(tA != blas.NoTrans, tB != blas.NoTrans, m, n, k, alpha, a, lda, b, ldb, c, ldc, beta != 0)
}

// Dsyrk sets a triangle of the symmetric C (n, n) to that of alpha·op(A)·op(A)ᵀ + beta·C, where op(A) is (n, k).
func (im implementation) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if alpha == 0 || n*n*k <= smallProduct {
		im.Implementation.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	if beta != 1 {
		for i := range n {
			row := c[i*ldc:][:i+1]
			if ul == blas.Upper {
				row = c[i*ldc:][i:n]
			}
			if beta == 0 {
				clear(row) // scale would keep NaN
			}
			scale(beta, row)
		}
	}
	addSquare(ul, tA != blas.NoTrans, n, k, alpha, a, lda, c, ldc)
}

// squares reuses the memory of addSquare.
var squares = sync.Pool{New: func() any { return new([smallSquare * smallSquare]float64) }}

// addSquare adds alpha·op(A)·op(A)ᵀ to a triangle of C.
func addSquare(ul blas.Uplo, tA bool, n, k int, alpha float64, a []float64, lda int, c []float64, ldc int) {
	if n <= smallSquare {
		square := squares.Get().(*[smallSquare * smallSquare]float64)
		defer squares.Put(square)
		simd.Gemm64(tA, !tA, n, n, k, alpha, a, lda, a, lda, square[:], n, false)
		for i := range n {
			lo, hi := 0, i+1
			if ul == blas.Upper {
				lo, hi = i, n
			}
			row := c[i*ldc:]
			for j, v := range square[i*n+lo : i*n+hi] {
				row[lo+j] += v
			}
		}
		return
	}
	h := half(n)
	second := h * lda // offset of row h of op(A)
	if tA {
		second = h
	}
	a2 := a[second:]
	addSquare(ul, tA, h, k, alpha, a, lda, c, ldc)
	if ul == blas.Lower {
		simd.Gemm64(tA, !tA, n-h, h, k, alpha, a2, lda, a, lda, c[h*ldc:], ldc, true)
	} else {
		simd.Gemm64(tA, !tA, h, n-h, k, alpha, a, lda, a2, lda, c[h:], ldc, true)
	}
	addSquare(ul, tA, n-h, k, alpha, a2, lda, c[h*ldc+h:], ldc)
}

// Dtrsm overwrites B (m, n) with the solution X of op(A)·X = alpha·B or X·op(A) = alpha·B for a triangular A.
func (im implementation) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	order := n
	if s == blas.Left {
		order = m
	}
	if alpha == 0 || m*n == 0 || order <= smallSolve {
		im.Implementation.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	// Recursion on halves of A: solve for one half of X, subtract its product from B, then solve for the other.
	h := half(order)
	a22, off := a[h*lda+h:], offDiagonal(ul, a, lda, h)
	lower := (ul == blas.Lower) == (tA == blas.NoTrans) // op(A) is
	if s == blas.Left {
		b2 := b[h*ldb:]
		if lower {
			im.Dtrsm(s, ul, tA, d, h, n, alpha, a, lda, b, ldb)
			im.Dgemm(tA, blas.NoTrans, m-h, n, h, -1, off, lda, b, ldb, alpha, b2, ldb)
			im.Dtrsm(s, ul, tA, d, m-h, n, 1, a22, lda, b2, ldb)
		} else {
			im.Dtrsm(s, ul, tA, d, m-h, n, alpha, a22, lda, b2, ldb)
			im.Dgemm(tA, blas.NoTrans, h, n, m-h, -1, off, lda, b2, ldb, alpha, b, ldb)
			im.Dtrsm(s, ul, tA, d, h, n, 1, a, lda, b, ldb)
		}
		return
	}
	b2 := b[h:]
	if lower {
		im.Dtrsm(s, ul, tA, d, m, n-h, alpha, a22, lda, b2, ldb)
		im.Dgemm(blas.NoTrans, tA, m, h, n-h, -1, b2, ldb, off, lda, alpha, b, ldb)
		im.Dtrsm(s, ul, tA, d, m, h, 1, a, lda, b, ldb)
	} else {
		im.Dtrsm(s, ul, tA, d, m, h, alpha, a, lda, b, ldb)
		im.Dgemm(blas.NoTrans, tA, m, n-h, h, -1, b, ldb, off, lda, alpha, b2, ldb)
		im.Dtrsm(s, ul, tA, d, m, n-h, 1, a22, lda, b2, ldb)
	}
}

// Dtrmm overwrites B (m, n) with alpha·op(A)·B or alpha·B·op(A) for a triangular A.
func (im implementation) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	order := n
	if s == blas.Left {
		order = m
	}
	if alpha == 0 || m*n == 0 || order <= smallSolve {
		im.Implementation.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	// Recursion on halves of A, starting with the half of B that depends on both.
	h := half(order)
	a22, off := a[h*lda+h:], offDiagonal(ul, a, lda, h)
	lower := (ul == blas.Lower) == (tA == blas.NoTrans) // op(A) is
	if s == blas.Left {
		b2 := b[h*ldb:]
		if lower {
			im.Dtrmm(s, ul, tA, d, m-h, n, alpha, a22, lda, b2, ldb)
			im.Dgemm(tA, blas.NoTrans, m-h, n, h, alpha, off, lda, b, ldb, 1, b2, ldb)
			im.Dtrmm(s, ul, tA, d, h, n, alpha, a, lda, b, ldb)
		} else {
			im.Dtrmm(s, ul, tA, d, h, n, alpha, a, lda, b, ldb)
			im.Dgemm(tA, blas.NoTrans, h, n, m-h, alpha, off, lda, b2, ldb, 1, b, ldb)
			im.Dtrmm(s, ul, tA, d, m-h, n, alpha, a22, lda, b2, ldb)
		}
		return
	}
	b2 := b[h:]
	if lower {
		im.Dtrmm(s, ul, tA, d, m, h, alpha, a, lda, b, ldb)
		im.Dgemm(blas.NoTrans, tA, m, h, n-h, alpha, b2, ldb, off, lda, 1, b, ldb)
		im.Dtrmm(s, ul, tA, d, m, n-h, alpha, a22, lda, b2, ldb)
	} else {
		im.Dtrmm(s, ul, tA, d, m, n-h, alpha, a22, lda, b2, ldb)
		im.Dgemm(blas.NoTrans, tA, m, n-h, h, alpha, b, ldb, off, lda, 1, b2, ldb)
		im.Dtrmm(s, ul, tA, d, m, h, alpha, a, lda, b, ldb)
	}
}

// offDiagonal returns A₂₁ of a lower triangular matrix or A₁₂ of an upper one, where A₁₁ is (h, h).
func offDiagonal(ul blas.Uplo, a []float64, lda, h int) []float64 {
	if ul == blas.Lower {
		return a[h*lda:]
	}
	return a[h:]
}

func scale(alpha float64, x []float64) {
	for i := range x {
		x[i] *= alpha
	}
}
