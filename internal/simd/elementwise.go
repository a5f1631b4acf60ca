package simd

import "math"

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
func Scale(alpha float32, x []float32) { scale(alpha, x) }

func scaleGo(alpha float32, x []float32) {
	for i := range x {
		x[i] *= alpha
	}
}

// ReLUGrad replaces dy, the gradient of y = max(x, 0), by the gradient of x: it sets dy to 0 where y is not positive.
func ReLUGrad(dy, y []float32) {
	mustMatch("ReLUGrad", len(dy), y)
	reluGrad(dy, y)
}

// reluGradGo is branch-free, as branches on activity are unpredictable.
func reluGradGo(dy, y []float32) {
	y = y[:len(dy)]
	for i, v := range y {
		bits := math.Float32bits(dy[i])
		if !(v > 0) {
			bits = 0
		}
		dy[i] = math.Float32frombits(bits)
	}
}
