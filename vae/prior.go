package vae

import "math/rand/v2"

// Bounds returns the corners (d each) of the box of latents, if m has a method Bounds as Identity has. Otherwise
// bounded is false and the latent space is R^d.
func Bounds(m Model) (lower, upper []float64, bounded bool) {
	b, bounded := m.(interface {
		Bounds() (lower, upper []float64)
	})
	if bounded {
		lower, upper = b.Bounds()
	}
	return lower, upper, bounded
}

// Prior draws n latents (n, d), uniformly in the box of Bounds, or from N(0, I) if m is unbounded.
func Prior(m Model, n int, rng *rand.Rand) [][]float64 {
	lower, upper, bounded := Bounds(m)
	z := make([][]float64, n)
	for i := range z {
		z[i] = make([]float64, m.Dim())
		for j := range z[i] {
			if bounded {
				z[i][j] = lower[j] + rng.Float64()*(upper[j]-lower[j])
			} else {
				z[i][j] = rng.NormFloat64()
			}
		}
	}
	return z
}
