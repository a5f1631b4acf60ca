package evolve

import (
	"context"
	"math"
	"slices"

	"github.com/invbo/invbo/study"
)

// chance predicts which strings can be scored: a string fails if any of its features is bad. A feature that no string
// with a score has is bad with some probability, which is learnt from failures by expectation maximization (a
// noisy-or model). Each trial continues from what was known before it: new failures are not attributed to features that
// explain old ones.
//
// A trial takes a time that hardly grows with the number of trials before it: only failures that are not explained yet
// are attributed again.
type chance struct {
	learnt   int            // trials so far
	index    map[uint64]int // of features, in the order in which they were seen
	features []feature
	failures []failure
	open     []int   // failures that are not explained yet
	tried    int     // features that the search proposed before any string with them was scored
	bad      float64 // expected number of these that are bad
	rate     float64 // prior probability that an unseen feature is bad
}

// feature is what is known of a feature.
type feature struct {
	fine     bool    // a string with it has a score
	tried    bool    // the search proposed a string with it before any string with it was scored
	failures []int   // that it is a suspect of
	blame    float64 // probability that it is bad given a failure, the mean over these; 0: there are none

	// In a step of explain:
	probability float64 // that it is bad
	sum         float64 // of that probability given each open failure that it is a suspect of
	open        float64 // number of these
}

// failure is a string that failed.
type failure struct {
	suspects []int   // features that it may be due to: those that are not fine
	rest     float64 // probability that none of the other features is bad
}

// Before anything is tried one in ten features is taken to be bad, with the weight of twenty features tried.
const (
	firstRate   = 0.1
	firstWeight = 20
)

// steps of expectation maximization for a trial.
const steps = 30

// Bounds of the probability that a feature is bad.
const (
	residual = 0.001 // of one that strings with scores have
	mostBad  = 0.999
)

// atOnce is how many strings are described at a time.
const atOnce = 1_000

// learn learns from trials that follow those it has learnt from. The error is ctx's cause.
func (c *chance) learn(ctx context.Context, trials []study.Trial, r *reader) error {
	if !slices.ContainsFunc(trials, func(t study.Trial) bool { return t.State == study.Failed && !t.Struck() }) {
		return nil // until one fails there is nothing to learn, and describing thousands of strings takes long
	}
	for c.learnt < len(trials) {
		next := trials[c.learnt:min(c.learnt+atOnce, len(trials))]
		xs := make([]string, len(next))
		for i := range next {
			xs[i] = next[i].Input
		}
		for i, d := range r.read(xs) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if t := &next[i]; d != nil && !t.Struck() {
				c.take(d.Risks, t.Kind == study.Acquired, t.State == study.Scored)
			}
			c.learnt++
		}
	}
	return nil
}

// take learns from a string: proposed by the search or given, scored or failed.
func (c *chance) take(risks []uint64, proposed, scored bool) {
	features := c.numbers(risks)
	for _, i := range features {
		c.bad -= c.expected(i)
		if f := &c.features[i]; proposed && !f.fine && !f.tried {
			f.tried = true
			c.tried++
		}
	}
	if scored {
		c.clear(features)
	} else {
		c.fail(features)
	}
	for _, i := range features {
		c.bad += c.expected(i)
	}
	before := c.rate
	c.explain()
	if c.rate > before {
		c.lift()
	}
}

// numbers returns the numbers of features, each once.
func (c *chance) numbers(risks []uint64) []int {
	if c.index == nil {
		c.index = map[uint64]int{}
		c.setRate()
	}
	numbers := make([]int, len(risks))
	for k, risk := range risks {
		i, seen := c.index[risk]
		if !seen {
			i = len(c.features)
			c.index[risk] = i
			c.features = append(c.features, feature{})
		}
		numbers[k] = i
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// clear learns that features are fine. Failures that are no longer explained are open again.
func (c *chance) clear(features []int) {
	for _, i := range features {
		f := &c.features[i]
		f.fine = true
		for _, k := range f.failures {
			was := c.explained(k)
			x := &c.failures[k]
			x.suspects = slices.DeleteFunc(x.suspects, func(suspect int) bool { return suspect == i })
			x.rest *= 1 - residual
			if was && !c.explained(k) {
				c.open = append(c.open, k)
			}
		}
		f.failures = nil
	}
}

// fail learns that a string with these features failed.
func (c *chance) fail(features []int) {
	k := len(c.failures)
	x := failure{rest: 1}
	for _, i := range features {
		f := &c.features[i]
		if f.fine {
			x.rest *= 1 - residual
			continue
		}
		x.suspects = append(x.suspects, i)
		f.failures = append(f.failures, k)
	}
	c.failures = append(c.failures, x)
	c.open = append(c.open, k)
}

// explained reports whether two suspects of a failure, or the only one, are as bad as can be. Further steps would
// change next to nothing, until one of these turns out to be fine.
func (c *chance) explained(failure int) bool {
	worst := 0
	suspects := c.failures[failure].suspects
	for _, i := range suspects {
		if c.features[i].blame > mostBad-1e-9 { // but for rounding
			worst++
		}
	}
	return worst >= min(2, len(suspects))
}

// explain finds the features that open failures are due to.
func (c *chance) explain() {
	if len(c.open) == 0 {
		c.setRate()
		return
	}
	var suspects []int
	for _, k := range c.open {
		for _, i := range c.failures[k].suspects {
			f := &c.features[i]
			if f.open == 0 {
				suspects = append(suspects, i)
				c.bad -= c.expected(i)
			}
			f.open++
		}
	}
	others := c.bad
	for range steps {
		for _, i := range suspects {
			c.features[i].probability = c.probability(i)
		}
		for _, k := range c.open {
			c.attribute(&c.failures[k])
		}
		c.bad = others
		for _, i := range suspects {
			f := &c.features[i]
			all := float64(len(f.failures))
			f.blame = (f.sum + (all-f.open)*f.probability) / all // given a failure that is explained, it is as bad as without it
			f.sum = 0
			c.bad += c.expected(i)
		}
		c.setRate()
	}
	for _, i := range suspects {
		c.features[i].open = 0
	}
	c.open = slices.DeleteFunc(c.open, c.explained)
}

// attribute adds to the sum of each suspect of a failure.
func (c *chance) attribute(x *failure) {
	ok := x.rest
	for _, i := range x.suspects {
		ok *= 1 - c.features[i].probability
	}
	failed := max(1-ok, 1e-9)
	for _, i := range x.suspects {
		f := &c.features[i]
		f.sum += f.probability / failed
	}
}

// lift raises suspects to the rate: a suspect is at least as probably bad as an unseen feature is, or was at any time
// since they failed.
func (c *chance) lift() {
	for i := range c.features {
		if f := &c.features[i]; len(f.failures) > 0 && f.blame < c.rate {
			c.bad -= c.expected(i)
			f.blame = c.rate
			c.bad += c.expected(i)
		}
	}
}

// expected returns what a feature adds to c.bad: it counts once, however often it failed.
func (c *chance) expected(i int) float64 {
	f := &c.features[i]
	if !f.tried || f.fine {
		return 0
	}
	return min(1, f.blame*float64(len(f.failures)))
}

// setRate sets the rate to the share of features tried that are bad.
func (c *chance) setRate() {
	c.rate = min(max((firstRate*firstWeight+c.bad)/(firstWeight+float64(c.tried)), 1e-4), 0.9)
}

// probability returns the probability that a feature is bad.
func (c *chance) probability(i int) float64 {
	f := &c.features[i]
	switch {
	case f.fine:
		return residual
	case f.blame > 0:
		return min(max(f.blame, c.rate), mostBad)
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
			bad = c.probability(i)
		}
		log += math.Log1p(-bad)
	}
	return max(math.Exp(log), 1e-9)
}
