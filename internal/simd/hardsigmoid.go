package simd

// HardSigmoid sets dst = min(max(0.2x + 0.5, 0), 1), as Keras 2 defines it; NaN stays NaN.
func HardSigmoid(dst, x []float32) {
	mustMatch("HardSigmoid", len(dst), x)
	switch isa {
	case avx512:
		hardSigmoidAVX512(dst, x)
	case avx2:
		hardSigmoidAVX2(dst, x)
	default:
		hardSigmoidGo(dst, x)
	}
}

func hardSigmoidGo(dst, x []float32) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] = min(max(0.2*v+0.5, 0), 1)
	}
}

// HardSigmoidGrad adds to dx the gradient at y = HardSigmoid(x), where dy is the gradient there:
//
//	dx += 0.2·dy where 0 < y < 1
func HardSigmoidGrad(dx, dy, y []float32) {
	mustMatch("HardSigmoidGrad", len(dx), dy, y)
	switch isa {
	case avx512:
		hardSigmoidGradAVX512(dx, dy, y)
	case avx2:
		hardSigmoidGradAVX2(dx, dy, y)
	default:
		hardSigmoidGradGo(dx, dy, y)
	}
}

func hardSigmoidGradGo(dx, dy, y []float32) {
	dy, y = dy[:len(dx)], y[:len(dx)]
	for i := range dx {
		if 0 < y[i] && y[i] < 1 {
			dx[i] += 0.2 * dy[i]
		}
	}
}
