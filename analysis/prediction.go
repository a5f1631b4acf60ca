package analysis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/stats"
)

// Prediction is what an Emulator makes of n latents. Intervals are those of the function that it emulates, as
// Thompson sampling draws it: observation noise is not in them.
type Prediction struct {
	Mean      []float64
	Low, High []float64 // ends of the central 95 %
}

// Predict returns what the emulator expects at n latents. If it emulates by an invbo.Reader, it wants to be told what each
// decodes to.
func (m *Emulator) Predict(at invbo.Points) (Prediction, error) {
	mu, sigma2, err := m.surrogate.Predict(at)
	if err != nil {
		return Prediction{}, fmt.Errorf("predict %d latents: %w", len(at.Z), err)
	}
	const central = 1.96 // 95 % of a normal distribution lie within so many deviations
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

// HeldOut is how well an emulator predicts strings that it was not fitted to.
type HeldOut struct {
	Prediction
	R2   float64 // 1 − Σ(y − mean)²/Σ(y − ȳ)²: share of the scores' variance that is explained; NaN if they are all equal
	Rank float64 // Spearman's correlation of predictions and scores; NaN if either are all equal
}

// Predict fits an emulator to train and lets it predict test (Fig. 7). Both get their latents in one way.
func (e Emulation) Predict(ctx context.Context, train, test Scored, rng *rand.Rand) (HeldOut, error) {
	m, err := e.Fit(ctx, train.X, train.Y, rng)
	if err != nil {
		return HeldOut{}, err
	}
	z, err := e.Latents(ctx, test.X, rng)
	if err != nil {
		return HeldOut{}, err
	}
	p, err := m.Predict(invbo.Points{Z: z, X: test.X})
	if err != nil {
		return HeldOut{}, err
	}
	return HeldOut{p, explained(p.Mean, test.Y), stats.Spearman(p.Mean, test.Y)}, nil
}

// explained returns R² of predictions.
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
