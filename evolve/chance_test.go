package evolve

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func TestChanceBlamesWhatFails(t *testing.T) {
	c := newChance()
	if p := c.of([]uint64{1, 2}); p != 1 {
		t.Errorf("probability %g before anything failed, want 1", p)
	}
	// 7 is in every failure and in no success; 20 to 29 are in one failure each, together with 7
	for i := range 10 {
		c.learn(2*i, []uint64{1, 2, uint64(10 + i)}, true, true)
		c.learn(2*i+1, []uint64{1, 7, uint64(20 + i)}, true, false)
	}
	for _, test := range []struct {
		name        string
		features    []uint64
		least, most float64
	}{
		{"no features", nil, 1, 1},
		{"features of successes", []uint64{1, 2, 15}, 0.99, 1},
		{"the feature of all failures", []uint64{7}, 0, 0.1},
		{"among features of successes, too", []uint64{1, 2, 7}, 0, 0.1},
		{"features of a failure that has another reason", []uint64{23}, 0.7, 1},
		{"a feature never seen", []uint64{99}, 0.7, 0.99},
	} {
		if p := c.of(test.features); !(p > 0 && p >= test.least && p <= test.most) {
			t.Errorf("%s: probability %g, want %g to %g", test.name, p, test.least, test.most)
		}
	}
}

// A failure without features, or one that only features of successes could explain, leaves probabilities as they are.
func TestChanceOfUnexplainedFailures(t *testing.T) {
	c := newChance()
	c.learn(1, []uint64{1, 2}, true, true)
	c.learn(2, []uint64{1, 2}, true, false)
	c.learn(3, nil, true, false)
	if p := c.of([]uint64{1, 2}); p < 0.99 {
		t.Errorf("probability %g of what had a score, want about 1", p)
	}
}

// Strings of the initial design that failed do not make features that the search never tried look worse.
func TestChanceCountsWhatTheSearchTried(t *testing.T) {
	c := newChance()
	for i := range 30 {
		c.learn(i, []uint64{uint64(100 * i), uint64(100*i + 1), uint64(100*i + 2)}, false, false)
	}
	if p := c.of([]uint64{9_999}); math.Abs(p-(1-firstRate)) > 1e-9 {
		t.Errorf("probability %g of a feature never seen, want %g", p, 1-firstRate)
	}
}

// Where several features would explain a failure, the one that many failures share has the blame, in whatever order they came.
func TestChanceHardlyDependsOnOrder(t *testing.T) {
	order := make([]int, 150)
	for i := range order {
		order[i] = i
	}
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 2)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		c := newChance()
		for _, i := range order {
			rng := rand.New(rand.NewPCG(uint64(i), 3))
			features := []uint64{rng.Uint64N(20), 20 + rng.Uint64N(20)}
			c.learn(i, features, true, features[0] > 3)
		}
		for f := range uint64(40) {
			if p := c.of([]uint64{f}); !(p > 0 && p <= 1) || (p > 0.5) != (f > 3) {
				t.Errorf("order %d: probability %g of feature %d; only 0 to 3 are bad", seed, p, f)
			}
		}
	}
}

// A corrected trial is learnt as if it had been so from the start; the same answer twice counts once.
func TestChanceCorrected(t *testing.T) {
	teach := func(c *chance, corrected bool) {
		for i := range 20 {
			c.learn(i, []uint64{uint64(i % 3), uint64(i % 7), 50}, i > 5, i%3 == 1 || i == 6 && corrected)
		}
	}
	want, got := newChance(), newChance()
	teach(want, true)
	teach(got, false)
	relearn := func(c *chance) {
		t.Helper()
		if err := c.relearn(t.Context()); err != nil || c.stale {
			t.Errorf("relearn: %v", err)
		}
	}
	got.learn(6, []uint64{0, 6, 50}, true, true)
	got.learn(6, []uint64{0, 6, 50}, true, true)
	for _, c := range []*chance{want, got} { // a lesson between a correction and when it is learnt
		c.learn(20, []uint64{2, 6, 51}, true, false)
	}
	ended, end := context.WithCancelCause(t.Context())
	end(errors.New("enough"))
	if err := got.relearn(ended); !got.stale || err == nil || err.Error() != "enough" {
		t.Errorf("error %v of an ended relearn, want enough", err)
	}
	relearn(got)
	for f := range uint64(52) {
		if g, w := got.of([]uint64{f}), want.of([]uint64{f}); g != w {
			t.Errorf("probability of feature %d: %g, want %g", f, g, w)
		}
	}
	got.learn(6, []uint64{0, 6, 50}, true, false)
	teach(want, false)
	relearn(got)
	relearn(want)
	if g, w := got.of([]uint64{50}), want.of([]uint64{50}); g != w {
		t.Errorf("probability %g of what failed again, want %g", g, w)
	}
}
