package invbo

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// FineTuning says how the VAE is updated once the search has stalled: the factors of the loss, and the data. All
// zero: the VAE stays as it is (TuRBO-L).
//
//	Lipschitz · Lip(z, y) + Surrogate · S(z, y) + ELBO · (CE + 0.1 KL) + Distance · D(z) + Guidance · G(z, y)
//
// LOL-BO (Maus et al. 2022) is {Surrogate: 1, ELBO: 1}; CoBO (Lee et al. 2023) adds Lip and D and weights points.
// W-LBO (Tripp et al. 2020) is {ELBO: 1, Ranked: true, Every: 50}; PG-LBO (Chen et al. 2024) adds G and pseudo-labels.
type FineTuning struct {
	Lipschitz float64 // pulls |Δy|/‖Δz‖ towards its median, so that f∘p becomes smooth; y is what the surrogate sees
	Surrogate float64 // the surrogate's own loss, which then also trains on the sampled latents
	ELBO      float64 // reconstruction and KL
	Distance  float64 // keeps the mean distance of latents at that of the prior
	Guidance  float64 // has the surrogate as it is, not trained on, predict y from z well
	Weighted  bool    // weight points by their probability of being among the best 5 %, of scores as the surrogate sees them

	Ranked bool // train on all of the surrogate's points, drawn by rank with replacement; not on the latest and top k
	Pseudo bool // and, from the second update on, on strings near the best with the surrogate's mean for a score
	Every  int  // update after this many oracle calls, too; 0: only when the search stalls

	// Rate is the learning rate of the update; PublishedRate. A fresh Adam moves every weight by
	// about that much in its first step, which a large decoder may not survive.
	Rate float64

	Passes int // through the data; 2, with Ranked 1
}

// String names the parts of the loss, and when there is more than a stall that calls for an update.
func (f FineTuning) String() string {
	var terms []string
	add := func(name string, ok bool) {
		if ok {
			terms = append(terms, name)
		}
	}
	weighted := f.Weighted || f.Ranked
	add("ELBO", f.ELBO != 0 && !weighted)
	add("weighted ELBO", f.ELBO != 0 && weighted)
	add("surrogate", f.Surrogate != 0)
	add("Lipschitz", f.Lipschitz != 0)
	add("distance", f.Distance != 0)
	add("pseudo-labels", f.Pseudo)
	add("guidance", f.Guidance != 0)
	if len(terms) == 0 {
		return "none"
	}
	text := strings.Join(terms, " + ")
	if f.Every > 0 {
		text += fmt.Sprintf(", every %d calls", f.Every)
	}
	return text
}

// klWeight is the weight of the KL term beside the reconstruction, in all published updates.
const klWeight = 0.1

// PublishedRate is the learning rate of an update of the VAE in all published codes: a fresh Adam takes two passes.
const PublishedRate = 1e-3

const (
	tunePasses = 2
	tuneBatch  = 64 // strings a step; the published code fits 2,560 characters in a minibatch
)

// tune takes the VAE down the loss on data and, of that weight, on pseudo-labelled strings, with latents
// sampled from the encoder.
func (f FineTuning) tune(ctx context.Context, m vae.Tunable, s surrogate.Surrogate, data, pseudo surrogate.Data, weight float64, rng *rand.Rand) error {
	rate := cmp.Or(f.Rate, PublishedRate)
	tuner := m.NewTuner(rate)
	joint, _ := s.(surrogate.Trainable) // New checks that it is one if the loss needs it
	var step func(z [][]float64, y []float64, id []int) (float64, [][]float64, error)
	if f.Surrogate != 0 {
		step = joint.Trainer(rate)
	}
	known := func(loss float64, grad [][]float64) (float64, [][]float64, error) { return loss, grad, nil }
	for _, pass := range f.passes(data.Y, rng) {
		for batch := range slices.Chunk(pass, tuneBatch) {
			xb, yb, ids := stats.Pick(data.X, batch), stats.Pick(data.Y, batch), stats.Pick(data.ID, batch)
			n := len(xb)
			w := slices.Repeat([]float64{1}, n)
			if f.Weighted {
				w = promise(yb)
			}
			latent := sumOf([]term{
				{"Lipschitz loss", f.Lipschitz, func(z [][]float64) (float64, [][]float64, error) { return known(lipschitz(z[:n], yb, w)) }},
				{"distance loss", f.Distance, func(z [][]float64) (float64, [][]float64, error) { return known(spread(z[:n])) }},
				{"surrogate's loss", f.Surrogate, func(z [][]float64) (float64, [][]float64, error) { return step(z[:n], yb, ids) }},
				{"surrogate's guidance", f.Guidance, func(z [][]float64) (float64, [][]float64, error) { return guidance(ctx, joint, z, yb) }},
			})
			each := w
			if len(pseudo.X) > 0 {
				more := stats.Pick(pseudo.X, draw(byRank(pseudo.Y), (n+1)/2, rng))
				xb = append(xb, more...)
				each = share(w, len(more), weight)
			}
			if _, err := tuner.Step(ctx, xb, each, f.ELBO, f.ELBO*klWeight, latent, rng); err != nil {
				return err
			}
		}
	}
	return nil
}

// term is a loss on latents with its factor. Its gradient may end before the last of them.
type term struct {
	name   string
	factor float64
	loss   vae.LatentLoss
}

// sumOf returns the sum of the terms that have a factor.
func sumOf(terms []term) vae.LatentLoss {
	return func(z [][]float64) (float64, [][]float64, error) {
		sum, grad := 0.0, zeros(len(z), len(z[0]))
		for _, t := range terms {
			if t.factor == 0 {
				continue
			}
			loss, g, err := t.loss(z)
			if err != nil {
				return 0, nil, fmt.Errorf("%s: %w", t.name, err)
			}
			sum += t.factor * loss
			addTo(grad, g, t.factor)
		}
		return sum, grad, nil
	}
}

// passes returns what an update goes through of points with scores y: in each pass all of them, or as many, drawn.
func (f FineTuning) passes(y []float64, rng *rand.Rand) [][]int {
	if f.Ranked {
		passes := make([][]int, cmp.Or(f.Passes, 1))
		for i := range passes {
			passes[i] = draw(byRank(y), len(y), rng)
		}
		return passes
	}
	return slices.Repeat([][]int{stats.Indices(len(y))}, cmp.Or(f.Passes, tunePasses))
}

// share returns the weights w and those of more strings behind them for a loss that is a mean over all, so
// that it is the mean over the first plus weight times the mean over the others.
func share(w []float64, more int, weight float64) []float64 {
	all := float64(len(w) + more)
	shared := make([]float64, len(w), len(w)+more)
	for i := range shared {
		shared[i] = w[i] * all / float64(len(w))
	}
	return append(shared, slices.Repeat([]float64{weight * all / float64(more)}, more)...)
}

// byRank weights scores by 1/(10⁻³n + rank), the best of rank 0, and earlier ones before others among equals:
// the distribution that W-LBO draws from (Tripp et al. 2020).
func byRank(y []float64) []float64 {
	n := float64(len(y))
	w := make([]float64, len(y))
	var sum float64
	for rank, i := range stats.TopK(y, len(y)) {
		w[i] = 1 / (1e-3*n + float64(rank))
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// draw returns n indices of the distribution p, with replacement.
func draw(p []float64, n int, rng *rand.Rand) []int {
	up := make([]float64, len(p)) // to each index
	var sum float64
	for i, v := range p {
		sum += v
		up[i] = sum
	}
	drawn := make([]int, n)
	for k := range drawn {
		i, _ := slices.BinarySearch(up, sum*rng.Float64())
		drawn[k] = min(i, len(p)-1)
	}
	return drawn
}

// promise weights scores by their chance of being among the best 5 %, with mean 1 (DbAS; CoBO §3.3):
//
//	wᵢ ∝ P(N(yᵢ, 0.1²) > y*)    y*: the 0.95 quantile of y
func promise(y []float64) []float64 {
	sorted := slices.Sorted(slices.Values(y))
	at := 0.95 * float64(len(y)-1)
	low := int(at)
	high := min(low+1, len(y)-1)
	star := sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
	w := make([]float64, len(y))
	for i := range y {
		w[i] = 0.5 * math.Erfc((star-y[i])/(0.1*math.Sqrt2))
	}
	mean := stat.Mean(w, nil)
	for i := range w {
		w[i] /= mean
	}
	return w
}

// lipschitz is CoBO's loss over all pairs, and its gradient in z (n, d):
//
//	lᵢⱼ = |yᵢ − yⱼ| / dᵢⱼ    dᵢⱼ = sqrt(‖zᵢ − zⱼ‖² + 1e-10) + 1e-10
//	mean of (lᵢⱼ − median l)·sqrt(wᵢwⱼ) where that is positive; 0 where it nowhere is
//
// The median is the lower one over all n² pairs, and the gradient flows through it, shared evenly
// among the pairs that equal it.
func lipschitz(z [][]float64, y, w []float64) (loss float64, grad [][]float64) {
	n := len(z)
	grad = zeros(n, len(z[0]))
	dist, slope := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		for j := range n {
			dist[i*n+j] = math.Sqrt(squaredDistance(z[i], z[j]) + 1e-10)
			slope[i*n+j] = math.Abs(y[i]-y[j]) / (dist[i*n+j] + 1e-10)
		}
	}
	median := slices.Sorted(slices.Values(slope))[(n*n-1)/2]
	dSlope := make([]float64, n*n)
	var active, atMedian int
	var dMedian float64
	for i := range n {
		for j := range n {
			weight := math.Sqrt(w[i] * w[j])
			if excess := (slope[i*n+j] - median) * weight; excess > 0 {
				loss += excess
				dSlope[i*n+j] = weight
				dMedian -= weight
				active++
			}
			if slope[i*n+j] == median {
				atMedian++
			}
		}
	}
	if active == 0 {
		return 0, grad
	}
	for i := range n {
		for j := range n {
			g := dSlope[i*n+j]
			if slope[i*n+j] == median {
				g += dMedian / float64(atMedian)
			}
			if g == 0 {
				continue
			}
			d := dist[i*n+j]
			g *= -slope[i*n+j] / (d + 1e-10) / d / float64(active) // ∂l/∂(z_i − z_j) is this times (z_i − z_j)
			for k := range grad[i] {
				delta := g * (z[i][k] - z[j][k])
				grad[i][k] += delta
				grad[j][k] -= delta
			}
		}
	}
	return loss / float64(active), grad
}

// spread is CoBO's latent distance loss and its gradient: |mean of dᵢⱼ − c| over all n² pairs, where c
// = 2Γ((d+1)/2)/Γ(d/2) is the expected distance of two draws from the prior N(0, I).
func spread(z [][]float64) (loss float64, grad [][]float64) {
	n, d := len(z), len(z[0])
	grad = zeros(n, d)
	var mean float64
	for i := range n {
		for j := range n {
			mean += math.Sqrt(squaredDistance(z[i], z[j])+1e-10) / float64(n*n)
		}
	}
	up, _ := math.Lgamma(float64(d+1) / 2)
	down, _ := math.Lgamma(float64(d) / 2)
	c := 2 * math.Exp(up-down)
	sign := float64(cmp.Compare(mean, c))
	for i := range n {
		for j := range n {
			g := sign / float64(n*n) / math.Sqrt(squaredDistance(z[i], z[j])+1e-10)
			for k := range d {
				delta := g * (z[i][k] - z[j][k])
				grad[i][k] += delta
				grad[j][k] -= delta
			}
		}
	}
	return math.Abs(mean - c), grad
}

// guidance is PG-LBO's loss up to a constant, and its gradient: it is small where the surrogate predicts the
// scores y of the first latents of z (n, d), and is sure of all of them. With v, the variance of an observation,
//
//	G = mean of (yᵢ − muᵢ)²/vᵢ + log vᵢ over the first, plus mean of log vⱼ over the others
//
// which is twice the surrogate's own loss. For a score that equals its prediction, only log v has a gradient.
func guidance(ctx context.Context, s surrogate.Trainable, z [][]float64, y []float64) (loss float64, grad [][]float64, err error) {
	sum, grad, err := s.Loss(z[:len(y)], y)
	if err != nil {
		return 0, nil, err
	}
	if others := z[len(y):]; len(others) > 0 {
		mu, _, err := s.Predict(ctx, surrogate.Points{Z: others})
		if err != nil {
			return 0, nil, err
		}
		more, g, err := s.Loss(others, mu)
		if err != nil {
			return 0, nil, err
		}
		sum, grad = sum+more, append(grad, g...)
	}
	addTo(grad, grad, 1) // twice
	return 2 * sum, grad, nil
}

func zeros(n, d int) [][]float64 { return stats.Rows(make([]float64, n*d), n, d) }

// addTo adds factor times src to the rows of dst, which may be more.
func addTo(dst, src [][]float64, factor float64) {
	for i := range src {
		floats.AddScaled(dst[i], factor, src[i])
	}
}
