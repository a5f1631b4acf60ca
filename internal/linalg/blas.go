package linalg

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/simd"
)

func init() { blas64.Use(implementation{}) }

// implementation is gonum's BLAS with matrix products, and triangular solves and products with lower triangles, by the
// kernels of package simd. Results do not depend on the number of processors.
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
			floats.Scale(beta, c[i*ldc:][:n])
		}
	}
	simd.Gemm64(tA != blas.NoTrans, tB != blas.NoTrans, m, n, k, alpha, a, lda, b, ldb, c, ldc, beta != 0)
}

// Dsyrk sets the triangle ul of the symmetric C (n, n) to that of alpha·op(A)·op(A)ᵀ + beta·C, where op(A) is (n, k).
func (im implementation) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if alpha == 0 || ul != blas.Lower || n*n*k <= smallProduct {
		im.Implementation.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	if beta != 1 {
		for i := range n {
			row := c[i*ldc:][:i+1]
			if beta == 0 {
				clear(row) // Scale would keep NaN
			}
			floats.Scale(beta, row)
		}
	}
	addSquare(tA != blas.NoTrans, n, k, alpha, a, lda, c, ldc)
}

// squares reuses the memory of addSquare.
var squares = sync.Pool{New: func() any { return new([smallSquare * smallSquare]float64) }}

// addSquare adds alpha·op(A)·op(A)ᵀ to the lower triangle of C.
func addSquare(tA bool, n, k int, alpha float64, a []float64, lda int, c []float64, ldc int) {
	if n <= smallSquare {
		square := squares.Get().(*[smallSquare * smallSquare]float64)
		defer squares.Put(square)
		simd.Gemm64(tA, !tA, n, n, k, alpha, a, lda, a, lda, square[:], n, false)
		for i := range n {
			row := c[i*ldc:]
			for j, v := range square[i*n : i*n+i+1] {
				row[j] += v
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
	addSquare(tA, h, k, alpha, a, lda, c, ldc)
	simd.Gemm64(tA, !tA, n-h, h, k, alpha, a2, lda, a, lda, c[h*ldc:], ldc, true)
	addSquare(tA, n-h, k, alpha, a2, lda, c[h*ldc+h:], ldc)
}

// Dtrsm overwrites B (m, n) with the solution X of op(A)·X = alpha·B or X·op(A) = alpha·B for a triangular A.
func (im implementation) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if alpha == 0 || ul != blas.Lower || m*n == 0 || orderOf(s, m, n) <= smallSolve {
		im.Implementation.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	p, q, off := split(s, tA, m, n, a, lda, b, ldb)
	if s == blas.Left {
		im.Dtrsm(s, ul, tA, d, p.order, n, alpha, p.a, lda, p.b, ldb)
		im.Dgemm(tA, blas.NoTrans, q.order, n, p.order, -1, off, lda, p.b, ldb, alpha, q.b, ldb)
		im.Dtrsm(s, ul, tA, d, q.order, n, 1, q.a, lda, q.b, ldb)
	} else {
		im.Dtrsm(s, ul, tA, d, m, p.order, alpha, p.a, lda, p.b, ldb)
		im.Dgemm(blas.NoTrans, tA, m, q.order, p.order, -1, p.b, ldb, off, lda, alpha, q.b, ldb)
		im.Dtrsm(s, ul, tA, d, m, q.order, 1, q.a, lda, q.b, ldb)
	}
}

// Dtrmm overwrites B (m, n) with alpha·op(A)·B or alpha·B·op(A) for a triangular A.
func (im implementation) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if alpha == 0 || ul != blas.Lower || m*n == 0 || orderOf(s, m, n) <= smallSolve {
		im.Implementation.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	p, q, off := split(s, tA, m, n, a, lda, b, ldb)
	if s == blas.Left {
		im.Dtrmm(s, ul, tA, d, q.order, n, alpha, q.a, lda, q.b, ldb)
		im.Dgemm(tA, blas.NoTrans, q.order, n, p.order, alpha, off, lda, p.b, ldb, 1, q.b, ldb)
		im.Dtrmm(s, ul, tA, d, p.order, n, alpha, p.a, lda, p.b, ldb)
	} else {
		im.Dtrmm(s, ul, tA, d, m, q.order, alpha, q.a, lda, q.b, ldb)
		im.Dgemm(blas.NoTrans, tA, m, q.order, p.order, alpha, p.b, ldb, off, lda, 1, q.b, ldb)
		im.Dtrmm(s, ul, tA, d, m, p.order, alpha, p.a, lda, p.b, ldb)
	}
}

// orderOf returns the order of the triangular A on side s of B (m, n).
func orderOf(s blas.Side, m, n int) int {
	if s == blas.Left {
		return m
	}
	return n
}

// part is a diagonal block of a triangular A with the rows (on the left) or columns (on the right) of B that belong to it.
type part struct {
	a, b  []float64
	order int
}

// split divides a lower triangular A, and B, in halves for recursion: off is the block A₂₁, through which q depends on
// p but not p on q.
func split(s blas.Side, tA blas.Transpose, m, n int, a []float64, lda int, b []float64, ldb int) (p, q part, off []float64) {
	order := orderOf(s, m, n)
	h := half(order)
	second := h // offset in b
	if s == blas.Left {
		second = h * ldb
	}
	p, q = part{a, b, h}, part{a[h*lda+h:], b[second:], order - h}
	if (s == blas.Left) != (tA == blas.NoTrans) {
		p, q = q, p
	}
	return p, q, a[h*lda:]
}
