package simd

import "math"

// Tanh sets dst = tanh x with an error below 2.5 ulp; NaN stays NaN. With t = e^2|x| − 1 it is
//
//	tanh |x| = t / (t + 2)
//
// which loses no digits near 0.
func Tanh(dst, x []float32) {
	mustMatch("Tanh", len(dst), x)
	switch isa {
	case avx512:
		tanhAVX512(dst, x)
	case avx2:
		tanhAVX2(dst, x)
	default:
		tanhGo(dst, x)
	}
}

func tanhGo(dst, x []float32) {
	x = x[:len(dst)]
	for i, v := range x {
		q, scale := expm1(2 * math.Abs(float64(v)))
		t := q*scale + (scale - 1)
		dst[i] = float32(math.Copysign(t/(t+2), float64(v)))
	}
}

// TanhGrad adds to dx the gradient at y = tanh x, where dy is the gradient there:
//
//	dx += dy·(1 − y²)
func TanhGrad(dx, dy, y []float32) {
	mustMatch("TanhGrad", len(dx), dy, y)
	switch isa {
	case avx512:
		tanhGradAVX512(dx, dy, y)
	case avx2:
		tanhGradAVX2(dx, dy, y)
	default:
		tanhGradGo(dx, dy, y)
	}
}

func tanhGradGo(dx, dy, y []float32) {
	dy, y = dy[:len(dx)], y[:len(dx)]
	for i := range dx {
		dx[i] += dy[i] * (1 - y[i]*y[i])
	}
}
