package invbo

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// Generator returns about n candidates: the latents (n, d) among which an acquisition chooses. InRegion, FromPrior and
// NearBest are generators.
type Generator func(ctx context.Context, n int, from Source, rng *rand.Rand) ([][]float64, error)

// Source is what a Generator starts from.
type Source struct {
	Model vae.Model
	Data  surrogate.Data // what the surrogate is fitted to

	Center       []float64 // anchor of the trust region (d); nil without one
	Length       float64   // its side, as a share of the search box: the model's bounds, or ±4σ of the prior
	Lengthscales []float64 // of the surrogate (d), if it has some: the sides follow them; nil otherwise
}

// FromPrior draws candidates from the prior, or from the box of a bounded model.
func FromPrior(_ context.Context, n int, from Source, rng *rand.Rand) ([][]float64, error) {
	return vae.Prior(from.Model, n, rng), nil
}

// bestShare is the share of the data that NearBest moves around.
const bestShare = 5

// NearBest takes half of its candidates from regions of side Length around the best fifth of the data, each around one
// of them drawn at random, and half from the prior. W-LBO's code starts half of its ascents of the acquisition there.
func NearBest(_ context.Context, n int, from Source, rng *rand.Rand) ([][]float64, error) {
	from.Lengthscales = nil
	good := stats.TopK(from.Data.Y, max(1, len(from.Data.Y)/bestShare))
	var near [][]float64
	for range n / 2 {
		from.Center = from.Data.Z[good[rng.IntN(len(good))]]
		near = append(near, moves(1, from, rng)...)
	}
	return append(near, vae.Prior(from.Model, n-len(near), rng)...), nil
}

// InRegion returns candidates of the trust region around Center: the paper's generator. Each moves from it in a random
// few dimensions, about 20 at most (TuRBO, supplement): in high dimensions a point that moves in all of them is far
// from all data.
//
// The moves are a Latin hypercube: the values of each dimension are stratified as a Sobol sequence's are;
// the random choice of dimensions would undo any more structure.
func InRegion(_ context.Context, n int, from Source, rng *rand.Rand) ([][]float64, error) {
	return moves(n, from, rng), nil
}

// moves returns n points (n, d) of the region. Where d > 20 one in e²⁰ is its center.
func moves(n int, from Source, rng *rand.Rand) [][]float64 {
	lower, upper := from.box()
	d := len(from.Center)
	p := min(1, 20/float64(d))
	points := zeros(n, d)
	for i := range points {
		copy(points[i], from.Center)
	}
	for j := range d {
		side := upper[j] - lower[j]
		for i, stratum := range rng.Perm(n) {
			u := (float64(stratum) + rng.Float64()) / float64(n)
			if rng.Float64() < p {
				points[i][j] = lower[j] + u*side
			}
		}
	}
	return points
}

// priorReach is half the side of the search box of an unbounded latent space, in deviations of the
// prior N(0, I): a region of length 1 reaches ±4σ around its anchor.
const priorReach = 4

// box returns the corners (d each) of the trust region. In a bounded space it lies within the bounds, and its
// sides follow the lengthscales at the same volume (TuRBO §2): they are long where the score is flat.
func (s Source) box() (lower, upper []float64) {
	low, high, bounded := vae.Bounds(s.Model)
	scales := evenVolume(s.Lengthscales)
	lower, upper = make([]float64, len(s.Center)), make([]float64, len(s.Center))
	for j, c := range s.Center {
		if !bounded {
			lower[j], upper[j] = c-priorReach*s.Length, c+priorReach*s.Length
			continue
		}
		half := s.Length / 2 * (high[j] - low[j])
		if len(scales) > 0 {
			half *= scales[j]
		}
		lower[j], upper[j] = max(c-half, low[j]), min(c+half, high[j])
	}
	return lower, upper
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
