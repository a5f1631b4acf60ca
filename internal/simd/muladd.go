package simd

// MulAdd sets dst = dst + x·y, with one or two roundings.
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
