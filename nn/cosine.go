package nn

import "math"

// Cosine returns the learning rate at step, annealed from lr at step 0 to 0 at steps (Loshchilov & Hutter 2017,
// Eq. 5, without restarts).
func Cosine(lr float64, step, steps int) float64 {
	return lr * 0.5 * (1 + math.Cos(math.Pi*float64(step)/float64(steps)))
}
