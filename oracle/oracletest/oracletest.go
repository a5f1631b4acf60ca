// Package oracletest is the test suite of oracle.Oracle: a new implementation passes Run.
package oracletest

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/invbo/invbo/oracle"
)

// Run checks an oracle that gives a score to each of valid and a reason to each of invalid, and the same answer to
// the same string each time. There must be at least one string of each kind.
func Run(t *testing.T, o oracle.Oracle, valid, invalid []string) {
	t.Helper()
	batch := slices.Concat(valid, invalid, valid[:1]) // a repeated string is answered twice
	want := make([]oracle.Result, len(batch))
	for i, x := range batch {
		var err error
		if want[i], err = oracle.One(t.Context(), o, x); err != nil {
			t.Fatalf("Score(%q): %v", x, err)
		}
		if scored := i < len(valid) || i == len(batch)-1; scored != !math.IsNaN(want[i].Score) || scored != (want[i].Reason == "") {
			t.Errorf("Score(%q) = %+v, want a score: %t", x, want[i], scored)
		}
	}
	// check compares the results of a batch with those of its strings one by one.
	check := func(t *testing.T, x []string, want []oracle.Result) {
		t.Helper()
		got, err := o.Score(t.Context(), x)
		if err != nil || len(got) != len(x) {
			t.Errorf("Score(%q): %d results, %v, want %d results", x, len(got), err, len(x))
			return
		}
		for i, r := range got {
			if math.Float64bits(r.Score) != math.Float64bits(want[i].Score) || r.Reason != want[i].Reason {
				t.Errorf("Score(%q)[%d] = %+v, want %+v, as of the string alone", x, i, r, want[i])
			}
		}
	}
	t.Run("batch", func(t *testing.T) {
		given := slices.Clone(batch)
		check(t, given, want)
		if !slices.Equal(given, batch) {
			t.Errorf("Score changed its batch %q to %q", batch, given)
		}
		slices.Reverse(given)
		reversed := slices.Clone(want)
		slices.Reverse(reversed)
		check(t, given, reversed)
	})
	t.Run("empty", func(t *testing.T) { check(t, nil, nil) })
	t.Run("concurrent", func(t *testing.T) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { check(t, batch, want) })
		}
		wg.Wait()
	})
	t.Run("canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		cancel(why)
		if got, err := o.Score(ctx, valid); got != nil || !errors.Is(err, why) {
			t.Errorf("Score = %v, %v, want no results and the error %v", got, err, why)
		}
	})
}
