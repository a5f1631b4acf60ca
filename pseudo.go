package invbo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
)

// PG-LBO's constants (Chen et al. 2024), but for the number of samples: its 10,000 feed epochs on a GPU,
// and an update here draws some hundreds.
const (
	pseudoSeeds   = 100
	pseudoSamples = 500
	pseudoNoise   = 0.1 // in a box around the latents whose sides are 1
	boxMargin     = 0.05
)

// pseudoLabels returns strings without a score, with the surrogate's mean for a score: what latents
// near those of the best points decode to, where the surrogate is surer than its threshold.
func (o *Optimizer) pseudoLabels(ctx context.Context, books study.Ledger, rng *rand.Rand) (found surrogate.Data, _ error) {
	set := slices.DeleteFunc(o.window(), func(i int) bool { return o.points[i].Z == nil })
	if len(set) == 0 { // all of the best were told since the last alignment
		return found, nil
	}
	_, known := o.columns(set)
	seeds := stats.TopK(o.data(set).Y, pseudoSeeds)
	side := sides(known)
	z := zeros(pseudoSamples, o.model.Dim())
	for i := range z {
		for j, v := range known[seeds[i%len(seeds)]] {
			z[i][j] = v + pseudoNoise*side[j]*rng.NormFloat64()
		}
	}
	at := surrogate.Points{Z: z}
	if err := o.read(ctx, &at); err != nil {
		return found, err
	}
	if at.X != nil { // without those that decode to nothing
		some := slices.DeleteFunc(stats.Indices(len(at.X)), func(i int) bool { return at.X[i] == "" })
		at = surrogate.Points{Z: stats.Pick(at.Z, some), X: stats.Pick(at.X, some)}
	}
	if len(at.Z) == 0 {
		return found, nil
	}
	mu, sigma2, err := o.surrogate.Predict(ctx, at)
	if err != nil {
		return found, fmt.Errorf("predict %d samples: %w", len(at.Z), err)
	}
	o.state.Threshold = o.state.Threshold.next(sigma2)
	sure := slices.DeleteFunc(stats.TopK(mu, len(mu)), func(i int) bool { return sigma2[i] > float64(o.state.Threshold) })
	x := map[int]string{} // by sample
	for i, s := range at.X {
		x[i] = s
	}
	if err := o.decode(ctx, at.Z, [][]int{sure}, len(sure), x); err != nil {
		return found, err
	}
	seen := map[string]bool{"": true} // by what the oracle reads
	for _, i := range sure {
		e := books.Lookup(x[i])
		if e.State.Open() && !seen[e.Input] {
			seen[e.Input] = true
			found.X, found.Y = append(found.X, x[i]), append(found.Y, mu[i])
		}
	}
	return found, nil
}

// sides returns the sides of the box that holds the latents z (n, d), with a margin.
func sides(z [][]float64) []float64 {
	side := make([]float64, len(z[0]))
	for j := range side {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range z {
			low, high = min(low, z[i][j]), max(high, z[i][j])
		}
		side[j] = (1 + 2*boxMargin) * (high - low)
	}
	return side
}

// threshold is the posterior variance up to which PG-LBO trusts a pseudo-label. It follows the mean variance
// of each update's samples, and is that of the first to begin with; 0: there was none.
type threshold float64

func (t threshold) next(variance []float64) threshold {
	mean := threshold(stat.Mean(variance, nil))
	if t == 0 {
		return mean
	}
	return 0.9*t + 0.1*mean
}

// pseudoWeight is the weight of pseudo-labelled strings beside the others, in the update after so many: there
// are none in the first, and they count more and more.
func pseudoWeight(updates int) float64 {
	if updates == 0 {
		return 0
	}
	return min(0.1*math.Pow(1.3, float64(updates-1)), 0.75)
}
