package simd

// Add sets dst = x + y.
func Add(dst, x, y []float32) {
	mustMatch("Add", len(dst), x, y)
	add(dst, x, y)
}

func addGo(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}
