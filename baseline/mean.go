package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/study"
)

// Mean makes the mean of several objectives as large as it can, those to be small negated: it is a search for one
// objective, which says what a search for all of them brings. Values that are only bounds count as such, and trials
// without all objectives are not seen.
type Mean struct {
	*evolve.Searcher
	Standardise bool // each objective is divided by its standard deviation over the initial design, as their units differ

	objectives []study.Objective
	waiting    []study.Trial // that were observed before the first proposal
	scales     []float64     // what values are multiplied by; nil: nothing was proposed yet
}

// Aim implements study.MultiObjective.
func (m *Mean) Aim(objectives []study.Objective) { m.objectives = objectives }

// Observe passes trials on with the mean as their score.
func (m *Mean) Observe(ctx context.Context, trials ...study.Trial) error {
	if m.objectives != nil && m.scales == nil {
		m.waiting = append(m.waiting, trials...)
		return nil
	}
	seen := make([]study.Trial, len(trials))
	for i, t := range trials {
		seen[i] = t
		if m.objectives == nil || t.State != study.Scored {
			continue
		}
		mean := 0.0
		for j, v := range study.Values(&t, m.objectives, nil) {
			mean += v * m.scales[j]
		}
		seen[i].Value, seen[i].Score, seen[i].Bound, seen[i].Variance = mean, mean, study.Exact, 0
		if math.IsNaN(mean) {
			seen[i].State = study.Skipped
		}
	}
	return m.Searcher.Observe(ctx, seen...)
}

// scale returns what the values of each objective are multiplied by: one by the number of objectives and, if they are
// standardised and differ, by their standard deviation.
func (m *Mean) scale() []float64 {
	scales := make([]float64, len(m.objectives))
	for j := range scales {
		scales[j] = 1 / float64(len(m.objectives))
		var values []float64
		for _, t := range m.waiting {
			if t.State != study.Scored || t.Kind != study.Initial {
				continue
			}
			if v := study.Values(&t, m.objectives, nil)[j]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				values = append(values, v)
			}
		}
		if sd := stat.StdDev(values, nil); m.Standardise && sd > 0 {
			scales[j] /= sd
		}
	}
	return scales
}

// Propose returns proposals without a prediction: it would be of the mean.
func (m *Mean) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	if m.objectives != nil && m.scales == nil {
		m.scales = m.scale()
		if err := m.Observe(ctx, m.waiting...); err != nil {
			m.scales = nil
			return nil, err
		}
		m.waiting = nil
	}
	batch, err := m.Searcher.Propose(ctx, known, n)
	for i := range batch {
		if m.objectives != nil {
			batch[i].Mean, batch[i].SD = math.NaN(), math.NaN()
		}
	}
	return batch, err
}
