package invbo

import (
	"math"
	"math/rand/v2"
	"slices"
)

// An AnchorRule chooses, among the best points so far, the one that the next trust region lies around.
// It returns the index of the chosen row of f.Z.
type AnchorRule func(f Field) (int, error)

// Field is what an AnchorRule sees: the top k points, and what the surrogate makes of their surroundings.
type Field struct {
	Z [][]float64 // latents (k, d), best first
	Y []float64   // their scores in the surrogate's units, larger is better

	// Potential returns Eq. 7: for each point, the greatest value that one function drawn from the
	// surrogate's posterior takes on candidates in the trust region around it.
	Potential func() ([]float64, error)
	Rand      *rand.Rand
}

// Incumbent chooses the point with the best score, as TuRBO, LOL-BO and CoBO do.
func Incumbent(f Field) (int, error) { return argmax(f.Y), nil }

// RandomAnchor chooses any of the points (the paper's Fig. 10, "random").
func RandomAnchor(f Field) (int, error) { return f.Rand.IntN(len(f.Z)), nil }

// Acquisition chooses by potential alone (the paper's Fig. 10, "acquisition").
func Acquisition(f Field) (int, error) {
	a, err := f.Potential()
	if err != nil {
		return 0, err
	}
	return argmax(a), nil
}

// PotentialAware is PAS, Algorithm 2: it chooses by score plus potential, the potential scaled to the
// range of the scores (Eq. 8 and 9):
//
//	sᵢ = yᵢ + (aᵢ − min a)/(max a − min a) · (max y − min y)
//
// If all potentials are equal they say nothing, and the score decides.
func PotentialAware(f Field) (int, error) {
	a, err := f.Potential()
	if err != nil {
		return 0, err
	}
	return argmax(addScaled(f.Y, a)), nil
}

func addScaled(y, a []float64) []float64 {
	s := slices.Clone(y)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range a {
		if !math.IsInf(v, -1) { // a region without a string promises nothing, and has no place on the scale
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

func argmax(v []float64) int {
	best := 0
	for i, x := range v {
		if x > v[best] {
			best = i
		}
	}
	return best
}
