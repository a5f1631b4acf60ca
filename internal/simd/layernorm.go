package simd

import "math"

// LayerNorm normalizes one row (Ba et al. 2016) and returns what LayerNormGrad needs:
//
//	dst = (x − mean)·rstd·gamma + beta    mean = Σxᵢ/n    rstd = 1/√(Σ(xᵢ − mean)²/n + eps)
func LayerNorm(dst, x, gamma, beta []float32, eps float32) (mean, rstd float32) {
	n := len(dst)
	mustMatch("LayerNorm", n, x, gamma, beta)
	mean = Sum(x) / float32(n)
	switch isa {
	case avx512:
		rstd = reciprocalDeviation(centeredSquaresAVX512(x, mean), n, eps)
		normalizeAVX512(dst, x, gamma, beta, mean, rstd)
	case avx2:
		rstd = reciprocalDeviation(centeredSquaresAVX2(x, mean), n, eps)
		normalizeAVX2(dst, x, gamma, beta, mean, rstd)
	default:
		rstd = reciprocalDeviation(centeredSquaresGo(x, mean), n, eps)
		normalizeGo(dst, x, gamma, beta, mean, rstd)
	}
	return mean, rstd
}

func reciprocalDeviation(sumSquares float32, n int, eps float32) float32 {
	return float32(1 / math.Sqrt(float64(sumSquares)/float64(n)+float64(eps)))
}

// centeredSquaresGo returns Σ(xᵢ − mean)².
func centeredSquaresGo(x []float32, mean float32) float32 {
	var s float32
	for _, v := range x {
		s += (v - mean) * (v - mean)
	}
	return s
}

func normalizeGo(dst, x, gamma, beta []float32, mean, rstd float32) {
	x, gamma, beta = x[:len(dst)], gamma[:len(dst)], beta[:len(dst)]
	for i := range dst {
		dst[i] = (x[i]-mean)*rstd*gamma[i] + beta[i]
	}
}

// LayerNormGrad adds to dx, dgamma and dbeta the gradients of LayerNorm's operands, where dy is the
// gradient at its result. With xhat = (x − mean)·rstd and g = dy·gamma they are
//
//	dx += rstd·(g − Σg/n − xhat·Σ(g·xhat)/n)    dgamma += dy·xhat    dbeta += dy
func LayerNormGrad(dx, dgamma, dbeta, dy, x, gamma []float32, mean, rstd float32) {
	n := float32(len(dx))
	mustMatch("LayerNormGrad", len(dx), dgamma, dbeta, dy, x, gamma)
	switch isa {
	case avx512:
		sum, dot := layerNormSumsAVX512(dy, x, gamma, mean, rstd)
		layerNormGradAVX512(dx, dgamma, dbeta, dy, x, gamma, mean, rstd, sum/n, dot/n)
	case avx2:
		sum, dot := layerNormSumsAVX2(dy, x, gamma, mean, rstd)
		layerNormGradAVX2(dx, dgamma, dbeta, dy, x, gamma, mean, rstd, sum/n, dot/n)
	default:
		sum, dot := layerNormSumsGo(dy, x, gamma, mean, rstd)
		layerNormGradGo(dx, dgamma, dbeta, dy, x, gamma, mean, rstd, sum/n, dot/n)
	}
}

// layerNormSumsGo returns Σg and Σ(g·xhat).
func layerNormSumsGo(dy, x, gamma []float32, mean, rstd float32) (sum, dot float32) {
	x, gamma = x[:len(dy)], gamma[:len(dy)]
	for i := range dy {
		g := dy[i] * gamma[i]
		sum += g
		dot += g * ((x[i] - mean) * rstd)
	}
	return sum, dot
}

// layerNormGradGo is LayerNormGrad, given meanG = Σg/n and meanGX = Σ(g·xhat)/n.
func layerNormGradGo(dx, dgamma, dbeta, dy, x, gamma []float32, mean, rstd, meanG, meanGX float32) {
	dgamma, dbeta = dgamma[:len(dx)], dbeta[:len(dx)]
	dy, x, gamma = dy[:len(dx)], x[:len(dx)], gamma[:len(dx)]
	for i := range dx {
		xhat := (x[i] - mean) * rstd
		dx[i] += rstd * (dy[i]*gamma[i] - meanG - xhat*meanGX)
		dgamma[i] += dy[i] * xhat
		dbeta[i] += dy[i]
	}
}
