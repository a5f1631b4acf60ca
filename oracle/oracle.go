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
// Scores beyond ±Largest count as missing: see Result.Usable.
//
// Func and Each make an Oracle of a function of one string. Timeout and Retry make one of another Oracle, whose calls may
// hang or fail for a while. Callers use Score or One, which check the answer.
package oracle

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
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
	Reason string  // why Score is NaN; empty otherwise

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
	return each{max(workers, 1), f}
}

type each struct {
	workers int
	score   func(ctx context.Context, x string) (Result, error)
}

func (e each) Score(ctx context.Context, x []string) ([]Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]Result, len(x))
	var next, scored atomic.Int64
	var wg sync.WaitGroup
	for range min(e.workers, len(x)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(x) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				r, err := e.score(ctx, x[i])
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
}
