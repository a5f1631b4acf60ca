package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/vae"
)

// What the library says of a run. Other files and commands use these names, so that the library's are mentioned once.
type (
	Trial  = invbo.Trial
	Status = invbo.Status
	Kind   = invbo.Kind
)

const (
	Initial    = invbo.Initial
	Acquired   = invbo.Acquired
	Recentered = invbo.Recentered
)

// Observer is told how a run proceeds. Any of its fields may be nil.
type Observer struct {
	Trial  func(Trial)  // after every evaluation
	Batch  func(Status) // after every batch
	Logger *slog.Logger
}

// Outcome is what a run found, with all that its figures show.
type Outcome struct {
	Result
	Spec    RunSpec
	Task    task.Task
	Trials  []Trial
	Batches []Status // after each
	model   vae.Model
}

// errTime ends a run whose time is up.
var errTime = errors.New("time is up")

// Run searches and, unless dir is nil, writes trials and batches to it as they happen, and the result and its figures at the
// end. What was found is in the outcome even with an error; the error says after how many calls ctx ended the run.
func (e *Experiment) Run(ctx context.Context, dir *Folder, watch Observer) (Outcome, error) {
	r, err := e.search(ctx, dir, watch)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("stopped after %d of %d oracle calls", r.OracleCalls, e.Spec.Budget)
	}
	if dir == nil {
		return r, err
	}
	saveErr := dir.save(r)
	if err != nil && saveErr != nil {
		return r, fmt.Errorf("%w; %w", err, saveErr)
	}
	return r, cmp.Or(err, saveErr)
}

func (e *Experiment) search(ctx context.Context, dir *Folder, watch Observer) (Outcome, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	began := time.Now()
	clock := &timed{Oracle: e.parts.Oracle}
	r := Outcome{Spec: e.Spec, Task: e.Task}
	r.BestScore, r.Aligned, r.Ranking, r.Plausible, r.PlausibleTop = nan, nan, nan, nan, nan
	problem, options := e.problem, e.options
	problem.Oracle, options.Logger = clock, watch.Logger
	options.Record = func(t Trial) error {
		if dir != nil {
			if err := dir.record(t); err != nil {
				return err
			}
		}
		if watch.Trial != nil {
			watch.Trial(t)
		}
		return nil
	}
	options.Watch = func(s Status) {
		r.Batches = append(r.Batches, s)
		if dir != nil {
			if err := dir.batch(s); err != nil {
				stop(err)
			}
		}
		if watch.Batch != nil {
			watch.Batch(s)
		}
		if e.Spec.Time > 0 && time.Since(began) >= time.Duration(e.Spec.Time) {
			stop(errTime) // between batches no oracle call is under way that would be lost
		}
	}
	found, err := e.Method.search(ctx, problem, options)
	if found == nil {
		return r, err
	}
	if run, ok := found.(*invbo.Optimizer); ok {
		r.model = run.Model()
	}
	seconds := time.Since(began).Seconds()
	r.Trials = found.Trials()
	status, best, timing := found.Status(), found.Best(), found.Status().Timing
	ended := OutOfBudget
	switch {
	case errors.Is(err, errTime):
		ended, err = OutOfTime, nil
	case errors.Is(err, invbo.ErrDry), err == nil && status.OracleCalls < e.Spec.Budget: // the latter from a baseline
		ended, err = Exhausted, nil
	case err != nil:
		ended = ""
	}
	r.Summary = Summary{
		Complete: err == nil, Ended: ended, InitCalls: status.InitCalls, OracleCalls: status.OracleCalls, Recentering: status.RecenterCalls,
		Best: best.Input, BestScore: Number(best.Score), Seconds: seconds, Aligned: Number(status.Aligned),
		Ranking: meanRanking(r.Batches), Plausible: nan, PlausibleTop: nan, Updates: status.Updates, Restarts: status.Restarts,
		Phases: Phases{
			Align: timing.Align.Seconds(), Tune: timing.Tune.Seconds(), Fit: timing.Fit.Seconds(),
			Anchor: timing.Anchor.Seconds(), Acquire: timing.Acquire.Seconds(), Decode: timing.Decode.Seconds(),
			Oracle: time.Duration(clock.total.Load()).Seconds(),
		},
	}
	for _, t := range r.Trials {
		if math.IsNaN(t.Score) {
			r.Failed++
		}
	}
	r.History = r.history()
	if e.parts.Plausible != nil {
		err = errors.Join(err, r.judge(e.parts.Plausible))
	}
	return r, err
}

// timed adds up the time that an oracle takes.
type timed struct {
	oracle.Oracle
	total atomic.Int64 // nanoseconds
}

func (t *timed) Score(ctx context.Context, x string) (oracle.Result, error) {
	began := time.Now()
	defer func() { t.total.Add(int64(time.Since(began))) }()
	return t.Oracle.Score(ctx, x)
}

// meanRanking returns the mean of the batches' rank correlations; NaN if none has one.
func meanRanking(batches []Status) Number {
	sum, n := 0.0, 0
	for _, b := range batches {
		if !math.IsNaN(b.Ranking) {
			sum += b.Ranking
			n++
		}
	}
	return Number(sum / float64(n)) // 0/0 is NaN
}

// judge sets the shares of plausible strings among those scored after the initial design.
func (r *Outcome) judge(plausible func(input string) (bool, error)) error {
	found := r.Top(len(r.Trials), func(t Trial) bool { return t.Kind != Initial })
	const best = 10
	all, top := 0, 0
	for i, t := range found {
		ok, err := plausible(t.Input)
		if err != nil {
			return fmt.Errorf("plausibility of %s: %w", t.Input, err)
		}
		if ok {
			all++
		}
		if ok && i < best {
			top++
		}
	}
	share := func(part, all int) Number { return Number(float64(part) / float64(max(1, all))) }
	r.Plausible, r.PlausibleTop = share(all, len(found)), share(top, min(best, len(found)))
	return nil
}

// Top returns the best n scored trials that pass a filter, best first and earlier ones first among equals; a nil filter
// passes all.
func (r Outcome) Top(n int, pass func(Trial) bool) []Trial {
	var found []Trial
	var value []float64 // larger is better
	for _, t := range r.Trials {
		if !math.IsNaN(t.Score) && (pass == nil || pass(t)) {
			found = append(found, t)
			value = append(value, t.Score)
			if r.Task.Minimize {
				value[len(value)-1] = -t.Score
			}
		}
	}
	var best []Trial
	for _, i := range stats.TopK(value, n) {
		best = append(best, found[i])
	}
	return best
}
