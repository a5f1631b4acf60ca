package evolve

import "math"

// chance is what is known of which strings can be scored: a string cannot if it has one feature that does not go. Each feature
// not seen in a string with a score is such with some probability, which is learnt from failures by expectation maximization
// (a noisy-or model).
type chance struct {
	fine   map[uint64]int // strings with a score that have the feature
	failed [][]uint64     // features of strings that failed, without those that are fine
	tried  map[uint64]int // strings proposed by the search that have the feature
	blame  map[uint64]float64
	rate   float64 // of features of which nothing is known
}

// Before anything is tried one in ten features does not go, and that is worth twenty features tried.
const (
	firstRate   = 0.1
	firstWeight = 20
)

func newChance() *chance {
	return &chance{fine: map[uint64]int{}, tried: map[uint64]int{}, blame: map[uint64]float64{}, rate: firstRate}
}

// learn takes in a string: proposed by the search or given, scored or failed.
func (c *chance) learn(features []uint64, proposed, scored bool) {
	if proposed {
		for _, f := range features {
			if c.fine[f] == 0 {
				c.tried[f]++
			}
		}
	}
	if scored {
		for _, f := range features {
			c.fine[f]++
		}
	} else {
		c.failed = append(c.failed, features)
	}
	c.fit()
}

// fit finds the features that failures are due to.
func (c *chance) fit() {
	if len(c.failed) == 0 && len(c.tried) == 0 {
		return
	}
	count := map[uint64]float64{} // failures that a feature was in
	for _, fs := range c.failed {
		for _, f := range fs {
			count[f]++
		}
	}
	for range 30 {
		next := map[uint64]float64{}
		var total float64
		for _, fs := range c.failed {
			ok := 1.0
			for _, f := range fs {
				ok *= 1 - c.bad(f)
			}
			for _, f := range fs {
				next[f] += c.bad(f) / max(1-ok, 1e-9)
			}
		}
		// the share of features tried that do not go: each counts once, however often it failed
		for f, b := range next {
			if c.fine[f] == 0 {
				total += min(1, b)
			}
		}
		c.blame = map[uint64]float64{}
		for f, b := range next {
			c.blame[f] = b / count[f]
		}
		c.rate = (firstRate*firstWeight + total) / (firstWeight + float64(len(c.tried)))
	}
	c.rate = min(max(c.rate, 1e-4), 0.9)
}

// bad returns the probability that a feature does not go.
func (c *chance) bad(f uint64) float64 {
	if c.fine[f] > 0 {
		return 0.001
	}
	if b, ok := c.blame[f]; ok {
		return min(max(b, c.rate), 0.999)
	}
	return c.rate
}

// of returns the probability that a string with these features can be scored.
//
// It is 1 until one fails: most problems can score all their strings.
func (c *chance) of(features []uint64) float64 {
	if len(c.failed) == 0 {
		return 1
	}
	log := 0.0
	for _, f := range features {
		log += math.Log1p(-c.bad(f))
	}
	return max(math.Exp(log), 1e-9)
}
