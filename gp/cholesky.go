package gp

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/invbo/invbo/internal/linalg"
)

// ErrNotPositiveDefinite is wrapped by errors about a covariance that has no Cholesky factor.
var ErrNotPositiveDefinite = errors.New("covariance is not positive definite")

// jitterTries is the number of jitters that cholesky tries: 10⁻⁸ of the mean of the diagonal, then ten times more each,
// up to 10⁻³.
const jitterTries = 6

// cholesky overwrites the symmetric a (n, n) with its lower factor; the upper triangle becomes 0. If a is not positive
// definite to working precision, it adds an increasing jitter to the diagonal, and returns it. If no jitter helps, the
// error names those tried, and a is overwritten.
func cholesky(a []float64, n int) (jitter float64, err error) { return choleskyIn(nil, a, n) }

// choleskyIn is cholesky in memory of ws.
func choleskyIn(ws *workspace, a []float64, n int) (jitter float64, err error) {
	var mean float64
	for i := range n {
		mean += a[i*n+i] / float64(n)
	}
	return choleskyOfScale(ws, a, n, mean)
}

// choleskyOfScale is choleskyIn with jitters relative to scale instead of the mean of the diagonal, which may be 0 up to
// rounding.
func choleskyOfScale(ws *workspace, a []float64, n int, scale float64) (jitter float64, err error) {
	for i := range n {
		if j := unusable(a[i*n : i*n+i+1]); j >= 0 {
			return 0, fmt.Errorf("gp: %w: entry (%d, %d) is %g: hyperparameters or inputs have diverged",
				ErrNotPositiveDefinite, i, j, a[i*n+j])
		}
	}
	given := ws.take(n * n) // a copy of the lower triangle, which is all that is read
	for i := range n {
		copy(given[i*n:i*n+i+1], a[i*n:])
	}
	if err = linalg.Cholesky(a, n); err == nil {
		return 0, nil
	}
	var tried []float64
	jitter = 1e-8 * scale
	for range jitterTries {
		for i := range n {
			copy(a[i*n:], given[i*n:i*n+i+1])
			a[i*n+i] += jitter
		}
		if err = linalg.Cholesky(a, n); err == nil {
			return jitter, nil
		}
		tried = append(tried, jitter)
		jitter *= 10
	}
	return 0, fmt.Errorf("gp: %w (%d×%d): %v, even with jitter %.2g on the diagonal: points are repeated or far closer than a lengthscale; drop repeats or raise the noise",
		ErrNotPositiveDefinite, n, n, err, tried)
}

// inverseBlock is the size above which inverse uses matrix products.
const inverseBlock = 64

// inverse returns (llᵀ)⁻¹ = l⁻ᵀl⁻¹ for a lower factor l (n, n), in about n³ multiplications and additions. It
// overwrites l with l⁻¹.
func inverse(ws *workspace, l []float64, n int) []float64 {
	inv, w := ws.take(n*n), general(l, n, n)
	invertLower(ws, w)
	for lo := 0; lo < n; lo += inverseBlock { // rows lo…hi of l⁻ᵀl⁻¹, to which only rows of l⁻¹ from lo on contribute
		hi := min(lo+inverseBlock, n)
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, block(w, lo, n, lo, hi), block(w, lo, n, 0, hi),
			0, block(general(inv, n, n), lo, hi, 0, hi))
	}
	mirror(inv, n)
	return inv
}

// invertLower overwrites the lower triangle of l with its inverse, recursively:
//
//	[A 0; B C]⁻¹ = [A⁻¹ 0; −C⁻¹BA⁻¹ C⁻¹]
func invertLower(ws *workspace, l blas64.General) {
	n := l.Rows
	if n <= inverseBlock {
		lapack64.Trtri(blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Stride: l.Stride, Data: l.Data})
		return
	}
	h := n / 2
	a, b, c := block(l, 0, h, 0, h), block(l, h, n, 0, h), block(l, h, n, h, n)
	invertLower(ws, a)
	invertLower(ws, c)
	t := general(ws.take((n-h)*h), n-h, h)
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
