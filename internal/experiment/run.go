package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/postgres"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/worker"
)

// Observer is told how a run proceeds. Any of its fields may be nil.
type Observer struct {
	Begun func([]study.Trial) // before the first, with those that there are
	Trial func(study.Trial)   // after every evaluation
	Batch func(study.Status)  // after every batch
}

// Outcome is what a run found, with all that its figures show.
type Outcome struct {
	Result
	Spec    RunSpec
	Task    task.Task
	Trials  []study.Trial
	Batches []study.Status // after each
	Exempt  bool           // the best is of the initial design, and not feasible
	Allowed *study.Trial   // then: the best feasible one; nil: none has a score
	Model   vae.Model      // of a search in latent space, as its updates left it; nil for other methods

	Shown     func(input string) string // what people know an input as: the mutations of a long variant
	Files     []string                  // names of those in the folder
	Discarded bool                      // nothing was scored, and nothing of the folder is kept
}

// What ends a run before its budget is spent.
var (
	errTime  = errors.New("time is up")
	errStale = errors.New("no progress")
)

// Run has the oracle score what the search proposes, until the budget is spent. With a folder it writes the result and
// its figures at the end. What was found is in the outcome even with an error; the error says after how many calls ctx
// ended the run. Of a new run that ends before anything is scored nothing is kept.
func (e *Experiment) Run(ctx context.Context, watch Observer) (Outcome, error) {
	r, err := e.search(ctx, watch)
	err = usage.Stopped(ctx, err, fmt.Sprintf("stopped after %d of %d oracle calls", r.OracleCalls, e.Spec.Budget))
	if e.folder == nil {
		return r, err
	}
	if err != nil && len(r.Trials) == 0 && !e.resumed {
		e.folder.discarded, r.Discarded = true, true
		return r, err
	}
	saveErr := e.folder.save(r)
	r.Files = e.folder.files
	if err != nil && saveErr != nil {
		return r, fmt.Errorf("%w; %w", err, saveErr)
	}
	return r, cmp.Or(err, saveErr)
}

// Run is Create in memory and Run.
func (p *Plan) Run(ctx context.Context, watch Observer) (_ Outcome, err error) {
	e, err := Create(ctx, Place{}, p, Options{Run: true})
	if err != nil {
		return Outcome{}, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return e.Run(ctx, watch)
}

func (e *Experiment) search(ctx context.Context, watch Observer) (Outcome, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	began := time.Now()
	r := Outcome{Spec: e.Spec, Task: e.Task, Shown: func(input string) string { return usage.Visible(e.shown(input)) }}
	if err := e.scored(ctx); err != nil {
		return r, err
	}
	var best Leaders
	failed := func() {
		if e.folder != nil && e.folder.lost != nil {
			stop(e.folder.lost)
		}
	}
	e.trial = func(t study.Trial) {
		best.Take(t)
		if watch.Trial != nil {
			watch.Trial(t)
		}
		failed()
	}
	e.ended = func(s study.Status) {
		if watch.Batch != nil {
			watch.Batch(s)
		}
		failed()
		if e.Spec.Time > 0 && time.Since(began) >= time.Duration(e.Spec.Time) {
			stop(errTime) // between batches no oracle call is under way that would be lost
		}
		if e.Spec.Stale > 0 && best.Stale() >= e.Spec.Stale {
			stop(errStale)
		}
	}
	known := e.Trials()
	for _, t := range known {
		best.Take(t)
	}
	if watch.Begun != nil {
		watch.Begun(known)
	}
	err := e.Study.Run(ctx)
	return e.outcome(ctx, r, began, err)
}

// scored sets the oracle of a run.
func (e *Experiment) scored(ctx context.Context) (err error) {
	if e.clock == nil {
		return usage.Errorf("it has no oracle: its scores are told; give it one")
	}
	asked := e.parts.Oracle
	if e.Spec.Workers == RemoteWorkers {
		s, ok := e.keeper.kept.(*postgres.Study)
		if !ok {
			return usage.Errorf("workers on other machines find their jobs in a PostgreSQL database")
		}
		if asked, err = worker.NewOracle(ctx, s); err != nil {
			return err
		}
		asked = e.combine(asked)
	} else {
		asked = e.Spec.External.Patient(asked, e.log)
	}
	e.clock.Oracle = e.Spec.Options.Demand(asked)
	return nil
}

// outcome returns what a run that ended with err found.
func (e *Experiment) outcome(ctx context.Context, r Outcome, began time.Time, err error) (Outcome, error) {
	if run, ok := e.searcher.(*invbo.Optimizer); ok {
		r.Model = run.Model()
	}
	r.Trials, r.Batches = e.Trials(), e.endedBatches()
	ended := OutOfBudget
	switch {
	case errors.Is(err, errTime):
		ended, err = OutOfTime, nil
	case errors.Is(err, errStale):
		ended, err = Settled, nil
	case errors.Is(err, study.ErrExhausted):
		ended, err = Exhausted, nil
	case err != nil:
		ended = ""
	}
	status := e.Study.Status()
	r.Summary = Summary{
		Complete: err == nil && ended != OutOfTime, Ended: ended, InitCalls: status.InitCalls, OracleCalls: status.Calls, Recentering: status.Recentering,
		Best: status.Best.Input, BestScore: Number(status.Best.Score), BestBound: status.Best.Bound.String(), Seconds: time.Since(began).Seconds(), Aligned: Number(status.Gauge(invbo.Aligned)),
		Ranking: meanRanking(r.Batches), Plausible: nan, PlausibleTop: nan,
		Updates: count(status.Gauge(invbo.Updates)), Restarts: count(status.Gauge(invbo.Restarts)), EvolveRestarts: count(status.Gauge(evolve.Restarts)), Phases: map[string]float64{},
	}
	r.Violating = status.Violating
	if f := e.Spec.Front(r.Trials); f != nil {
		r.Front, r.Hypervolume, r.Reference = FrontMembers(f, e.Spec.Objectives), Number(f.Hypervolume), Owns(f.Reference, e.Spec.Objectives)
	}
	switch expected, noMean := e.Expect(context.WithoutCancel(ctx)); {
	case noMean == nil:
		r.Expected, r.ExpectedMean, r.ExpectedSD = expected.Input, Number(expected.Mean), Number(expected.SD)
	case !errors.Is(noMean, errors.ErrUnsupported):
		err = errors.Join(err, noMean)
	}
	for _, p := range status.Phases {
		r.Phases[p.Name] = p.Time.Seconds()
	}
	r.Phases["oracle"] = time.Duration(e.clock.total.Load()).Seconds()
	for _, t := range r.Trials {
		if math.IsNaN(t.Score) && t.State != study.Partial {
			r.Failed++
		}
	}
	if known := e.Status(); known.Compared > 0 {
		n := float64(known.Compared)
		r.Within1, r.Within2 = Number(fourDigits(float64(known.Within1)/n)), Number(fourDigits(float64(known.Within2)/n))
	}
	if e.parts.Optimum != nil {
		r.Optimum = Number(*e.parts.Optimum)
		var top Leaders
		for _, t := range r.Trials {
			top.Take(t)
			if t.State == study.Scored && slices.Contains(e.parts.Best, t.Input) {
				r.TopFound++
			}
		}
		if r.TopMean = Number(top.Mean()); e.Task.Minimize {
			r.TopMean = -r.TopMean
		}
		r.HundredFound = found(e.parts.Top, r.Trials)
	}
	r.History = r.history()
	err = errors.Join(err, r.exempt(e.Problem.Feasible))
	if e.parts.Plausible != nil {
		err = errors.Join(err, r.judge(e.parts.Plausible))
	}
	return r, err
}

// found returns how many of the best scores there are trials have: of equal ones, among which no order is better, any.
func found(best []float64, trials []study.Trial) (n int) {
	left := map[float64]int{}
	for _, v := range best {
		left[v]++
	}
	for _, t := range trials {
		if t.State == study.Scored && left[t.Score] > 0 {
			left[t.Score]--
			n++
		}
	}
	return n
}

// studyOptions returns the options of the study. Baselines of cheap proposals score whole generations side by side.
func (p *Plan) studyOptions() study.Options {
	o := study.Options{Budget: p.Spec.Budget, Batch: p.Spec.Batch}
	if p.Method.batch > 0 {
		o.Batch, o.Workers = p.Method.batch, runtime.GOMAXPROCS(0)
	}
	if p.Spec.Workers == RemoteWorkers { // all of a batch, and each answer is stored when it arrives
		o.PerCall, o.Workers = 1, remoteCalls
	} else if p.Task.Is(task.KindOwn) { // one program at a time, unless more are asked for: it may use all processors
		o.PerCall, o.Workers = p.Spec.External.CallSize(o.Batch), max(1, p.Spec.OracleJobs)
	}
	return o
}

// remoteCalls bounds the strings that workers know of at a time: more than there are workers, and not too many for the
// database.
const remoteCalls = 1000

// Oracle returns the oracle of a specification as a worker asks it, and how to end what it starts. Outcomes are
// combined where the study is.
func (s RunSpec) Oracle(ctx context.Context, log *slog.Logger) (o oracle.Oracle, end func(), err error) {
	t, err := task.Named(s.Task)
	if err != nil {
		return nil, nil, err
	}
	if err := t.Available(); err != nil {
		return nil, nil, err
	}
	if o, end, err = t.With(s.Options).OpenOracle(ctx, s.Options); err != nil {
		return nil, nil, err
	}
	return s.External.Patient(o, log), end, nil
}

// count turns a gauge into a number of events.
func count(gauge float64) int {
	if math.IsNaN(gauge) {
		return 0
	}
	return int(gauge)
}

// timed adds up the time that an oracle takes.
type timed struct {
	oracle.Oracle
	total atomic.Int64 // nanoseconds
}

func (t *timed) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	began := time.Now()
	defer func() { t.total.Add(int64(time.Since(began))) }()
	return t.Oracle.Score(ctx, x)
}

// meanRanking returns the mean of the batches' rank correlations; NaN if none has one.
func meanRanking(batches []study.Status) Number {
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
	found := r.Top(len(r.Trials), func(t study.Trial) bool { return t.Kind != study.Initial })
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

// exempt finds the best feasible string where the best is not feasible. Initial designs are exempt from what is asked
// of proposals.
func (r *Outcome) exempt(feasible func(input string) (bool, error)) error {
	if feasible == nil {
		return nil
	}
	for i, t := range r.Top(len(r.Trials), nil) {
		ok, err := feasible(t.Input)
		if err != nil {
			return fmt.Errorf("feasibility of %s: %w", t.Input, err)
		}
		if ok {
			if i > 0 {
				r.Allowed = &t
			}
			return nil
		}
		r.Exempt = true
	}
	return nil
}

// Equal returns how many strings have a score, and whether several have one and all the same.
func (r Outcome) Equal() (n int, equal bool) {
	first := math.NaN()
	equal = true
	for _, t := range r.Trials {
		if t.State != study.Scored {
			continue
		}
		if n++; n == 1 {
			first = t.Score
		}
		equal = equal && t.Score == first
	}
	return n, equal && n > 1
}

// Top returns the best n trials that pass a filter, best first and earlier ones first among equals; a nil filter passes all.
func (r Outcome) Top(n int, pass func(study.Trial) bool) []study.Trial {
	ranked := study.Ranked(r.Trials, r.Spec.Constraints)
	if pass != nil {
		ranked = slices.DeleteFunc(ranked, func(t study.Trial) bool { return !pass(t) })
	}
	return ranked[:min(n, len(ranked))]
}
