package oracle_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/oracletest"
)

// calls is an oracle whose calls do as its functions say, one after the other; the last one does for all further calls.
type calls struct {
	do   []func(ctx context.Context) error
	made []time.Duration // since the first
	from time.Time
}

func (c *calls) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	if c.made == nil {
		c.from = time.Now()
	}
	c.made = append(c.made, time.Since(c.from))
	if err := c.do[min(len(c.made), len(c.do))-1](ctx); err != nil {
		return nil, err
	}
	results := make([]oracle.Result, len(x))
	for i, x := range x {
		results[i] = length(x)
	}
	return results, nil
}

func fails(err error) func(context.Context) error { return func(context.Context) error { return err } }

func hangs(ctx context.Context) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

func TestWrappers(t *testing.T) {
	for name, o := range map[string]oracle.Oracle{
		"Timeout": oracle.Timeout(oracle.Func(length), time.Minute), "no Timeout": oracle.Timeout(oracle.Func(length), 0),
		"Retry": oracle.Retry(oracle.Func(length), 2, nil),
	} {
		t.Run(name, func(t *testing.T) { oracletest.Run(t, o, []string{"a", "bcd", "ef"}, []string{""}) })
	}
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := oracle.Timeout(&calls{do: []func(context.Context) error{hangs}}, 5*time.Second).Score(t.Context(), []string{"a"})
		if err == nil || err.Error() != "no answer within 5s" || time.Since(began) != 5*time.Second {
			t.Errorf("error %v after %v, want one after 5s", err, time.Since(began))
		}
	})
}

func TestRetry(t *testing.T) {
	busy, s := errors.New("busy"), time.Second
	fail := fails(busy)
	tests := []struct {
		name    string
		retries int
		do      []func(context.Context) error
		want    []time.Duration // of the calls
		err     string
	}{
		{"no retry unless asked for", 0, []func(context.Context) error{fail}, []time.Duration{0}, "busy"},
		{"until it works", 3, []func(context.Context) error{fail, fail, fails(nil)}, []time.Duration{0, s, 3 * s}, ""},
		{"until it is given up", 2, []func(context.Context) error{fail}, []time.Duration{0, s, 3 * s}, "busy; tried 3 times"},
		{"the wait has a limit", 8, []func(context.Context) error{fail}, []time.Duration{0, s, 3 * s, 7 * s, 15 * s, 31 * s, 63 * s, 123 * s, 183 * s}, "busy; tried 9 times"},
		{"a timeout counts", 1, []func(context.Context) error{hangs, fails(nil)}, []time.Duration{0, 11 * s}, ""},
		{"the oracle asks for time", 2, []func(context.Context) error{fails(oracle.After(busy, 90*s)), fails(oracle.After(busy, s/2)), fails(nil)}, []time.Duration{0, 90 * s, 92 * s}, ""},
		{"never if it is of no use", 5, []func(context.Context) error{fail, fails(oracle.Permanent(busy))}, []time.Duration{0, s}, "busy; tried 2 times"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var logged bytes.Buffer
				log := slog.New(slog.NewTextHandler(&logged, nil))
				c := &calls{do: test.do}
				results, err := oracle.Retry(oracle.Timeout(c, 10*s), test.retries, log).Score(t.Context(), []string{"ab", ""})
				if test.err == "" && (err != nil || len(results) != 2 || results[0].Score != 2 || !math.IsNaN(results[1].Score)) {
					t.Errorf("%v, %v, want scores", results, err)
				}
				if test.err != "" && (err == nil || err.Error() != test.err || !errors.Is(err, busy) || results != nil) {
					t.Errorf("%v, %v, want the error %q", results, err, test.err)
				}
				if len(c.made) != len(test.want) {
					t.Fatalf("calls at %v, want %v", c.made, test.want)
				}
				for i, at := range c.made {
					if at != test.want[i] {
						t.Errorf("calls at %v, want %v", c.made, test.want)
					}
				}
				if n := strings.Count(logged.String(), "will be repeated"); n != len(test.want)-1 {
					t.Errorf("%d repetitions were logged, want %d", n, len(test.want)-1)
				}
			})
		})
	}
}

// Too few results are an error of the oracle.
func TestRetryChecksTheNumberOfResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := oracle.Retry(make(fixed, 1), 1, nil).Score(t.Context(), []string{"a", "b"})
		if err == nil || err.Error() != "oracle: 1 results for 2 strings; tried 2 times" {
			t.Errorf("error %v", err)
		}
	})
}

// The end of the context ends a call, and the wait for the next one, and is not retried.
func TestRetryEndsWithItsContext(t *testing.T) {
	why := errors.New("enough")
	for name, do := range map[string]func(context.Context) error{"call": hangs, "wait": fails(errors.New("busy"))} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				c := &calls{do: []func(context.Context) error{do}}
				time.AfterFunc(time.Second/2, func() { cancel(why) })
				began := time.Now()
				_, err := oracle.Retry(c, 9, nil).Score(ctx, []string{"a"})
				if !errors.Is(err, why) || time.Since(began) != time.Second/2 || len(c.made) != 1 {
					t.Errorf("error %v after %v and %d calls, want %v after half a second and one call", err, time.Since(began), len(c.made), why)
				}
			})
		})
	}
}

// What an oracle reports besides the score is kept, whether or not there is a score.
func TestUsableKeepsOthers(t *testing.T) {
	for _, score := range []float64{1, math.NaN()} {
		r := oracle.Result{Score: score, Others: map[string]float64{"logP": 3}}.Usable()
		if r.Others["logP"] != 3 {
			t.Errorf("%+v, want a logP of 3", r)
		}
	}
}
