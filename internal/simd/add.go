package simd

// Add sets dst = x + y.
func Add(dst, x, y []float32) {
	mustMatch("Add", len(dst), x, y)
	switch isa {
	case avx512:
		addAVX512(dst, x, y)
	case avx2:
		addAVX2(dst, x, y)
	default:
		addGo(dst, x, y)
	}
}

func addGo(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}
