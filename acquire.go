package invbo

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// box is an axis-parallel part of the latent space.
type box struct{ lower, upper []float64 }

// priorReach is half the side of the search box of an unbounded latent space, in deviations of the
// prior N(0, I): a trust region of length 1 reaches ±4σ around its anchor.
const priorReach = 4

// around returns the trust region of the given length around center. With bounds it lies within them,
// and the sides follow the surrogate's lengthscales at the same volume (TuRBO §2): long where f is flat.
func around(center []float64, length float64, bounds *box, lengthscales []float64) box {
	d := len(center)
	b := box{make([]float64, d), make([]float64, d)}
	for j, c := range center {
		if bounds == nil {
			b.lower[j], b.upper[j] = c-priorReach*length, c+priorReach*length
			continue
		}
		half := length / 2 * (bounds.upper[j] - bounds.lower[j])
		if lengthscales != nil {
			half *= lengthscales[j]
		}
		b.lower[j] = max(c-half, bounds.lower[j])
		b.upper[j] = min(c+half, bounds.upper[j])
	}
	return b
}

// evenVolume scales lengthscales to a geometric mean of 1.
func evenVolume(lengthscales []float64) []float64 {
	var sum float64
	for _, l := range lengthscales {
		sum += math.Log(l)
	}
	mean := math.Exp(sum / float64(len(lengthscales)))
	even := make([]float64, len(lengthscales))
	for j, l := range lengthscales {
		even[j] = l / mean
	}
	return even
}

// candidates returns n points (n, d) of the box b. Each moves from center in a random few dimensions,
// about 20 at most (TuRBO, supplement): in high dimensions a point that moves in all of them is far
// from everything known.
//
// The moves are a Latin hypercube: every dimension's values are stratified as a Sobol sequence's are,
// and the random choice of dimensions would undo more structure than that.
func candidates(n int, b box, center []float64, rng *rand.Rand) [][]float64 {
	d := len(center)
	p := min(1, 20/float64(d))
	points := make([][]float64, n)
	flat := make([]float64, n*d)
	moved := make([]bool, n)
	for i := range points {
		points[i] = flat[i*d : (i+1)*d : (i+1)*d]
		copy(points[i], center)
	}
	for j := range d {
		side := b.upper[j] - b.lower[j]
		for i, stratum := range rng.Perm(n) {
			u := (float64(stratum) + rng.Float64()) / float64(n)
			if rng.Float64() < p {
				points[i][j] = b.lower[j] + u*side
				moved[i] = true
			}
		}
	}
	for i, ok := range moved {
		if !ok {
			j := rng.IntN(d)
			points[i][j] = b.lower[j] + rng.Float64()*(b.upper[j]-b.lower[j])
		}
	}
	return points
}

// Candidates returns n points (n, d) of the region around center, in an unbounded latent space.
func (r Region) Candidates(n int, center []float64, rng *rand.Rand) [][]float64 {
	return candidates(n, around(center, r.Length, nil, nil), center, rng)
}

// thompson lets each draw of the surrogate's function, in turn, pick the first candidate of its ranking
// that no earlier draw has picked and that passes ok. rankings (k, depth) are candidates, best first. It
// returns the picks; fewer than k if a ranking holds none.
func thompson(rankings [][]int, ok func(i int) bool) []int {
	var picks []int
	taken := map[int]bool{}
	for _, ranking := range rankings {
		for _, i := range ranking {
			if !taken[i] && ok(i) {
				taken[i] = true
				picks = append(picks, i)
				break
			}
		}
	}
	return picks
}

// best returns the indices of the k greatest values, greatest first, earlier ones first among equals.
func best(v []float64, k int) []int {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v[b], v[a]) })
	return order[:min(k, len(order))]
}
