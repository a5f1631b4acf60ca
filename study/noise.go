package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/stats"
)

// Value returns the measured value of a further outcome, or the score if outcome is "", and on which side of it the
// true one lies; NaN if there is none.
func (m Measurement) Value(outcome string) (v float64, b Bound) {
	if outcome == "" {
		return m.Score, m.Bound
	}
	v, known := m.Others[outcome]
	if !known {
		return math.NaN(), Exact
	}
	return v, m.OtherBounds[outcome]
}

// exact is Value without bounds.
func (m Measurement) exact(outcome string) float64 {
	if v, bound := m.Value(outcome); bound == Exact {
		return v
	}
	return math.NaN()
}

// Spread returns the sum of squares of the deviations from their mean of a trial's exact numbers of a further outcome,
// or of the score if outcome is empty, and its degrees of freedom, which is 0 if there are fewer than two. Scores with
// a standard error are left out.
func (t *Trial) Spread(outcome string) (squares float64, df int) {
	var n, mean float64 // Welford's method
	for _, m := range t.Measurements {
		v := m.exact(outcome)
		if math.IsNaN(v) || outcome == "" && m.SE > 0 {
			continue
		}
		n++
		d := v - mean
		mean += d / n
		squares += d * (v - mean)
	}
	return squares, max(0, int(n)-1)
}

// PooledVariance returns the variance of one measurement of a further outcome, or of the score if outcome is empty, as
// replicates of all trials tell together, and its degrees of freedom; 0 and 0 if there are none. Trials whose
// measurements contradict each other, by ID, are left out.
func PooledVariance(trials []Trial, contradictory map[int]bool, outcome string) (variance float64, df int) {
	var sum float64
	for i := range trials {
		if contradictory[trials[i].ID] {
			continue
		}
		squares, n := trials[i].Spread(outcome)
		sum += squares
		df += n
	}
	if df == 0 {
		return 0, 0
	}
	return sum / float64(df), df
}

// Noise returns the standard deviation of one measurement of a further outcome, or of the score if outcome is empty, as
// replicates of all trials tell together; 0 if there are none. Those that contradict each other say nothing of the
// others.
func Noise(trials []Trial, outcome string) float64 {
	variance, _ := PooledVariance(trials, Contradictory(trials, outcome), outcome)
	return math.Sqrt(variance)
}

// Replicates contradict each other if their deviation is more than tooFar times that of the values of all strings, or
// if it is larger than that and more than tooNoisy times the usual one of replicates. Fewer strings with a value than
// fewestStrings, or fewer replicated ones than fewestReplicated, tell neither.
const (
	tooFar           = 10
	tooNoisy         = 20
	fewestStrings    = 4
	fewestReplicated = 5
)

// Contradictory returns the IDs of the trials whose measurements of a further outcome, or of the score if outcome is
// empty, contradict each other, as −1000 and 5 do where values lie between 4 and 9: at least one of them is wrong, and
// what the mean is worth nobody knows. The deviations are robust ones, medians, so that wrong measurements do not hide
// each other.
func Contradictory(trials []Trial, outcome string) map[int]bool {
	var values, deviations []float64 // of strings; of replicates that differ
	apart := map[int]float64{}       // deviation of the replicates of a trial, by ID
	for i := range trials {
		var exact []float64
		for _, m := range trials[i].Measurements {
			if v := m.exact(outcome); !math.IsNaN(v) {
				exact = append(exact, v)
			}
		}
		if len(exact) == 0 {
			continue
		}
		values = append(values, stats.Median(exact))
		if d := deviation(exact); d > 0 {
			apart[trials[i].ID] = d
			deviations = append(deviations, d)
		}
	}
	if len(apart) == 0 || len(values) < fewestStrings {
		return nil
	}
	among := stats.RobustDeviation(values)
	usual := math.Inf(1)
	if len(deviations) >= fewestReplicated {
		usual = stats.Median(deviations)
	}
	wild := map[int]bool{}
	for id, d := range apart {
		if among > 0 && (d > tooFar*among || d > among && d > tooNoisy*usual) {
			wild[id] = true
		}
	}
	return wild
}

// deviation returns the sample deviation of some numbers; 0 for fewer than two.
func deviation(v []float64) float64 {
	if len(v) < 2 {
		return 0
	}
	var mean, squares float64 // Welford's method
	for i, x := range v {
		d := x - mean
		mean += d / float64(i+1)
		squares += d * (x - mean)
	}
	return math.Sqrt(squares / float64(len(v)-1))
}

// Noisy reports whether anything is known of the noise of scores: then the best score may be luck.
func Noisy(trials []Trial) bool {
	return slices.ContainsFunc(trials, func(t Trial) bool { return t.Variance > 0 })
}

// Predictor is a Searcher that predicts the values of strings.
type Predictor interface {
	// Predict returns the mean of Trial.Value of each input and its standard deviation, without the noise of a
	// measurement; NaN for an input that it cannot read. It does not change the search.
	Predict(ctx context.Context, inputs []string) (mean, sd []float64, err error)
}

// shortlist is how many of the trials with the best scores may be the best by their predicted mean.
const shortlist = 200

// BestExpected returns the trial with the best expected score, of those that violate no constraint, with the mean and
// standard deviation of its score. Where measurements are noisy, the best score belongs to a string that was lucky,
// too. If no such trial has a score, or the searcher can predict none, the ID of the trial is 0, mean and deviation are
// NaN, and the error is nil. The error is the searcher's, or wraps errors.ErrUnsupported if it is no Predictor.
func (s *Study) BestExpected(ctx context.Context) (best Trial, mean, sd float64, err error) {
	best, mean, sd = unscored(Proposal{}, Unseen), math.NaN(), math.NaN()
	p, ok := s.searcher.(Predictor)
	if !ok {
		return best, mean, sd, fmt.Errorf("the method predicts no scores: %w", errors.ErrUnsupported)
	}
	s.searching.Lock()
	defer s.searching.Unlock()
	if err := s.observe(ctx); err != nil {
		return best, mean, sd, err
	}
	trials := s.Ranked()
	trials = trials[:min(len(trials), shortlist)]
	inputs := make([]string, len(trials))
	for i, t := range trials {
		inputs[i] = t.Input
	}
	means, sds, err := p.Predict(ctx, inputs)
	if err != nil {
		return best, mean, sd, fmt.Errorf("predict %d scores: %w", len(inputs), err)
	}
	for i, t := range trials {
		if m := means[i]; best.ID == 0 && !math.IsNaN(m) || m > mean {
			best, mean, sd = t, m, sds[i]
		}
	}
	if s.problem.Minimize {
		mean = -mean
	}
	return best, mean, sd, nil
}
