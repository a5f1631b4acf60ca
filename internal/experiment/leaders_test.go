package experiment_test

import (
	"math"
	"slices"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/study"
)

// Only batches with one of the ten best are progress, in whatever order its answers arrive.
func TestLeaders(t *testing.T) {
	for _, turned := range []bool{false, true} {
		var best experiment.Leaders
		batch := func(values ...float64) {
			if turned {
				slices.Reverse(values)
			}
			for _, v := range values {
				best.Take(study.Trial{Value: v, State: study.Scored, Called: true})
			}
		}
		batch(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
		if n := best.Stale(); n != 0 || best.Mean() != 6.5 {
			t.Errorf("stale for %d, mean %g; want 0 and that of 2 to 11", n, best.Mean())
		}
		batch(2, 1) // the tenth again
		best.Take(study.Trial{Value: math.NaN(), State: study.Failed, Called: true})
		best.Take(study.Trial{Value: 1, State: study.Scored})                                 // no call
		best.Take(study.Trial{Score: 99, Value: 99, Bound: study.Below, State: study.Scored}) // known only to be less
		if n := best.Stale(); n != 3 {
			t.Errorf("stale for %d, want 3", n)
		}
		batch(2.5, 0, 0)
		if n := best.Stale(); n != 0 || best.Mean() != 6.55 {
			t.Errorf("stale for %d, mean %g; want 0 and 6.55", n, best.Mean())
		}
		batch(0, 0)
		if n := best.Stale(); n != 2 {
			t.Errorf("stale for %d, want 2", n)
		}
		best = experiment.Leaders{}
		for range 4 {
			batch(slices.Repeat([]float64{7}, 8)...)
			if n := best.Stale(); n != 0 {
				t.Errorf("stale for %d though all scores are equal", n)
			}
		}
		batch(6, 7)
		if n := best.Stale(); n != 2 {
			t.Errorf("stale for %d after another score, want 2", n)
		}
	}
}

// A run that goes on counts from where it was, whether its last batch had ended or not.
func TestLeadersGoOn(t *testing.T) {
	var trials []study.Trial
	for batch, values := range [][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {4, 0}, {0, 0}, {0, 11}, {0, 0}, {0, 0}} {
		for _, v := range values {
			trials = append(trials, study.Trial{Proposal: study.Proposal{Batch: batch}, Value: v, State: study.Scored, Called: true})
		}
	}
	for at := range trials {
		var through, again experiment.Leaders
		for i, trial := range trials {
			through.Take(trial)
			if again.Take(trial); i+1 < len(trials) && trials[i+1].Batch == trial.Batch {
				continue
			}
			want := through.Stale()
			if i < at {
				continue // before it went on
			}
			if n := again.Stale(); n != want {
				t.Errorf("after trial %d stale for %d, and for %d where the run went on at trial %d", i, want, n, at)
			}
		}
	}
}
