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

// Exp sets dst = eˣ with an error below 1.1 ulp, including denormal results. NaN gives NaN, −Inf gives 0, and overflow gives +Inf.
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
