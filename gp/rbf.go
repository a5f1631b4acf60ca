package gp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// rbfGrain is the least number of exponentials for which a goroutine pays off.
const rbfGrain = 1 << 14

// rbf sets k (n, m) to the squared-exponential kernel between the rows of x (n, d) and z (m, d), both
// already divided by the lengthscale:
//
//	k(x, z) = outputscale · exp(−½‖x − z‖²)    Rasmussen & Williams 2006, (4.9)
//
// ‖x − z‖² is computed as ‖x‖² + ‖z‖² − 2xᵀz, by a matrix product. This loses digits if points are much closer to each
// other than to the origin: k has an error of about 2⁻⁵²·‖x‖² of the outputscale. Up to ‖x‖ = 10⁴ the jitter of
// covariances covers it; from 10⁶ on they may not be positive definite. log outputscale is added to the exponent, which
// saves a pass.
func rbf(k, x, z []float64, n, m, d int, outputscale float64) {
	mul(blas.NoTrans, blas.Trans, n, m, d, x, z, k)
	xx, zz := squaredNorms(x, n, d), squaredNorms(z, m, d)
	top := math.Log(outputscale)
	parallel.For(n, 1+rbfGrain/m, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := k[i*m : (i+1)*m]
			for j, xz := range row {
				e := xz - (xx[i]+zz[j])/2
				if e > 0 {
					e = 0
				}
				row[j] = e + top
			}
			simd.Exp64(row, row)
		}
	})
}

// covariance returns the kernel (m, m) between the rows of z (m, d), plus add on the diagonal.
func covariance(w *workspace, z []float64, m, d int, outputscale, add float64) []float64 {
	k := w.take(m * m)
	rbf(k, z, z, m, m, d, outputscale)
	for i := range m {
		k[i*m+i] = outputscale + add
	}
	return k
}

// rbfGrad adds to dx (n, d) and dz (m, d) the gradient of a loss with respect to the scaled points. w (n, m) is the
// gradient with respect to the kernel, multiplied element by element by the kernel. It returns the sum of w.
//
//	∂/∂xᵢ = Σⱼ wᵢⱼ(zⱼ − xᵢ)    ∂/∂zⱼ = Σᵢ wᵢⱼ(xᵢ − zⱼ)
func rbfGrad(ws *workspace, dx, dz, w, x, z []float64, n, m, d int) (total float64) {
	wz, wx, columns := ws.take(n*d), ws.take(m*d), ws.zeros(m)
	mul(blas.NoTrans, blas.NoTrans, n, d, m, w, z, wz)
	mul(blas.Trans, blas.NoTrans, m, d, n, w, x, wx)
	for i := range n {
		row := w[i*m : (i+1)*m]
		sum := floats.Sum(row)
		total += sum
		floats.Add(columns, row)
		for k := i * d; k < (i+1)*d; k++ {
			dx[k] += wz[k] - sum*x[k]
		}
	}
	for j, sum := range columns {
		for k := j * d; k < (j+1)*d; k++ {
			dz[k] += wx[k] - sum*z[k]
		}
	}
	return total
}

func squaredNorms(x []float64, n, d int) []float64 {
	s := make([]float64, n)
	for i := range s {
		row := x[i*d : (i+1)*d]
		s[i] = dot(row, row)
	}
	return s
}
