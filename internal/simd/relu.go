package simd

// ReLU sets dst = max(x, 0); NaN stays NaN.
func ReLU(dst, x []float32) {
	mustMatch("ReLU", len(dst), x)
	switch isa {
	case avx512:
		reluAVX512(dst, x)
	case avx2:
		reluAVX2(dst, x)
	default:
		reluGo(dst, x)
	}
}

func reluGo(dst, x []float32) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] = max(v, 0)
	}
}

// ReLUGrad adds to dx the gradient at y = ReLU(x), where dy is the gradient there:
//
//	dx += dy where y > 0
func ReLUGrad(dx, dy, y []float32) {
	mustMatch("ReLUGrad", len(dx), dy, y)
	switch isa {
	case avx512:
		reluGradAVX512(dx, dy, y)
	case avx2:
		reluGradAVX2(dx, dy, y)
	default:
		reluGradGo(dx, dy, y)
	}
}

func reluGradGo(dx, dy, y []float32) {
	dy, y = dy[:len(dx)], y[:len(dx)]
	for i := range dx {
		if y[i] > 0 {
			dx[i] += dy[i]
		}
	}
}
