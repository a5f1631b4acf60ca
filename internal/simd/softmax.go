package simd

import "math"

// Softmax sets dst to the softmax of one row x of logits and returns their log-sum-exp:
//
//	dstᵢ = exp(xᵢ − max x) / Σⱼ exp(xⱼ − max x)    logSumExp = max x + log Σⱼ exp(xⱼ − max x)
//
// Finite x do not overflow, and −Inf gives 0. The result is NaN if an x is NaN or +Inf, or if all are −Inf.
func Softmax(dst, x []float32) (logSumExp float32) {
	mustMatch("Softmax", len(dst), x)
	m := Max(x)
	sum := expSum(dst, x, m)
	Scale(1/sum, dst)
	return m + float32(math.Log(float64(sum)))
}

// Exp sets dst = eˣ with an error below 1.1 ulp, including denormal results. NaN gives NaN, −Inf gives 0, and overflow
// gives +Inf.
func Exp(dst, x []float32) {
	mustMatch("Exp", len(dst), x)
	expSum(dst, x, 0)
}

// expSumGo sets dst = exp(x − m) and returns its sum. The error of exp, given the rounded difference, is below 1.1 ulp,
// including denormal results. NaN gives NaN, −Inf gives 0, and overflow gives +Inf.
func expSumGo(dst, x []float32, m float32) float32 {
	x = x[:len(dst)]
	var sum float32
	for i, v := range x {
		q, scale := expm1(float64(v - m))
		dst[i] = float32((1 + q) * scale)
		sum += dst[i]
	}
	return sum
}

// AddLayerNorm normalizes the rows of s = x + y (Ba et al. 2016), which are (len(rstds), n) with n = len(gamma):
//
//	dst = xhat·gamma + beta    xhat = (s − mean)·rstd    mean = Σsᵢ/n    rstd = 1/√(Σ(sᵢ − mean)²/n + eps)
//
// It sets dst, and xhat and rstds for LayerNormGrad.
func AddLayerNorm(dst, xhat, rstds, x, y, gamma, beta []float32, eps float32) {
	mustMatch("AddLayerNorm", len(gamma), beta)
	mustMatch("AddLayerNorm", len(rstds)*len(gamma), dst, xhat, x, y)
	share := 1 / float32(len(gamma))
	addLayerNorm(dst, xhat, rstds, x, y, gamma, beta, share, eps)
}

func addLayerNormGo(dst, xhat, rstds, x, y, gamma, beta []float32, share, eps float32) {
	n := len(gamma)
	for i := range rstds {
		dst, s := dst[i*n:][:n], xhat[i*n:][:n]
		addGo(s, x[i*n:][:n], y[i*n:][:n])
		mean := sumGo(s) * share
		var squares float32
		for j := range s {
			s[j] -= mean
			squares += s[j] * s[j]
		}
		rstd := 1 / float32(math.Sqrt(float64(squares*share+eps)))
		rstds[i] = rstd
		for j := range s {
			s[j] *= rstd
			dst[j] = s[j]*gamma[j] + beta[j]
		}
	}
}

// LayerNormGrad sets ds to the gradient of s in AddLayerNorm, given the gradient dy of its result:
//
//	ds = rstd·(g − Σg/n − xhat·Σ(g·xhat)/n)    g = dy·gamma
func LayerNormGrad(ds, xhat, rstds, dy, gamma []float32) {
	mustMatch("LayerNormGrad", len(rstds)*len(gamma), ds, xhat, dy)
	share := 1 / float32(len(gamma))
	layerNormGrad(ds, xhat, rstds, dy, gamma, share)
}

func layerNormGradGo(ds, xhat, rstds, dy, gamma []float32, share float32) {
	n := len(gamma)
	for i, rstd := range rstds {
		ds, xhat, dy := ds[i*n:][:n], xhat[i*n:][:n], dy[i*n:][:n]
		var sum, dot float32
		for j, d := range dy {
			g := d * gamma[j]
			sum += g
			dot += g * xhat[j]
		}
		sum, dot = sum*share, dot*share
		for j, d := range dy {
			ds[j] = rstd * (d*gamma[j] - sum - xhat[j]*dot)
		}
	}
}
