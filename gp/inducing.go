package gp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/invbo/invbo/internal/simd"
)

// inducing returns the indices of at most m rows of x (n, d), divided by the lengthscale, chosen by greedy conditional
// variance (Burt et al. 2020, §4), that is by a pivoted Cholesky: each is the row where the function has the largest
// variance given those before. It stops when that is at most tolerance, as a share of the prior variance, so that
// repeats are not chosen. It chooses at least one row.
func inducing(x []float64, n, d, m int, tolerance float64) []int {
	left := make([]float64, n) // variance given the rows chosen
	for i := range left {
		left[i] = 1
	}
	norms := squaredNorms(x, n, d)
	factor := make([]float64, 0, m*n) // (chosen, n)
	column := make([]float64, m)
	var chosen []int
	for len(chosen) < m {
		best := 0
		for i, v := range left {
			if v > left[best] {
				best = i
			}
		}
		if left[best] <= tolerance && len(chosen) > 0 {
			break
		}
		k := len(chosen)
		factor = factor[:(k+1)*n]
		row := factor[k*n:]
		blas64.Gemv(blas.NoTrans, 1, general(x, n, d), vector(x[best*d:(best+1)*d]), 0, vector(row))
		for i, v := range row {
			row[i] = math.Min(0, v-(norms[i]+norms[best])/2)
		}
		simd.Exp64(row, row)
		if k > 0 {
			for j := range k {
				column[j] = -factor[j*n+best]
			}
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, general(column, 1, k), general(factor, k, n), 1, general(row, 1, n)) // faster than Gemv
		}
		blas64.Scal(1/math.Sqrt(left[best]), vector(row))
		for i, v := range row {
			left[i] -= v * v
		}
		left[best] = 0 // exactly, so that no row is chosen twice
		chosen = append(chosen, best)
	}
	return chosen
}
