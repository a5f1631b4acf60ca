// Package oracle defines what scores a string. Implementations sit below it and know nothing of
// Bayesian optimization: oracle/docking, oracle/expression, oracle/guacamol, oracle/synthetic.
package oracle

import (
	"context"
	"fmt"
	"math"
)

// An Oracle scores a string. Score may take long, may be called from several goroutines at once and
// stops early when ctx ends.
//
// A string that cannot be scored is a Result with a NaN Score and a Reason. An error means that the
// oracle itself cannot go on (ctx ended, its program is missing) and that x was not scored.
type Oracle interface {
	Score(ctx context.Context, x string) (Result, error)
}

// Result is an oracle's answer. Its unit and whether more is better belong to the problem.
type Result struct {
	Score  float64 // NaN if x could not be scored
	Reason string  // why Score is NaN; empty otherwise
}

// Largest bounds the scores that are of use: squares and their sums stay finite below it. Beyond it stands what some programs answer
// for what they could not score.
const Largest = 1e100

// Usable returns r itself if its score is a number from -Largest to Largest, and otherwise a Result without a score, whose Reason
// is r's or says what r's score was.
func (r Result) Usable() Result {
	if math.Abs(r.Score) <= Largest {
		return r
	}
	if r.Reason == "" {
		r.Reason = fmt.Sprintf("the oracle answered %g", r.Score)
	}
	return Result{math.NaN(), r.Reason}
}

// Func makes an Oracle of a function that always has an answer.
type Func func(x string) Result

// Score calls f, unless ctx has ended.
func (f Func) Score(ctx context.Context, x string) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, context.Cause(ctx)
	}
	return f(x), nil
}
