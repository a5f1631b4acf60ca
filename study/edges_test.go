package study_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// idle proposes nothing.
type idle struct{}

func (idle) Propose(context.Context, study.Ledger, int) ([]study.Proposal, error) {
	return nil, study.ErrExhausted
}

func (idle) Observe(context.Context, ...study.Trial) error { return nil }

// The variance of a mean of three is a third of their sample variance.
func TestThreeReplicates(t *testing.T) {
	s, err := study.New(t.Context(), study.Problem{Init: []study.Observation{{X: "a"}, {X: "b"}}}, idle{}, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, y := range []float64{1, 2, 6} { // mean 3, squares 4 + 1 + 9
		if err := s.Tell(t.Context(), study.Answer{X: "c", Result: oracle.Result{Score: y}}); err != nil {
			t.Fatal(err)
		}
	}
	if c := s.Trials()[0]; c.Score != 3 || math.Abs(c.Variance-14./2/3) > 1e-12 {
		t.Errorf("mean %g and variance %g, want 3 and %g", c.Score, c.Variance, 14./6)
	}
}

// The largest score is one, and of equal scores the first is the best.
func TestLargestScores(t *testing.T) {
	init := []study.Observation{{X: "a", Measurements: study.Measured(-oracle.Largest)}, {X: "b", Measurements: study.Measured(oracle.Largest)}, {X: "c", Measurements: study.Measured(oracle.Largest)}}
	s, err := study.New(t.Context(), study.Problem{Init: init}, idle{}, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Ask(t.Context(), 1); err == nil {
		t.Error("no error of a searcher without a proposal")
	}
	if best := s.Best(); best.X != "b" || len(s.Trials()) != 3 {
		t.Errorf("best %q of %d trials, want b of 3", best.X, len(s.Trials()))
	}
}

// broken is an oracle that always fails.
type broken struct{}

func (broken) Score(context.Context, []string) ([]oracle.Result, error) {
	return nil, errors.New("no licence")
}

// The error of a call names its string, and how many others it was about.
func TestErrorsOfCalls(t *testing.T) {
	for perCall, want := range map[int]string{1: `trial 1: score "a": no licence`, 2: `trial 1: score "a" and 1 more: no licence`} {
		p := study.Problem{Oracle: broken{}, Init: []study.Observation{{X: "a"}, {X: "b"}}}
		s, err := study.New(t.Context(), p, idle{}, study.Options{PerCall: perCall, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
