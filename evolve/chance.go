package evolve

import (
	"context"
	"math"
)

// chance is what is known of which strings can be scored: a string cannot if it has one feature that does not go. Each feature
// not seen in a string with a score is such with some probability, which is learnt from failures by expectation maximization
// (a noisy-or model). Each trial continues from what was known before it: what old failures explain is not blamed for new ones.
type chance struct {
	index   map[uint64]int // of features, in the order in which they were seen
	lessons []lesson
	at      map[int]int // of lessons, by trial
	stale   bool        // a lesson was corrected, and the fields below are to be learnt again

	failures int
	fine     []bool    // features in strings with a score
	tried    []bool    // features in strings that the search proposed before they were known to be fine
	blame    []float64 // share of the failures with a feature that are due to it; 0: it was in none
	rate     float64   // of features of which nothing is known
}

// lesson is a string that was scored or failed.
type lesson struct {
	features         []int
	proposed, scored bool // proposed by the search, or given
}

// Before anything is tried one in ten features does not go, and that is worth twenty features tried.
const (
	firstRate   = 0.1
	firstWeight = 20
)

// steps of expectation maximization for a trial.
const steps = 30

// residual is the probability that a feature does not go although strings with it have scores.
const residual = 0.001

func newChance() *chance { return &chance{index: map[uint64]int{}, at: map[int]int{}, rate: firstRate} }

// learn takes in the string of a trial: proposed by the search or given, scored or failed. A correction is learnt in its place, by
// the next relearn.
func (c *chance) learn(trial int, features []uint64, proposed, scored bool) {
	if i, again := c.at[trial]; again {
		if c.lessons[i].scored != scored {
			c.lessons[i].scored = scored
			c.stale = true
		}
		return
	}
	l := lesson{proposed: proposed, scored: scored}
	for _, f := range features {
		i, ok := c.index[f]
		if !ok {
			i = len(c.index)
			c.index[f] = i
			c.fine, c.tried, c.blame = append(c.fine, false), append(c.tried, false), append(c.blame, 0)
		}
		l.features = append(l.features, i)
	}
	c.at[trial] = len(c.lessons)
	c.lessons = append(c.lessons, l)
	if !c.stale {
		c.take(l)
		c.fit(c.lessons)
	}
}

// relearn learns all lessons again if one was corrected, which takes seconds after thousands of failures. The error is ctx's cause.
func (c *chance) relearn(ctx context.Context) error {
	if !c.stale {
		return nil
	}
	clear(c.fine)
	clear(c.tried)
	clear(c.blame)
	c.failures, c.rate = 0, firstRate
	for i, l := range c.lessons {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c.take(l)
		c.fit(c.lessons[:i+1])
	}
	c.stale = false
	return nil
}

// take notes what a lesson says for certain.
func (c *chance) take(l lesson) {
	for _, f := range l.features {
		c.tried[f] = c.tried[f] || l.proposed && !c.fine[f]
	}
	for _, f := range l.features {
		c.fine[f] = c.fine[f] || l.scored
	}
	if !l.scored {
		c.failures++
	}
}

// suspects are the features that a failure may be due to.
type suspects struct {
	features []int
	rest     float64 // probability that none of the others is bad
}

// fit finds the features that failures are due to.
func (c *chance) fit(lessons []lesson) {
	count := make([]float64, len(c.index)) // failures that a feature is a suspect of
	var failed []suspects
	for _, l := range lessons {
		if l.scored {
			continue
		}
		s := suspects{rest: 1}
		for _, f := range l.features {
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
		// the share of features tried that do not go: each counts once, however often it failed
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

// bad returns the probability that a feature does not go.
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
	if c.failures == 0 {
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
