package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Spread returns the sum of squares of the deviations from their mean of a trial's scores that are exact and have no standard error, and its
// degrees of freedom, which is 0 if there are fewer than two.
func (t *Trial) Spread() (squares float64, df int) {
	var n, mean float64 // Welford's method
	for _, m := range t.Measurements {
		if math.IsNaN(m.Score) || m.Bound != Exact || m.SE > 0 {
			continue
		}
		n++
		d := m.Score - mean
		mean += d / n
		squares += d * (m.Score - mean)
	}
	return squares, max(0, int(n)-1)
}

// Noise returns the standard deviation of one measurement, as replicates of all trials tell together; 0 if there are none.
func Noise(trials []Trial) float64 {
	var sum float64
	df := 0
	for i := range trials {
		s, n := trials[i].Spread()
		sum += s
		df += n
	}
	if df == 0 {
		return 0
	}
	return math.Sqrt(sum / float64(df))
}

// Noisy reports whether anything is known of the noise of scores: then the best score may be luck.
func Noisy(trials []Trial) bool {
	return slices.ContainsFunc(trials, func(t Trial) bool { return t.Variance > 0 })
}

// Predictor is a Searcher that predicts the values of strings.
type Predictor interface {
	// Predict returns the mean of Trial.Value of each input and its standard deviation, without the noise of a measurement; NaN for
	// an input that it cannot read. It does not change the search.
	Predict(ctx context.Context, inputs []string) (mean, sd []float64, err error)
}

// shortlist is how many of the trials with the best scores may be the best by their predicted mean.
const shortlist = 200

// BestExpected returns the trial with the best expected score, of those that violate no constraint, with the mean and standard
// deviation of its score. Where measurements are noisy, the best score belongs to a string that was lucky, too. The error is
// the searcher's, or wraps errors.ErrUnsupported if it is no Predictor.
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
