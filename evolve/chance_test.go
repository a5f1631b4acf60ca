package evolve

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

func TestChanceBlamesWhatFails(t *testing.T) {
	var c chance
	if p := c.of([]uint64{1, 2}); p != 1 {
		t.Errorf("probability %g before anything failed, want 1", p)
	}
	// 7 is in every failure and in no success; 20 to 29 are in one failure each, together with 7
	for i := range 10 {
		c.take([]uint64{1, 2, uint64(10 + i)}, true, true)
		c.take([]uint64{1, 7, uint64(20 + i)}, true, false)
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
	var c chance
	c.take([]uint64{1, 2}, true, true)
	c.take([]uint64{1, 2}, true, false)
	c.take(nil, true, false)
	if p := c.of([]uint64{1, 2}); p < 0.99 {
		t.Errorf("probability %g of what had a score, want about 1", p)
	}
}

// Strings of the initial design that failed do not make features that the search never tried look worse.
func TestChanceCountsWhatTheSearchTried(t *testing.T) {
	var c chance
	for i := range 30 {
		c.take([]uint64{uint64(100 * i), uint64(100*i + 1), uint64(100*i + 2)}, false, false)
	}
	if p := c.of([]uint64{9_999}); math.Abs(p-(1-firstRate)) > 1e-9 {
		t.Errorf("probability %g of a feature never seen, want %g", p, 1-firstRate)
	}
}

// Where several features would explain a failure, the one that many failures share has the blame, in whatever order
// they came.
func TestChanceHardlyDependsOnOrder(t *testing.T) {
	order := make([]int, 150)
	for i := range order {
		order[i] = i
	}
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 2)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		var c chance
		for _, i := range order {
			rng := rand.New(rand.NewPCG(uint64(i), 3))
			features := []uint64{rng.Uint64N(20), 20 + rng.Uint64N(20)}
			c.take(features, true, features[0] > 3)
		}
		for f := range uint64(40) {
			if p := c.of([]uint64{f}); !(p > 0 && p <= 1) || (p > 0.5) != (f > 3) {
				t.Errorf("order %d: probability %g of feature %d; only 0 to 3 are bad", seed, p, f)
			}
		}
	}
}

// Failures that are explained are not attributed again, which changes hardly anything: without that, each trial would
// take the longer the more failed before.
func TestChanceOfManyFailures(t *testing.T) {
	const features, bad, length, trials = 2_000, 40, 10, 6_000
	rng := rand.New(rand.NewPCG(1, 4))
	var c, all chance
	for i := range trials {
		scored := true
		var risks []uint64
		for range length {
			f := rng.Uint64N(features)
			risks = append(risks, f)
			scored = scored && f >= bad
		}
		c.take(risks, i%2 == 0, scored)
		if i >= trials/10 {
			continue
		}
		all.open = stats.Indices(len(all.failures))
		all.take(risks, i%2 == 0, scored)
		if i%100 < 99 {
			continue
		}
		for f := range uint64(features) {
			if got, want := c.of([]uint64{f}), all.of([]uint64{f}); math.Abs(got-want) > 0.02 {
				t.Errorf("after %d trials: probability %.3f of feature %d, and %.3f if all failures are attributed again", i+1, got, f, want)
			}
		}
	}
	if len(c.failures) < trials/10 || len(c.open) > len(c.failures)/10 {
		t.Errorf("%d of %d failures are attributed again, want few of many", len(c.open), len(c.failures))
	}
	for f := range uint64(features) {
		if p := c.of([]uint64{f}); (p < 0.5) != (f < bad) {
			t.Errorf("probability %.3f of feature %d; only those below %d are bad", p, f, bad)
		}
	}
}

// A corrected trial is learnt as if it had been so from the start, in its place; the same answer twice changes nothing.
func TestChanceCorrected(t *testing.T) {
	risks := func(x string) (Description, error) {
		i, err := strconv.Atoi(x)
		return Description{Groups: []gp.Counts{{}}, Risks: []uint64{uint64(i % 3), uint64(i % 7), 50, 60 + uint64(i)}}, err
	}
	type answered struct {
		study.State
		reason string
	}
	taught := func(answers ...answered) *Searcher {
		s, err := New(Space{Operators: []Operator{{Make: func(context.Context, [][2]string, *rand.Rand) ([]Child, error) { return nil, nil }}}, Kernels: []gp.Term{{}}, Read: risks}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		answer := func(i int, a answered) {
			trial := study.Trial{Proposal: study.Proposal{ID: i + 1, Input: strconv.Itoa(i), Kind: study.Initial}, State: a.State}
			trial.Measurements = []study.Measurement{{Score: math.NaN(), Reason: a.reason}}
			if i > 5 {
				trial.Kind = study.Acquired
			}
			if err := s.Observe(t.Context(), trial); err != nil {
				t.Fatal(err)
			}
			s.chance.learn(t.Context(), s.trials, s.reader)
		}
		for i := range 21 {
			switch {
			case i == 6:
				answer(i, answers[0])
			case i%3 == 1:
				answer(i, answered{study.Scored, ""})
			default:
				answer(i, answered{study.Failed, "broke"})
			}
		}
		for _, a := range answers[1:] {
			answer(6, a)
		}
		return s
	}
	same := func(what string, got, want *Searcher) {
		t.Helper()
		for f := range uint64(82) {
			if g, w := got.chance.of([]uint64{f}), want.chance.of([]uint64{f}); g != w {
				t.Errorf("%s: probability of feature %d: %g, want %g", what, f, g, w)
			}
		}
	}
	scored, failed, struck := answered{study.Scored, ""}, answered{study.Failed, "broke"}, answered{study.Failed, study.Strike("mixed up").Reason}
	same("corrected", taught(failed, scored), taught(scored))
	same("corrected twice", taught(failed, scored, scored), taught(scored))
	same("failed again", taught(failed, scored, failed), taught(failed))
	same("struck", taught(failed, struck), taught(struck))
	same("struck by mistake", taught(failed, struck, failed), taught(failed))

	s := taught(failed)
	s.chance = chance{}
	ended, end := context.WithCancelCause(t.Context())
	end(errors.New("enough"))
	if err := s.chance.learn(ended, s.trials, s.reader); err == nil || err.Error() != "enough" {
		t.Errorf("error %v where the context has ended, want enough", err)
	}
	if err := s.chance.learn(t.Context(), s.trials, s.reader); err != nil {
		t.Error(err)
	}
	same("interrupted", s, taught(failed))
}
