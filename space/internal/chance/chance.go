// Package chance says what strings have in common by chance, and what they do not: then it is wanted.
package chance

import "math"

const (
	NearlyAll = 0.9   // of the strings have something: one in ten may be another thing, as a reference compound
	Max       = 0.001 // greatest chance of what is not taken for chance
)

// Rare reports whether n strings that were not chosen for it would hardly ever all have something that a share of all
// strings has.
func Rare(share float64, n int) bool { return math.Pow(share, float64(n)) < Max }
