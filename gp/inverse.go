package gp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// inverseBlock is the size above which inverse uses matrix products.
const inverseBlock = 64

// inverse returns (llᵀ)⁻¹ = l⁻ᵀl⁻¹ for a lower factor l (n, n), in about n³ multiplications and additions.
func inverse(ws *workspace, l []float64, n int) []float64 {
	w, inv := ws.copyOf(l), ws.take(n*n)
	invertLower(general(w, n, n))
	for lo := 0; lo < n; lo += inverseBlock { // rows lo…hi of l⁻ᵀl⁻¹, to which only rows of w from lo on contribute
		hi := min(lo+inverseBlock, n)
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, block(general(w, n, n), lo, n, lo, hi), block(general(w, n, n), lo, n, 0, hi),
			0, block(general(inv, n, n), lo, hi, 0, hi))
	}
	mirror(inv, n)
	return inv
}

// invertLower overwrites the lower triangle of l with its inverse, recursively:
//
//	[A 0; B C]⁻¹ = [A⁻¹ 0; −C⁻¹BA⁻¹ C⁻¹]
func invertLower(l blas64.General) {
	n := l.Rows
	if n <= inverseBlock {
		lapack64.Trtri(blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Stride: l.Stride, Data: l.Data})
		return
	}
	h := n / 2
	a, b, c := block(l, 0, h, 0, h), block(l, h, n, 0, h), block(l, h, n, h, n)
	invertLower(a)
	invertLower(c)
	t := general(make([]float64, (n-h)*h), n-h, h)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, b, a, 0, t)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, c, t, 0, b)
}

// block returns rows r0…r1 and columns c0…c1 of a.
func block(a blas64.General, r0, r1, c0, c1 int) blas64.General {
	return blas64.General{Rows: r1 - r0, Cols: c1 - c0, Stride: a.Stride, Data: a.Data[r0*a.Stride+c0 : (r1-1)*a.Stride+c1]}
}

// mirror copies the lower triangle of a (n, n) to the upper one.
func mirror(a []float64, n int) {
	for i := range n {
		for j := range i {
			a[j*n+i] = a[i*n+j]
		}
	}
}
