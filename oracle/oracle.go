// Package oracle defines the interface of objective functions: an Oracle scores strings, a batch at a time.
// It knows nothing of Bayesian optimization. Implementations are in oracle/command, oracle/docking, oracle/expression,
// oracle/guacamol, oracle/remote and oracle/synthetic; oracle/oracletest is the test suite that all of them pass.
//
// An Oracle returns one Result for each string of a batch, in the order of the batch. There are two kinds of failure:
//   - A string that cannot be scored (it is not a molecule, it did not dock) is a Result whose Score is NaN and whose
//     Reason says why. The other strings of the batch are scored.
//   - An error means that the oracle itself cannot go on: its context ended, its program is missing, the disk is full.
//     Then no string of the batch counts as scored. Callers that must not lose a score to the failure of another
//     string pass one string per call, from as many goroutines as they want.
//
// Scores beyond ±Largest count as missing: see Result.Usable. Callers use Score or One, which check the answer.
package oracle

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// An Oracle scores a batch of strings: it returns one Result per string of x, in the order of x, or an error if it
// cannot go on (see the package documentation). It may be called from several goroutines at once, must not change x,
// and returns early, with the cause of ctx, when ctx ends.
type Oracle interface {
	Score(ctx context.Context, x []string) ([]Result, error)
}

// Result is the score of one string. Its unit, and whether larger is better, are the problem's.
type Result struct {
	Score  float64 // NaN if the string could not be scored
	Reason string  // why Score is NaN, or further numbers are missing; may be empty otherwise

	Others map[string]float64 // further numbers that the oracle reports, by name; nil: there are none
}

// Largest bounds the absolute value of a usable score, so that squares of scores and sums of them stay finite. Some
// programs report larger numbers for inputs that they could not score.
const Largest = 1e100

// Usable returns r if its score is a number within ±Largest. Otherwise it returns a Result with a NaN score, whose
// Reason is r's or, if r has none, states the score.
func (r Result) Usable() Result {
	if math.Abs(r.Score) <= Largest {
		return r
	}
	if r.Reason == "" {
		r.Reason = fmt.Sprintf("the oracle answered %g", r.Score)
	}
	r.Score = math.NaN()
	return r
}

// Score returns o's results for x, each made Usable. A number of results other than len(x) is an error.
func Score(ctx context.Context, o Oracle, x []string) ([]Result, error) {
	results, err := o.Score(ctx, x)
	if err != nil {
		return nil, err
	}
	if len(results) != len(x) {
		return nil, fmt.Errorf("oracle: %d results for %d strings", len(results), len(x))
	}
	usable := make([]Result, len(x))
	for i, r := range results {
		usable[i] = r.Usable()
	}
	return usable, nil
}

// One returns o's result for x: it is Score for a single string.
func One(ctx context.Context, o Oracle, x string) (Result, error) {
	results, err := Score(ctx, o, []string{x})
	if err != nil {
		return Result{}, err
	}
	return results[0], nil
}

// Func makes an Oracle of a function that scores one string and cannot fail. The strings of a batch are scored one
// after the other.
type Func func(x string) Result

// Score implements Oracle.
func (f Func) Score(ctx context.Context, x []string) ([]Result, error) {
	return Each(1, func(_ context.Context, x string) (Result, error) { return f(x), nil }).Score(ctx, x)
}

// Each makes an Oracle of a function that scores one string. For each batch it calls f up to workers (at least 1) at a
// time. The first error of f ends the context of the other calls and is returned once they have returned.
func Each(workers int, f func(ctx context.Context, x string) (Result, error)) Oracle {
	return batches(func(ctx context.Context, x []string) ([]Result, error) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		results := make([]Result, len(x))
		var next, scored atomic.Int64
		var wg sync.WaitGroup
		for range min(max(workers, 1), len(x)) {
			wg.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(x) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
					r, err := f(ctx, x[i])
					if err != nil {
						cancel(err)
						return
					}
					results[i] = r
					scored.Add(1)
				}
			})
		}
		wg.Wait()
		if int(scored.Load()) < len(x) { // a context that ended after the last answer loses nothing
			return nil, context.Cause(ctx)
		}
		return results, nil
	})
}

// batches makes an Oracle of a function that scores a batch.
type batches func(ctx context.Context, x []string) ([]Result, error)

func (f batches) Score(ctx context.Context, x []string) ([]Result, error) { return f(ctx, x) }

// Timeout returns o with a limit on the time of each call, which then fails. A d of 0 is no limit.
func Timeout(o Oracle, d time.Duration) Oracle {
	if d == 0 {
		return o
	}
	return batches(func(ctx context.Context, x []string) ([]Result, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, d, fmt.Errorf("no answer within %v", d))
		defer cancel()
		return o.Score(ctx, x)
	})
}

// Retry returns o, whose failed calls are repeated up to retries times: after a second, and then after twice as long
// each time, but no longer than a minute unless o asks for more (see After). Strings without a score are results, and
// not asked for again. Neither is a call repeated whose error is Permanent, or whose context has ended. The error is
// that of the last call, and says how many there were. The log, which may be nil, is told of each failed call that is
// repeated.
func Retry(o Oracle, retries int, log *slog.Logger) Oracle {
	const maxWait = time.Minute
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return batches(func(ctx context.Context, x []string) ([]Result, error) {
		wait := time.Second
		for calls := 1; ; calls++ {
			results, err := Score(ctx, o, x) // too few results are an error like others
			if err == nil || ctx.Err() != nil {
				return results, err
			}
			hint, _ := errors.AsType[hint](err)
			if calls > retries || hint.permanent {
				if calls > 1 {
					err = fmt.Errorf("%w; tried %d times", err, calls)
				}
				return nil, err
			}
			pause := max(wait, hint.after)
			log.WarnContext(ctx, "oracle call failed and will be repeated", "error", err, "calls", calls, "wait", pause)
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return nil, fmt.Errorf("%w; the oracle's last error: %v", context.Cause(ctx), err)
			}
			wait = min(2*wait, maxWait)
		}
	})
}

// mostSkipped is after how many strings in a row for which an oracle failed it is taken to be broken itself.
const mostSkipped = 10

// Skip returns o, with strings for which it fails as Results without a score, whose Reason is the error. A call of
// several strings that fails is repeated for each of them. The oracle itself is taken to be broken, and the error is
// returned, if it fails for all strings of such a call or for ten in a row. The log, which may be nil, is told of each
// string that is skipped.
func Skip(o Oracle, log *slog.Logger) Oracle {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	var skipped atomic.Int64 // in a row
	return batches(func(ctx context.Context, x []string) ([]Result, error) {
		results, err := Score(ctx, o, x)
		if err == nil && len(x) > 0 {
			skipped.Store(0)
		}
		if err == nil || ctx.Err() != nil {
			return results, err
		}
		results = make([]Result, len(x))
		var failed []int
		for i := range x {
			if len(x) > 1 {
				results[i], err = One(ctx, o, x[i])
			}
			switch {
			case err == nil:
				skipped.Store(0)
				continue
			case ctx.Err() != nil:
				return nil, err
			}
			if n := skipped.Add(1); n >= mostSkipped {
				return nil, fmt.Errorf("%w; it has failed for %d strings in a row", err, n)
			}
			results[i] = Result{Score: math.NaN(), Reason: err.Error()}
			failed = append(failed, i)
		}
		if len(failed) > 1 && len(failed) == len(x) {
			return nil, fmt.Errorf("%w; it has failed for all %d strings of a call", err, len(x))
		}
		for _, i := range failed {
			log.WarnContext(ctx, "the oracle failed for a string, which counts as failed", "string", x[i], "error", results[i].Reason)
		}
		return results, nil
	})
}

// hint is an error that says something about a repetition of the call.
type hint struct {
	error
	permanent bool
	after     time.Duration
}

func (h hint) Unwrap() error { return h.error }

// Permanent marks an error that any repetition of the call would meet again.
func Permanent(err error) error { return hint{error: err, permanent: true} }

// IsPermanent reports whether err is, or wraps, one that Permanent marks.
func IsPermanent(err error) bool {
	h, _ := errors.AsType[hint](err)
	return h.permanent
}

// After marks an error of an oracle that asks not to be called again for a time.
func After(err error, d time.Duration) error { return hint{error: err, after: d} }
