package simd

import "math"

// Sigmoid sets dst = 1/(1 + e⁻ˣ) with an error below 2.5 ulp; NaN stays NaN. With z = e^−|x| it is
// 1/(1 + z) for x ≥ 0 and z/(1 + z) otherwise, so that small results keep their digits.
func Sigmoid(dst, x []float32) {
	mustMatch("Sigmoid", len(dst), x)
	switch isa {
	case avx512:
		sigmoidAVX512(dst, x)
	case avx2:
		sigmoidAVX2(dst, x)
	default:
		sigmoidGo(dst, x)
	}
}

func sigmoidGo(dst, x []float32) {
	x = x[:len(dst)]
	for i, v := range x {
		q, scale := expm1(-math.Abs(float64(v)))
		z := (1 + q) * scale
		if v < 0 {
			dst[i] = float32(z / (1 + z))
		} else {
			dst[i] = float32(1 / (1 + z))
		}
	}
}

// SigmoidGrad adds to dx the gradient at y = Sigmoid(x), where dy is the gradient there:
//
//	dx += dy·(y − y²)
func SigmoidGrad(dx, dy, y []float32) {
	mustMatch("SigmoidGrad", len(dx), dy, y)
	switch isa {
	case avx512:
		sigmoidGradAVX512(dx, dy, y)
	case avx2:
		sigmoidGradAVX2(dx, dy, y)
	default:
		sigmoidGradGo(dx, dy, y)
	}
}

func sigmoidGradGo(dx, dy, y []float32) {
	dy, y = dy[:len(dx)], y[:len(dx)]
	for i := range dx {
		dx[i] += dy[i] * (y[i] - y[i]*y[i])
	}
}
