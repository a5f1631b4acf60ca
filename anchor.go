package invbo

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/stats"
)

// An Anchor chooses, among the best points so far, the center of the next trust region: the index of a row of f.Z.
type Anchor struct {
	Name   string
	Choose func(f Field) (int, error)
}

// Values of the slot Method.Anchor. The zero value is none: the method has no trust region.
var (
	// Incumbent chooses the point with the best score, as TuRBO, LOL-BO and CoBO do.
	Incumbent = Anchor{"objective", func(f Field) (int, error) { return stats.ArgMax(f.Y), nil }}

	// RandomAnchor and Acquisition choose any of the points, or by potential alone (the paper's Fig. 10).
	RandomAnchor = Anchor{"random", func(f Field) (int, error) { return f.Rand.IntN(len(f.Z)), nil }}
	Acquisition  = Anchor{"acquisition", byPotential(func(_, a []float64) []float64 { return a })}

	PotentialAware = Anchor{"pas", byPotential(addScaled)}
)

// Field is what an Anchor sees: the top k points, and what the surrogate makes of their surroundings.
type Field struct {
	Z [][]float64 // latents (k, d), best first
	Y []float64   // their scores, larger is better; not transformed, as in Eq. 8 and 9

	// Potential returns Eq. 7: for each point, the greatest value that one function drawn from the
	// surrogate's posterior takes on candidates in the trust region around it.
	Potential func() ([]float64, error)
	Rand      *rand.Rand
}

// byPotential chooses the point with the greatest value of rank, given scores and potentials.
func byPotential(rank func(y, a []float64) []float64) func(Field) (int, error) {
	return func(f Field) (int, error) {
		a, err := f.Potential()
		if err != nil {
			return 0, err
		}
		return stats.ArgMax(rank(f.Y, a)), nil
	}
}

// addScaled is PAS, Algorithm 2: the scores plus the potentials, scaled to the range of the scores (Eq. 8 and 9):
//
//	sᵢ = yᵢ + (aᵢ − min a)/(max a − min a) · (max y − min y)
//
// If all potentials are equal, the score decides.
func addScaled(y, a []float64) []float64 {
	s := slices.Clone(y)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range a {
		if !math.IsInf(v, -1) { // a region whose candidates all decode to nothing has no place on the scale
			low, high = min(low, v), max(high, v)
		}
	}
	scale := 0.0
	if high > low {
		scale = (slices.Max(y) - slices.Min(y)) / (high - low)
	}
	for i, v := range a {
		s[i] += max(v-low, 0) * scale
	}
	return s
}
