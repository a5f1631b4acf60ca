package simd

// Mul sets dst = x·y, each rounded once.
func Mul(dst, x, y []float32) {
	mustMatch("Mul", len(dst), x, y)
	switch isa {
	case avx512:
		mulAVX512(dst, x, y)
	case avx2:
		mulAVX2(dst, x, y)
	default:
		mulGo(dst, x, y)
	}
}

func mulGo(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

// MulAdd adds x·y to dst, with one rounding or two.
func MulAdd(dst, x, y []float32) {
	mustMatch("MulAdd", len(dst), x, y)
	switch isa {
	case avx512:
		mulAddAVX512(dst, x, y)
	case avx2:
		mulAddAVX2(dst, x, y)
	default:
		mulAddGo(dst, x, y)
	}
}

func mulAddGo(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] += x[i] * y[i]
	}
}
