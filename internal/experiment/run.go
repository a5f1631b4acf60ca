package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae"
)

// Observer is told how a run proceeds. Any of its fields may be nil.
type Observer struct {
	Begun  func([]study.Trial) // before the first, with those of a run that is resumed
	Trial  func(study.Trial)   // after every evaluation
	Batch  func(study.Status)  // after every batch
	Logger *slog.Logger
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
}

// What ends a run before its budget is spent.
var (
	errTime  = errors.New("time is up")
	errStale = errors.New("no progress")
)

// Run searches and, unless dir is nil, writes trials and batches to it as they happen, and the result and its figures at the
// end. What was found is in the outcome even with an error; the error says after how many calls ctx ended the run. Of a new run that
// ends before anything is scored nothing is kept.
func (e *Experiment) Run(ctx context.Context, dir *Folder, watch Observer) (Outcome, error) {
	r, err := e.search(ctx, dir, watch)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("stopped after %d of %d oracle calls", r.OracleCalls, e.Spec.Budget)
	}
	if dir == nil {
		return r, err
	}
	if err != nil && len(r.Trials) == 0 && !dir.resumed {
		dir.discard()
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
	asked := e.remote
	if asked == nil {
		asked = e.Spec.External.Patient(e.parts.Oracle, watch.Logger)
	}
	clock := &timed{Oracle: task.Demand(asked, e.Spec.Constraints)}
	if e.parts.Close != nil {
		defer e.parts.Close()
	}
	r := Outcome{Spec: e.Spec, Task: e.Task}
	options := e.studyOptions()
	var best Leaders
	var taking sync.Mutex // trials of a batch arrive side by side
	keep := &store{Store: &study.Memory{}, failed: stop, watch: func(t study.Trial) {
		taking.Lock()
		best.Take(t)
		taking.Unlock()
		if watch.Trial != nil {
			watch.Trial(t)
		}
	}}
	options.Store, options.Logger = keep, watch.Logger
	if dir != nil {
		keep.Store, keep.dir = dir.study, dir
		r.Batches = dir.earlier()
	} else if e.store != nil {
		keep.Store = e.store
	}
	written := len(r.Batches)
	options.Watch = func(s study.Status) {
		if s.Batches > written { // a resumed search goes through those since its latest snapshot again
			r.Batches = append(r.Batches, s)
			if dir != nil {
				if err := dir.batch(s); err != nil {
					stop(err)
				}
			}
		}
		if watch.Batch != nil {
			watch.Batch(s)
		}
		if e.Spec.Time > 0 && time.Since(began) >= time.Duration(e.Spec.Time) {
			stop(errTime) // between batches no oracle call is under way that would be lost
		}
		if e.Spec.Stale > 0 && best.Stale() >= e.Spec.Stale {
			stop(errStale)
		}
	}
	found, searcher, err := e.study(ctx, clock, options)
	if err != nil {
		return r, err
	}
	if dir != nil {
		if err := dir.tables(r.Batches, found.Trials()); err != nil {
			return r, err
		}
	}
	if watch.Begun != nil {
		watch.Begun(found.Trials())
	}
	err = found.Run(ctx)
	if run, ok := searcher.(*invbo.Optimizer); ok {
		r.Model = run.Model()
	}
	r.Trials = found.Trials()
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
	status := found.Status()
	r.Summary = Summary{
		Complete: err == nil, Ended: ended, InitCalls: status.InitCalls, OracleCalls: status.Calls, Recentering: status.Recentering,
		Best: status.Best.Input, BestScore: Number(status.Best.Score), Seconds: time.Since(began).Seconds(), Aligned: Number(status.Gauge(invbo.Aligned)),
		Ranking: meanRanking(r.Batches), Plausible: nan, PlausibleTop: nan,
		Updates: count(status.Gauge(invbo.Updates)), Restarts: count(status.Gauge(invbo.Restarts)), EvolveRestarts: count(status.Gauge(evolve.Restarts)), Phases: map[string]float64{},
	}
	r.Violating = status.Violating
	if study.Noisy(r.Trials) {
		switch t, mean, sd, noMean := found.BestExpected(context.WithoutCancel(ctx)); {
		case noMean == nil:
			r.Expected, r.ExpectedMean, r.ExpectedSD = t.Input, Number(mean), Number(sd)
		case !errors.Is(noMean, errors.ErrUnsupported):
			err = errors.Join(err, noMean)
		}
	}
	for _, p := range status.Phases {
		r.Phases[p.Name] = p.Time.Seconds()
	}
	r.Phases["oracle"] = time.Duration(clock.total.Load()).Seconds()
	for _, t := range r.Trials {
		if math.IsNaN(t.Score) {
			r.Failed++
		}
	}
	r.History = r.history()
	err = errors.Join(err, r.exempt(e.problem.Feasible))
	if e.parts.Plausible != nil {
		err = errors.Join(err, r.judge(e.parts.Plausible))
	}
	return r, err
}

// Study returns the study of an experiment whose scores are told. Its trials are those of the store.
func (e *Experiment) Study(ctx context.Context, store study.Store) (*study.Study, error) {
	options := e.studyOptions()
	options.Store = store
	s, _, err := e.study(ctx, nil, options)
	return s, err
}

func (e *Experiment) study(ctx context.Context, scores oracle.Oracle, options study.Options) (*study.Study, study.Searcher, error) {
	searcher, err := e.Method.searcher(e)
	if err != nil {
		return nil, nil, usage.Wrap(err)
	}
	problem := e.problem
	problem.Oracle = scores
	s, err := study.New(ctx, problem, searcher, options)
	return s, searcher, usage.Wrap(err)
}

// studyOptions returns the options of the study. Baselines of cheap proposals score whole generations side by side.
func (e *Experiment) studyOptions() study.Options {
	o := study.Options{Budget: e.Spec.Budget, Batch: e.Spec.Batch}
	if e.Method.batch > 0 {
		o.Batch, o.Workers = e.Method.batch, runtime.GOMAXPROCS(0)
	}
	if e.Spec.Workers == RemoteWorkers { // all of a batch, and each answer is stored when it arrives
		o.PerCall, o.Workers = 1, remoteCalls
	} else if e.parts.Batched { // one program at a time, unless more are asked for: it may use all processors
		o.PerCall, o.Workers = e.Spec.External.CallSize(o.Batch), max(1, e.Spec.OracleJobs)
	}
	return o
}

// remoteCalls bounds the strings of which workers know at a time: more than there are workers, and not too many for the database.
const remoteCalls = 1000

// count turns a gauge into a number of events.
func count(gauge float64) int {
	if math.IsNaN(gauge) {
		return 0
	}
	return int(gauge)
}

// store also writes trials to the run's table, and shows them.
type store struct {
	study.Store
	dir    *Folder // nil: there is no table
	watch  func(study.Trial)
	failed func(error) // ends the run, which has lost nothing, if the table cannot be written
}

func (s *store) Save(ctx context.Context, e study.Event) error {
	if err := s.Store.Save(ctx, e); err != nil {
		return err
	}
	for _, t := range e.Trials {
		if t.State == study.Pending {
			continue
		}
		if s.dir != nil {
			if err := s.dir.record(t); err != nil {
				s.failed(err)
			}
		}
		if s.watch != nil {
			s.watch(t)
		}
	}
	return nil
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

// exempt finds the best feasible string where the best is not feasible. Initial designs are exempt from what is asked of proposals.
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

// Top returns the best n scored trials that keep the constraints and pass a filter, best first and earlier ones first among equals; a nil filter
// passes all.
func (r Outcome) Top(n int, pass func(study.Trial) bool) []study.Trial {
	var found []study.Trial
	var value []float64 // larger is better
	for _, t := range r.Trials {
		if t.Counts(r.Spec.Constraints) && (pass == nil || pass(t)) {
			found = append(found, t)
			value = append(value, t.Score)
			if r.Task.Minimize {
				value[len(value)-1] = -t.Score
			}
		}
	}
	var best []study.Trial
	for _, i := range stats.TopK(value, n) {
		best = append(best, found[i])
	}
	return best
}
