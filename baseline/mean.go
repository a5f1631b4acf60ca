package baseline

import (
	"context"
	"math"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/study"
)

// Mean makes the mean of several objectives as large as it can, those to be small negated: it is a search for one objective, which says what
// a search for all of them brings. Values that are only bounds count as such, and trials without all objectives are not seen.
type Mean struct {
	*evolve.Searcher
	objectives []study.Objective
}

// Aim implements study.MultiObjective.
func (m *Mean) Aim(objectives []study.Objective) { m.objectives = objectives }

// Observe passes trials on with the mean as their score.
func (m *Mean) Observe(ctx context.Context, trials ...study.Trial) error {
	seen := make([]study.Trial, len(trials))
	for i, t := range trials {
		seen[i] = t
		if m.objectives == nil || t.State != study.Scored {
			continue
		}
		mean := 0.0
		for _, v := range study.Values(&t, m.objectives, nil) {
			mean += v / float64(len(m.objectives))
		}
		seen[i].Value, seen[i].Score, seen[i].Bound, seen[i].Variance = mean, mean, study.Exact, 0
		if math.IsNaN(mean) {
			seen[i].State = study.Skipped
		}
	}
	return m.Searcher.Observe(ctx, seen...)
}

// Propose returns proposals without a prediction: it would be of the mean.
func (m *Mean) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	batch, err := m.Searcher.Propose(ctx, known, n)
	for i := range batch {
		if m.objectives != nil {
			batch[i].Mean, batch[i].SD = math.NaN(), math.NaN()
		}
	}
	return batch, err
}
