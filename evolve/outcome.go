package evolve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

// outcome is a further outcome of the oracle that constraints bound, with a surrogate of its own.
type outcome struct {
	name        string
	constraints []study.Constraint
	model       model
}

// LeastOutcomes is how many strings with an outcome its surrogate needs.
const LeastOutcomes = 3

// leastOdds bounds the probability that a constraint holds from below: the surrogate may be wrong.
const leastOdds = 1e-4

// Constrain implements study.Constrained.
func (s *Searcher) Constrain(constraints []study.Constraint) {
	s.constraints, s.outcomes = constraints, nil
	for _, name := range study.Outcomes(constraints) {
		o := outcome{name: name, model: s.surrogate()}
		o.model.given = new(gp.Standardise)
		for _, c := range constraints {
			if c.Outcome == name {
				o.constraints = append(o.constraints, c)
			}
		}
		s.outcomes = append(s.outcomes, o)
	}
}

// readings returns what trials say of a further outcome, whose value and bound read returns, as points does of the
// score. Trials whose measurements of it contradict each other are left out.
func (s *Searcher) readings(outcome string, trials []*study.Trial, read func(t *study.Trial) (float64, study.Bound)) (points []point) {
	all := slices.Concat(s.trials, s.partial())
	wild := study.Contradictory(all, outcome)
	noise := replicateVariance(all, wild, outcome)
	for _, t := range trials {
		y, bound := read(t)
		if math.IsNaN(y) || wild[t.ID] {
			continue
		}
		_, df := t.Spread(outcome)
		points = append(points, point{trial: t.ID, x: t.Input, y: y, variance: noise / float64(df+1), bound: bound, batch: t.Batch})
	}
	return points
}

// fit fits the outcome's surrogate to the trials that have it. They are the window of a number of scored strings.
func (o *outcome) fit(ctx context.Context, s *Searcher, trials []*study.Trial, scored int) error {
	points := s.readings(o.name, trials, func(t *study.Trial) (float64, study.Bound) { return t.Outcome(o.name), t.OutcomeBound(o.name) })
	if len(points) < LeastOutcomes {
		o.model.forget()
		return nil
	}
	lo, hi := o.limits(scores(points))
	for i, p := range points { // bounds that say nothing stay
		if p.bound != study.Above {
			points[i].y = max(lo, points[i].y)
		}
		if p.bound != study.Below {
			points[i].y = min(points[i].y, hi)
		}
	}
	if err := o.model.fit(ctx, points, scored-len(trials)+len(points)); err != nil {
		return fmt.Errorf("outcome %s: %w", o.name, err)
	}
	return nil
}

// reach is how many deviations outcomes may lie from the median. Those beyond are moved there.
const reach = 5

// limits returns between which outcomes the surrogate sees differences: around their median, and beyond the bounds.
// Beside a 999 that stands for a failure it would see none between the others. The deviation is the median of those
// from the median that are not 0, or that of a bound if it is greater.
func (o *outcome) limits(y []float64) (lo, hi float64) {
	median := stats.Median(y)
	var deviations []float64
	for _, v := range y {
		if v != median {
			deviations = append(deviations, math.Abs(v-median))
		}
	}
	if len(deviations) == 0 {
		return median, median
	}
	slices.Sort(deviations)
	deviation := deviations[(len(deviations)-1)/2]
	for _, c := range o.constraints {
		deviation = max(deviation, math.Abs(c.Bound-median))
	}
	return median - reach*deviation, median + reach*deviation
}

// odds multiplies the probability of each string by that of keeping the constraints on the outcome, if anything is
// known of it. Deviations are as those of moments.
func (o *outcome) odds(described []*Description, odds []float64, widen bool) {
	if o.model.Weights == nil {
		return
	}
	means, sds := o.model.moments(described, widen)
	for i := range odds {
		mean, sd := means[i], sds[i]
		all := 1.0
		for _, c := range o.constraints {
			p := 0.0
			switch {
			case sd > 0 && c.AtMost():
				p = math.Erfc((mean-c.Bound)/sd/math.Sqrt2) / 2
			case sd > 0:
				p = math.Erfc((c.Bound-mean)/sd/math.Sqrt2) / 2
			case c.Holds(mean):
				p = 1
			}
			all *= max(p, leastOdds)
		}
		odds[i] *= all
	}
}

// moments returns the predicted mean and standard deviation of a measurement of strings. Deviations that are to be
// widened are as far off as predictions of proposals were; those of the search are not, since that would make strings
// alike to it.
func (m *model) moments(described []*Description, widen bool) (mean, sd []float64) {
	mean, sd = m.predict(described)
	factor := 1.
	if widen {
		factor = m.surprise
	}
	for i := range mean {
		mean[i], sd[i] = m.scale.Inverse(mean[i], factor*math.Sqrt(sd[i]+m.Noise+m.measurement()))
	}
	return mean, sd
}

// odds returns the probability that each string can be scored and keeps all constraints. Where strings are kin, that
// they can be scored counts once more or, if it has to be cautious, more often: those of a batch that may fail fail
// together.
func (s *Searcher) odds(described []*Description) []float64 {
	return s.scored(described, s.kept(described), s.cautions())
}

// cautions returns how many times the chance that viable tells counts in odds.
func (s *Searcher) cautions() float64 { return 1 + s.caution }

// expected is odds as people are told of them, of the deviations that they are told.
func (s *Searcher) expected(described []*Description) []float64 {
	kept := slices.Repeat([]float64{1}, len(described))
	for i := range s.outcomes {
		s.outcomes[i].odds(described, kept, true)
	}
	return s.scored(described, kept, 1)
}

// scored multiplies probabilities by those that strings can be scored. What likeness tells of that counts so many times.
func (s *Searcher) scored(described []*Description, odds []float64, times float64) []float64 {
	for i, d := range described {
		odds[i] *= s.chance.of(d.Risks)
	}
	if s.viable != nil {
		for i, p := range s.viable.chances(described) {
			odds[i] *= math.Pow(p, times)
		}
	}
	return odds
}

// kept returns the probability that each string keeps all constraints.
func (s *Searcher) kept(described []*Description) []float64 {
	kept := slices.Repeat([]float64{1}, len(described))
	for i := range s.outcomes {
		s.outcomes[i].odds(described, kept, false)
	}
	return kept
}
