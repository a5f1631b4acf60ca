package simd

// MulAdd sets dst = dst + x·y, with one or two roundings.
func MulAdd(dst, x, y []float32) {
	mustMatch("MulAdd", len(dst), x, y)
	mulAdd(dst, x, y)
}

func mulAddGo(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] += x[i] * y[i]
	}
}
