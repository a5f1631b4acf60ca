package analysis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/surrogate"
)

// Prediction is the prediction of an Emulator at n latents. Intervals are of the latent function, as in Thompson
// sampling, without observation noise.
type Prediction struct {
	Mean      []float64
	Low, High []float64 // central 95 % interval
}

// Predict returns the prediction at n latents. If the surrogate is a surrogate.StringSurrogate, at must contain the decoded
// strings.
func (m *Emulator) Predict(ctx context.Context, at surrogate.Points) (Prediction, error) {
	mu, sigma2, err := m.surrogate.Predict(ctx, at)
	if err != nil {
		return Prediction{}, fmt.Errorf("predict %d latents: %w", len(at.Z), err)
	}
	const central = 1.96 // 95 % of a normal distribution are within as many standard deviations
	p := Prediction{make([]float64, len(mu)), make([]float64, len(mu)), make([]float64, len(mu))}
	for i := range mu {
		half := central * math.Sqrt(max(sigma2[i], 0))
		p.Mean[i] = m.mean + m.deviation*mu[i]
		p.Low[i], p.High[i] = m.mean+m.deviation*(mu[i]-half), m.mean+m.deviation*(mu[i]+half)
	}
	return p, nil
}

// Scored are strings with their scores.
type Scored struct {
	X []string
	Y []float64
}

// HeldOut is the prediction of an emulator for held-out strings, with its quality.
type HeldOut struct {
	Prediction
	R2   float64 // coefficient of determination, 1 − Σ(y − mean)²/Σ(y − ȳ)²; NaN if all scores are equal
	Rank float64 // Spearman's correlation of predictions and scores; NaN if either are all equal
}

// Predict fits an emulator to train and predicts test (Fig. 7). Both are aligned in the same way.
func (e Emulation) Predict(ctx context.Context, train, test Scored, rng *rand.Rand) (HeldOut, error) {
	m, err := e.Fit(ctx, train.X, train.Y, rng)
	if err != nil {
		return HeldOut{}, err
	}
	z, err := e.Latents(ctx, test.X, rng)
	if err != nil {
		return HeldOut{}, err
	}
	p, err := m.Predict(ctx, surrogate.Points{Z: z, X: test.X})
	if err != nil {
		return HeldOut{}, err
	}
	return HeldOut{p, explained(p.Mean, test.Y), stats.Spearman(p.Mean, test.Y)}, nil
}

// explained returns the coefficient of determination of predictions.
func explained(predicted, y []float64) float64 {
	mean := stat.Mean(y, nil)
	var left, all float64
	for i := range y {
		left += (y[i] - predicted[i]) * (y[i] - predicted[i])
		all += (y[i] - mean) * (y[i] - mean)
	}
	if all == 0 {
		return math.NaN()
	}
	return 1 - left/all
}
