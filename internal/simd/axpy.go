package simd

// Axpy sets y = y + alpha·x, with one or two roundings.
func Axpy(alpha float32, x, y []float32) {
	mustMatch("Axpy", len(y), x)
	axpy(alpha, x, y)
}

func axpyGo(alpha float32, x, y []float32) {
	x = x[:len(y)]
	for i := range y {
		y[i] += alpha * x[i]
	}
}

// Scale sets x = alpha·x.
func Scale(alpha float32, x []float32) {
	scale(alpha, x)
}

func scaleGo(alpha float32, x []float32) {
	for i := range x {
		x[i] *= alpha
	}
}
