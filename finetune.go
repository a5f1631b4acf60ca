package invbo

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/vae"
)

// FineTuning holds the factors of the loss that updates the VAE on the latest and the best points once
// the search has stalled. All zero: the VAE stays as it is (TuRBO-L).
//
//	Lipschitz · Lip(z, y) + Surrogate · S(z, y) + ELBO · (CE + 0.1 KL) + Distance · D(z)
//
// LOL-BO (Maus et al. 2022) is {Surrogate: 1, ELBO: 1}; CoBO (Lee et al. 2023) adds Lip and D and weights points.
type FineTuning struct {
	Lipschitz float64 // pulls |Δy|/‖Δz‖ towards its median, so that f∘p becomes smooth
	Surrogate float64 // the surrogate's own loss, which then also trains on the sampled latents
	ELBO      float64 // reconstruction and KL
	Distance  float64 // keeps the mean distance of latents at that of the prior
	Weighted  bool    // weight points by their probability of being among the best 5 %

	// Rate is the learning rate of the update; 10⁻³, as published. A fresh Adam moves every weight by
	// about that much in its first step, which a large decoder may not survive.
	Rate float64
}

// String names the parts of the loss.
func (f FineTuning) String() string {
	var terms []string
	for _, t := range []struct {
		name   string
		factor float64
	}{{"ELBO", f.ELBO}, {"surrogate", f.Surrogate}, {"Lipschitz", f.Lipschitz}, {"distance", f.Distance}} {
		if t.factor != 0 {
			terms = append(terms, t.name)
		}
	}
	if len(terms) == 0 {
		return "none"
	}
	return strings.Join(terms, " + ")
}

// klWeight is the weight of the KL term beside the reconstruction, in all published updates.
const klWeight = 0.1

// tuneEpochs and publishedRate: two passes of a fresh Adam at 10⁻³ an update, as published.
const (
	tuneEpochs    = 2
	publishedRate = 1e-3
	tuneBatch     = 64 // strings a step; the published code fits 2,560 characters in a minibatch
)

// tune takes the VAE down the loss on strings x with scores y (larger is better) and latents sampled
// from the encoder.
func (f FineTuning) tune(ctx context.Context, m vae.Tunable, s Surrogate, x []string, y []float64, rng *rand.Rand) error {
	rate := cmp.Or(f.Rate, publishedRate)
	tuner := m.NewTuner(rate)
	var step func(z [][]float64, y []float64) (float64, [][]float64, error)
	if f.Surrogate != 0 {
		joint, ok := s.(trainable)
		if !ok {
			return fmt.Errorf("this surrogate (%T) cannot be trained with the VAE", s)
		}
		step = joint.Trainer(rate)
	}
	for range tuneEpochs {
		for lo := 0; lo < len(x); lo += tuneBatch {
			hi := min(lo+tuneBatch, len(x))
			xb, yb := x[lo:hi], y[lo:hi]
			w := make([]float64, hi-lo)
			for i := range w {
				w[i] = 1
			}
			if f.Weighted {
				w = promise(yb)
			}
			latent := func(z [][]float64) (float64, [][]float64, error) {
				sum, grad := 0.0, zeros(len(z), m.Dim())
				if f.Lipschitz != 0 {
					loss, g := lipschitz(z, yb, w)
					sum += f.Lipschitz * loss
					addTo(grad, g, f.Lipschitz)
				}
				if f.Distance != 0 {
					loss, g := spread(z)
					sum += f.Distance * loss
					addTo(grad, g, f.Distance)
				}
				if f.Surrogate != 0 {
					loss, g, err := step(z, yb)
					if err != nil {
						return 0, nil, fmt.Errorf("surrogate's loss: %w", err)
					}
					sum += f.Surrogate * loss
					addTo(grad, g, f.Surrogate)
				}
				return sum, grad, nil
			}
			if _, err := tuner.Step(ctx, xb, w, f.ELBO, f.ELBO*klWeight, latent, rng); err != nil {
				return err
			}
		}
	}
	return nil
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

func squaredDistance(a, b []float64) float64 {
	var sum float64
	for k := range a {
		sum += (a[k] - b[k]) * (a[k] - b[k])
	}
	return sum
}

func zeros(n, d int) [][]float64 {
	flat := make([]float64, n*d)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = flat[i*d : (i+1)*d : (i+1)*d]
	}
	return rows
}

func addTo(dst, src [][]float64, factor float64) {
	for i := range dst {
		for k := range dst[i] {
			dst[i][k] += factor * src[i][k]
		}
	}
}
