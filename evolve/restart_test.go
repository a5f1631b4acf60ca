package evolve

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/invbo/invbo/study"
)

// given and acquired are trials that keep the constraint of violating; those of a batch have the scores that follow its
// number.
func given(scores ...float64) (all []study.Trial) {
	for _, y := range scores {
		all = append(all, study.Trial{State: study.Scored, Score: y, Value: y, Measurements: []study.Measurement{{Score: y, Others: map[string]float64{"size": 1}}}})
	}
	return all
}

func acquired(batch int, scores ...float64) []study.Trial {
	all := given(scores...)
	for i := range all {
		all[i].Kind, all[i].Batch = study.Acquired, batch
	}
	return all
}

// violating returns trials that do not keep the constraint.
func violating(trials []study.Trial) []study.Trial {
	for i := range trials {
		trials[i].Measurements[0].Others["size"] = 3
	}
	return trials
}

// failed returns trials whose score was corrected to a failure.
func failed(trials []study.Trial) []study.Trial {
	for i := range trials {
		trials[i].State, trials[i].Value = study.Failed, math.NaN()
	}
	return trials
}

func TestPhases(t *testing.T) {
	const patience, batch = 3, 9 // of the proposals to come
	start := given(1, 2)
	ended := phase{First: batch}
	for _, test := range []struct {
		name   string
		in     phase
		trials []study.Trial
		number int // of the phase of the proposals
	}{
		{"nothing is known", phase{}, nil, 0},
		{"what was given does not count", phase{}, given(2, 1, 1, 1, 1), 0},
		{"patience lasts", phase{}, slices.Concat(start, acquired(1, 1, 1)), 0},
		{"patience ends", phase{}, slices.Concat(start, acquired(1, 1, 1, 1)), 1},
		{"a score as good as the best is no new best", phase{}, slices.Concat(start, acquired(1, 2, 2, 2)), 1},
		{"a new best renews patience", phase{}, slices.Concat(start, acquired(1, 1, 1, 3, 1, 1)), 0},
		{"the best that was given may come late", phase{}, slices.Concat(start, acquired(1, 6, 1, 1), given(7), acquired(2, 6.5)), 1},
		{"a string that violates a constraint is no best", phase{}, slices.Concat(start, acquired(1, 1, 1), violating(acquired(1, 5))), 1},
		{"a string that has no score any more does not count", phase{}, slices.Concat(start, acquired(1, 1, 1), failed(acquired(1, 1))), 0},
		{"there is no restart while all strings violate a constraint", phase{}, violating(slices.Concat(given(0), acquired(0, 0, 0, 0))), 0},

		{"a restart has a best of its own", phase{1, 2}, slices.Concat(start, acquired(1, 9, 1, 1, 1), acquired(2, 3, 4, 5), acquired(3, 5, 5)), 1},
		{"by which it ends", phase{1, 2}, slices.Concat(start, acquired(1, 9, 1, 1, 1), acquired(2, 3, 4, 5), acquired(3, 5, 5, 5)), 2},
		{"or without one", phase{1, 2}, slices.Concat(start, acquired(1, 9, 1, 1, 1), acquired(2, 1, 1, 1)), 2},
		{"strings of batches before it are not its own", phase{1, 2}, slices.Concat(start, acquired(1, 1, 1, 1, 1, 1), acquired(2, 1, 1)), 1},
		{"even if they are scored late", phase{1, 2}, slices.Concat(start, acquired(1, 1, 1, 1), acquired(2, 1, 1), acquired(1, 9, 9, 9)), 1},
		{"even if nothing in it keeps the constraints", phase{1, 2}, slices.Concat(violating(given(0)), acquired(1, 9), violating(acquired(2, 0, 0, 0))), 2},
		{"after a restart the best is that of all", phase{2, 3}, slices.Concat(start, acquired(1, 9, 1, 1, 1), acquired(2, 3, 1, 1, 1), acquired(3, 8, 8, 8)), 3},
		{"and patience begins anew", phase{2, 3}, slices.Concat(start, acquired(1, 9, 1, 1, 1), acquired(2, 3, 1, 1, 1), acquired(3, 8, 10, 8)), 2},
	} {
		s := &Searcher{opts: Options{Patience: patience}, trials: test.trials, phase: test.in, constraints: []study.Constraint{{Outcome: "size", Op: "<=", Bound: 2}}}
		want := ended
		want.Number = test.number
		if want.Number == test.in.Number {
			want = test.in
		}
		if got := s.next(batch); got != want {
			t.Errorf("%s: phase %+v, want %+v", test.name, got, want)
		}
	}
	s := &Searcher{opts: Options{Patience: -1}, trials: slices.Concat(start, acquired(1, 1, 1, 1, 1))}
	if got := s.next(batch); got != (phase{}) {
		t.Errorf("phase %+v without patience", got)
	}
}

// A restart sees what was given, also since then, and what it proposed itself.
func TestWindowOfARestart(t *testing.T) {
	s := &Searcher{opts: Options{Window: 100}}
	s.trials = slices.Concat(given(0), acquired(1, 1, 1), acquired(2, 0.5), acquired(1, 3), failed(acquired(2, 0)), given(0))
	for i := range s.trials {
		s.trials[i].ID = i + 1
	}
	for _, test := range []struct {
		in   phase
		want []int
	}{{phase{1, 2}, []int{1, 4, 7}}, {phase{2, 3}, []int{1, 2, 3, 4, 5, 7}}} {
		window, scored := s.window(test.in)
		var trials []int
		for _, t := range window {
			trials = append(trials, t.ID)
		}
		if !slices.Equal(trials, test.want) || scored != len(test.want) {
			t.Errorf("phase %+v: trials %d of %d scored, want %d", test.in, trials, scored, test.want)
		}
	}
}

// Restarts from many strings see different ones, which stay when more are given.
func TestRestartsSeeSomeOfMany(t *testing.T) {
	s := &Searcher{opts: Options{Window: 10_000}}
	s.trials = given(make([]float64, 2000)...)
	for i := range s.trials {
		s.trials[i].ID = i + 1
	}
	seen := func(number int) map[int]bool {
		window, _ := s.window(phase{number, 1})
		ids := map[int]bool{}
		for _, t := range window {
			ids[t.ID] = true
		}
		return ids
	}
	both := func(a, b map[int]bool) (n int) {
		for id := range a {
			if b[id] {
				n++
			}
		}
		return n
	}
	first, second := seen(1), seen(3)
	if len(first) != restartsFrom || len(second) != restartsFrom || both(first, second) > restartsFrom/4 {
		t.Errorf("two restarts see %d and %d strings, %d of them the same", len(first), len(second), both(first, second))
	}
	s.trials = append(s.trials, given(0)[0])
	s.trials[2000].ID = 2001
	if kept := both(first, seen(1)); kept < restartsFrom-1 {
		t.Errorf("%d of %d strings stay after another is told", kept, restartsFrom)
	}
}

// A Propose that fails leaves the search as it was: a resumed search begins where the latest one that succeeded ended.
func TestFailedProposeLeavesNoTraces(t *testing.T) {
	for _, test := range []struct {
		name  string
		phase phase
	}{{"in a restart, which has no new string, and neither has the search after it", phase{1, 1}}, {"where a restart begins", phase{}}, {"where none does", phase{}}} {
		s := observer(t)
		if test.name == "where a restart begins" {
			s.opts.Patience = 3
		}
		for i, p := range scoredWords(20, pairs) {
			trial := study.Trial{State: study.Scored, Value: p.y}
			trial.ID, trial.Input, trial.X = i+1, p.x, p.x
			if i >= 10 {
				trial.Kind, trial.Batch = study.Acquired, 1
			}
			if err := s.Observe(t.Context(), trial); err != nil {
				t.Fatal(err)
			}
		}
		s.phase = test.phase
		if _, err := s.propose(t.Context(), ledger{batch: 2}, 3); !errors.Is(err, study.ErrExhausted) {
			t.Fatal(err)
		}
		s.model.Fitted = 1 // so that hyperparameters are chosen again
		weights := s.model.Weights
		if _, err := s.Propose(t.Context(), ledger{batch: 2}, 3); !errors.Is(err, study.ErrExhausted) {
			t.Fatalf("%s: error %v, want ErrExhausted", test.name, err)
		}
		if s.phase != test.phase || s.model.Fitted != 1 || !slices.Equal(s.model.Weights, weights) {
			t.Errorf("%s: phase %+v with weights %g of %d strings, want %+v with %g of 1", test.name, s.phase, s.model.Weights, s.model.Fitted, test.phase, weights)
		}
	}
}
