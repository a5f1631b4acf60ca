package simd

import "math"

// ReLU sets dst = max(x, 0). NaN gives NaN.
func ReLU(dst, x []float32) {
	mustMatch("ReLU", len(dst), x)
	relu(dst, x)
}

func reluGo(dst, x []float32) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] = max(v, 0)
	}
}

// ReLUGrad replaces dy, the gradient of y = ReLU(x), by the gradient of x: it sets dy to 0 where y is not positive.
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
