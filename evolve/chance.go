package evolve

import (
	"context"
	"math"
	"slices"

	"github.com/invbo/invbo/study"
)

// chance is a model of which strings can be scored: a string fails if any of its features is bad. Each feature that no string with a
// score has is bad with some probability, which is learnt from failures by expectation maximization (a noisy-or model). Each trial
// continues from what was known before it: new failures are not attributed to features that explain old ones.
type chance struct {
	learnt   int            // trials so far
	index    map[uint64]int // of features, in the order in which they were seen
	failures [][]int        // features of each
	fine     []bool         // features in strings with a score
	tried    []bool         // features in strings that the search proposed before they were known to be fine
	blame    []float64      // share of the failures with a feature that are due to it; 0: it was in none
	rate     float64        // of features of which nothing is known
}

// Before anything is tried one in ten features is taken to be bad, with the weight of twenty features tried.
const (
	firstRate   = 0.1
	firstWeight = 20
)

// steps of expectation maximization for a trial.
const steps = 30

// residual is the probability that a feature is bad although strings with it have scores.
const residual = 0.001

// learn learns from trials that follow those it has learnt from. The error is ctx's cause.
func (c *chance) learn(ctx context.Context, trials []study.Trial, r *reader) error {
	if !slices.ContainsFunc(trials, func(t study.Trial) bool { return t.State == study.Failed && !t.Struck() }) {
		return nil // until one fails there is nothing to learn, and describing thousands of strings takes long
	}
	var xs []string
	for _, t := range trials[c.learnt:] {
		xs = append(xs, t.Input)
	}
	for _, d := range r.read(xs) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if t := trials[c.learnt]; d != nil && !t.Struck() {
			c.take(d.Risks, t.Kind == study.Acquired, t.State == study.Scored)
		}
		c.learnt++
	}
	return nil
}

// take learns from a string: proposed by the search or given, scored or failed.
func (c *chance) take(risks []uint64, proposed, scored bool) {
	if c.index == nil {
		c.index, c.rate = map[uint64]int{}, firstRate
	}
	features := make([]int, len(risks))
	for k, f := range risks {
		i, ok := c.index[f]
		if !ok {
			i = len(c.index)
			c.index[f] = i
			c.fine, c.tried, c.blame = append(c.fine, false), append(c.tried, false), append(c.blame, 0)
		}
		features[k] = i
		c.tried[i] = c.tried[i] || proposed && !c.fine[i]
	}
	for _, f := range features {
		c.fine[f] = c.fine[f] || scored
	}
	if !scored {
		c.failures = append(c.failures, features)
	}
	c.fit()
}

// suspects are the features that a failure may be due to.
type suspects struct {
	features []int
	rest     float64 // probability that none of the others is bad
}

// fit finds the features that failures are due to.
func (c *chance) fit() {
	count := make([]float64, len(c.index)) // failures that a feature is a suspect of
	var failed []suspects
	for _, features := range c.failures {
		s := suspects{rest: 1}
		for _, f := range features {
			if c.fine[f] {
				s.rest *= 1 - residual
				continue
			}
			s.features = append(s.features, f)
			count[f]++
		}
		failed = append(failed, s)
	}
	tried := 0
	for _, t := range c.tried {
		if t {
			tried++
		}
	}
	if len(failed) == 0 {
		c.rate = max(firstRate*firstWeight/(firstWeight+float64(tried)), 1e-4)
		return
	}
	next := make([]float64, len(c.index))
	for range steps {
		clear(next)
		for _, s := range failed {
			ok := s.rest
			for _, f := range s.features {
				ok *= 1 - c.bad(f)
			}
			for _, f := range s.features {
				next[f] += c.bad(f) / max(1-ok, 1e-9)
			}
		}
		// the share of features tried that are bad: each counts once, however often it failed
		var total float64
		for f, b := range next {
			if count[f] == 0 {
				continue
			}
			if c.blame[f] = b / count[f]; c.tried[f] {
				total += min(1, b)
			}
		}
		c.rate = (firstRate*firstWeight + total) / (firstWeight + float64(tried))
	}
	c.rate = min(max(c.rate, 1e-4), 0.9)
}

// bad returns the probability that a feature is bad.
func (c *chance) bad(f int) float64 {
	switch {
	case c.fine[f]:
		return residual
	case c.blame[f] > 0:
		return min(max(c.blame[f], c.rate), 0.999)
	}
	return c.rate
}

// of returns the probability that a string with these features can be scored.
//
// It is 1 until one fails: most problems can score all their strings.
func (c *chance) of(features []uint64) float64 {
	if len(c.failures) == 0 {
		return 1
	}
	log := 0.0
	for _, f := range features {
		bad := c.rate
		if i, seen := c.index[f]; seen {
			bad = c.bad(i)
		}
		log += math.Log1p(-bad)
	}
	return max(math.Exp(log), 1e-9)
}
