package evolve

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// observer returns a searcher of words that makes none.
func observer(t *testing.T) *Searcher {
	t.Helper()
	none := Operator{Name: "none", Make: func(context.Context, [][2]string, *rand.Rand) ([]Child, error) { return nil, nil }}
	s, err := New(Space{Operators: []Operator{none}, Kernels: []gp.Term{{Kernel: gp.Overlap}}, Read: lettersOf}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A trial whose score is struck while a further outcome remains is one without a score, and nothing else; once it is
// scored again it counts again.
func TestStruckScoreLeavesTheSearch(t *testing.T) {
	s := observer(t)
	observe := func(id int, state study.State, value float64) {
		t.Helper()
		trial := study.Trial{State: state, Score: value, Value: value, Revised: len(s.trials) >= 3}
		trial.ID, trial.Input = id, string(rune('a'+id))
		if err := s.Observe(t.Context(), trial); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what string, trials, parts int, best float64) {
		t.Helper()
		if got := s.incumbent(len(s.trials)); len(s.trials) != trials || len(s.parts) != parts || got != best {
			t.Errorf("%s: %d trials, %d parts and the best %g; want %d, %d and %g", what, len(s.trials), len(s.parts), got, trials, parts, best)
		}
		if len(s.index) != trials {
			t.Errorf("%s: an index of %d trials, want %d", what, len(s.index), trials)
		}
		for id, i := range s.index {
			if s.trials[i].ID != id {
				t.Errorf("%s: trial %d is where the index has trial %d", what, s.trials[i].ID, id)
			}
		}
	}
	observe(1, study.Scored, 1)
	observe(2, study.Scored, 9)
	observe(3, study.Scored, 3)
	s.model.Weights = []float64{1}
	observe(2, study.Partial, math.NaN())
	check("struck", 2, 1, 3)
	if s.model.Weights != nil {
		t.Error("the surrogate keeps what it learnt from the struck score")
	}
	observe(1, study.Scored, 4)
	check("another trial is corrected", 2, 1, 4)
	observe(2, study.Scored, 8)
	check("scored again", 3, 0, 8)
}

// Strings without a score are kept in the order in which they were told last, in a time that does not grow with how
// many there are.
func TestManyParts(t *testing.T) {
	const n = 20_000
	s := observer(t)
	observe := func(id int, state study.State) {
		trial := study.Trial{State: state}
		trial.ID, trial.Input = id, strconv.Itoa(id)
		if err := s.Observe(t.Context(), trial); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	for range 2 {
		for id := range n {
			observe(id+1, study.Partial)
		}
	}
	observe(2, study.Partial)
	observe(n-1, study.Scored)
	var got []int
	for _, p := range s.latestParts(3) {
		got = append(got, p.ID)
	}
	if want := []int{n - 2, n, 2}; !slices.Equal(got, want) {
		t.Errorf("the latest parts are %v, want %v", got, want)
	}
	for id := range n {
		observe(id+1, study.Scored)
	}
	if len(s.parts) != 0 || len(s.trials) != n {
		t.Errorf("%d parts and %d trials, want 0 and %d", len(s.parts), len(s.trials), n)
	}
	if took := time.Since(began); took > 3*time.Second { // a scan of all parts for each took 15 s
		t.Errorf("%d strings took %v", n, took)
	}
}

// Hyperparameters of an outcome are chosen again when a quarter more strings have it, also those that its surrogate is
// not fitted to.
func TestOutcomeIsFittedAgain(t *testing.T) {
	s := observer(t)
	s.opts.Window = 40
	s.Constrain([]study.Constraint{{Outcome: "size", Op: "<", Bound: 2}})
	words := scoredWords(60, pairs)
	for _, step := range []struct{ strings, fitted int }{{40, 40}, {48, 40}, {60, 60}} {
		for i := len(s.trials) + len(s.parts); i < step.strings; i++ {
			trial := study.Trial{State: study.Partial, Measurements: []study.Measurement{{Score: math.NaN(), Others: map[string]float64{"size": words[i].y}}}}
			if i < 4 {
				trial.State, trial.Value = study.Scored, float64(i)
			}
			trial.ID, trial.Input = i+1, words[i].x
			if err := s.Observe(t.Context(), trial); err != nil {
				t.Fatal(err)
			}
		}
		all, count := s.window(phase{})
		if err := s.fit(t.Context(), s.points(all), count, all, count, nil); err != nil {
			t.Fatal(err)
		}
		if got := s.outcomes[0].model.Fitted; got != step.fitted {
			t.Errorf("%d strings with an outcome: chosen for %d, want %d", step.strings, got, step.fitted)
		}
	}
}
