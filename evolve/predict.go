package evolve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

// Predict implements study.Predictor.
func (s *Searcher) Predict(ctx context.Context, inputs []string) (mean, sd []float64, err error) {
	mean, sd = make([]float64, len(inputs)), make([]float64, len(inputs))
	var at []int
	var known []*Description
	for i, d := range s.model.reader.read(inputs) {
		mean[i], sd[i] = math.NaN(), math.NaN()
		if d != nil {
			at, known = append(at, i), append(known, d)
		}
	}
	trials, scored := s.window(phase{})
	if len(trials) == 0 {
		return mean, sd, nil
	}
	m := s.model // a copy: when hyperparameters are chosen depends on Propose alone
	m.reference = s.assumed()
	m.empty()
	points := s.points(trials)
	if err := m.fit(ctx, points, scored); err != nil {
		return nil, nil, fmt.Errorf("evolve: fit the surrogate to %d strings: %w", len(trials), err)
	}
	mu, sigma2 := m.predict(known)
	m.recall(points, stats.Pick(inputs, at), mu, sigma2)
	for k, i := range at {
		mean[i], sd[i] = m.scale.Inverse(mu[k], math.Sqrt(sigma2[k]))
	}
	return mean, sd, nil
}

// recall turns predictions of the latent function at strings into those of the scores that they have: where the
// variance v of a measurement y is known, the noise n of the surrogate is a property of the string, such as an activity
// cliff, and no error of measurement. It is n/(n+v)·(y−μ) on average, and what is left is the error of measurement,
// whose variance given all data is v − v²·(n+v−σ²)/(n+v)². A bound is kept.
func (m *model) recall(points []point, xs []string, mu, sigma2 []float64) {
	at := map[string]*point{}
	for i := range points {
		at[points[i].x] = &points[i]
	}
	for i, x := range xs {
		p := at[x]
		if p == nil {
			continue
		}
		y := m.scale.Apply([]float64{p.y})[0]
		k := slices.Index(m.trials, p.trial)
		switch {
		case p.bound == study.Above:
			mu[i] = max(mu[i], y)
		case p.bound == study.Below:
			mu[i] = min(mu[i], y)
		case k >= 0 && m.variance[k] > 0:
			v := m.variance[k]
			all := m.Noise + v
			mu[i] += m.Noise / all * (y - mu[i])
			sigma2[i] = max(0, v-v*v*(all-sigma2[i])/(all*all))
		}
	}
}
