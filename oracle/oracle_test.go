package oracle_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/oracletest"
)

// length scores a string by its length, unless it is empty.
func length(x string) oracle.Result {
	if x == "" {
		return oracle.Result{Score: math.NaN(), Reason: "empty"}
	}
	return oracle.Result{Score: float64(len(x))}
}

func TestAdapters(t *testing.T) {
	each := func(_ context.Context, x string) (oracle.Result, error) { return length(x), nil }
	for name, o := range map[string]oracle.Oracle{"Func": oracle.Func(length), "Each": oracle.Each(0, each), "Each 3": oracle.Each(3, each)} {
		t.Run(name, func(t *testing.T) { oracletest.Run(t, o, []string{"a", "bcd", "ef"}, []string{""}) })
	}
}

func TestEachCallsUpToWorkersAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := oracle.Each(3, func(_ context.Context, x string) (oracle.Result, error) {
			time.Sleep(time.Second)
			return length(x), nil
		})
		began := time.Now()
		if _, err := o.Score(t.Context(), make([]string, 7)); err != nil || time.Since(began) != 3*time.Second {
			t.Errorf("seven calls of 1s, three at a time: %v, %v, want 3s", time.Since(began), err)
		}
	})
}

// The first error ends the calls in progress, starts no other, and is the one returned.
func TestEachStopsAtAnError(t *testing.T) {
	broken := errors.New("disk full")
	var mu sync.Mutex
	var asked []string
	o := oracle.Each(2, func(ctx context.Context, x string) (oracle.Result, error) {
		mu.Lock()
		asked = append(asked, x)
		mu.Unlock()
		if x == "slow" {
			<-ctx.Done()
			return oracle.Result{}, context.Cause(ctx)
		}
		return oracle.Result{}, broken
	})
	results, err := o.Score(t.Context(), []string{"slow", "breaks", "third", "fourth"})
	if results != nil || err != broken || len(asked) > 2 {
		t.Errorf("Score = %v, %v after %q, want %v after two strings", results, err, asked, broken)
	}
}

// A context that ends when all strings are scored costs no score.
func TestEachKeepsACompleteBatch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := oracle.Each(1, func(_ context.Context, x string) (oracle.Result, error) {
		cancel()
		return length(x), nil
	})
	if results, err := o.Score(ctx, []string{"a"}); err != nil || len(results) != 1 || results[0].Score != 1 {
		t.Errorf("Score = %v, %v, want the score", results, err)
	}
}

// fixed answers every batch with the same results.
type fixed []oracle.Result

func (f fixed) Score(context.Context, []string) ([]oracle.Result, error) { return f, nil }

func TestScoreChecksTheNumberOfResults(t *testing.T) {
	for _, n := range []int{0, 1, 3} {
		_, err := oracle.Score(t.Context(), make(fixed, n), []string{"a", "b"})
		if want := fmt.Sprintf("oracle: %d results for 2 strings", n); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := oracle.One(t.Context(), fixed{}, "a"); err == nil || err.Error() != "oracle: 0 results for 1 strings" {
		t.Errorf("One: error %v", err)
	}
}

func TestScoreMakesResultsUsable(t *testing.T) {
	nan := math.NaN()
	tests := []struct{ given, want oracle.Result }{
		{oracle.Result{Score: -7.5}, oracle.Result{Score: -7.5}},
		{oracle.Result{Score: oracle.Largest}, oracle.Result{Score: oracle.Largest}},
		{oracle.Result{Score: nan, Reason: "did not dock"}, oracle.Result{Score: nan, Reason: "did not dock"}},
		{oracle.Result{Score: nan}, oracle.Result{Score: nan, Reason: "the oracle answered NaN"}},
		{oracle.Result{Score: math.Inf(1)}, oracle.Result{Score: nan, Reason: "the oracle answered +Inf"}},
		{oracle.Result{Score: -2e100}, oracle.Result{Score: nan, Reason: "the oracle answered -2e+100"}},
	}
	for _, test := range tests {
		got, err := oracle.One(t.Context(), fixed{test.given}, "x")
		if err != nil || got.Reason != test.want.Reason || math.Float64bits(got.Score) != math.Float64bits(test.want.Score) {
			t.Errorf("of %+v: %+v, %v, want %+v", test.given, got, err, test.want)
		}
	}
}
