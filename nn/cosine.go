package nn

import "math"

// Cosine returns the learning rate at step of steps in all, which falls from lr to 0 along half a cosine
// (Loshchilov & Hutter 2017, Eq. 5, without restarts).
func Cosine(lr float64, step, steps int) float64 {
	return lr * 0.5 * (1 + math.Cos(math.Pi*float64(step)/float64(steps)))
}
