package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/report"
)

// result is what a run found, with all that its figures show.
type result struct {
	summary
	trials  []invbo.Trial
	batches []invbo.Status // after each
	task    task
}

// summary is a run in result.json, and in the line that --json prints.
type summary struct {
	Task        string   `json:"task"`
	Method      string   `json:"method"`
	Profile     string   `json:"profile,omitempty"`
	Seed        uint64   `json:"seed"`
	Budget      int      `json:"budget"`
	Batch       int      `json:"batch,omitempty"`   // not if it is the method's own
	Scoring     string   `json:"scoring,omitempty"` // flags that scores of the task depend on
	Complete    bool     `json:"complete"`          // it came to an end of its own
	Ended       ending   `json:"ended,omitempty"`   // which, if it did
	InitCalls   int      `json:"init_calls"`
	OracleCalls int      `json:"oracle_calls"`
	Recentering int      `json:"recentering_calls"` // those of oracle_calls that recentering took
	Failed      int      `json:"failed"`            // evaluations without a score
	Best        string   `json:"best"`
	BestScore   *float64 `json:"best_score"` // null: nothing has a score
	Seconds     float64  `json:"seconds"`
	Aligned     *float64 `json:"aligned_fraction"` // null: there are no latents
	Ranking     *float64 `json:"ranking"`          // mean over the batches of Status.Ranking; null: there were too few
	Updates     int      `json:"vae_updates"`
	Restarts    int      `json:"region_restarts"`
	*plausibility
	Phases  phases `json:"phase_seconds"`
	Version string `json:"version"`
}

// ending is why a run ended, if nothing went wrong.
type ending string

const (
	outOfBudget ending = "budget"
	outOfTime   ending = "time"
	dry         ending = "dry" // it found no new string
)

// errTime ends a run whose time is spent.
var errTime = errors.New("the time is spent")

// plausibility is the share of molecules whose atom environments all occur in the training corpus.
type plausibility struct {
	All float64 `json:"plausible_fraction"` // of those scored after the initial data
	Top float64 `json:"plausible_top10"`    // of the best ten of these
}

// phases is where the time of a run went, in seconds. Oracle is summed over calls, which may overlap.
type phases struct {
	Align   float64 `json:"align"`
	Tune    float64 `json:"tune"`
	Fit     float64 `json:"fit"`
	Anchor  float64 `json:"anchor"`
	Acquire float64 `json:"acquire"`
	Decode  float64 `json:"decode"`
	Oracle  float64 `json:"oracle"`
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

// run searches. What was found is in the result even if there is an error.
func (e experiment) run(ctx context.Context) (result, error) {
	clock := &timed{Oracle: e.problem.Oracle}
	e.problem.Oracle = clock
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	began := time.Now()
	var batches []invbo.Status
	watch := e.options.Watch
	e.options.Watch = func(s invbo.Status) {
		batches = append(batches, s)
		if watch != nil {
			watch(s)
		}
		if e.time > 0 && time.Since(began) >= e.time { // no oracle is asked between batches: nothing paid for is lost
			stop(errTime)
		}
	}
	o, err := e.search(ctx, e.problem, e.options)
	if o == nil {
		return result{}, err
	}
	seconds := time.Since(began).Seconds()
	end := outOfBudget
	switch {
	case errors.Is(err, errTime):
		end, err = outOfTime, nil
	case errors.Is(err, invbo.ErrDry), err == nil && o.Status().OracleCalls < e.options.Budget: // the latter of a control
		end, err = dry, nil
	}

	status, best, timing := o.Status(), o.Best(), o.Status().Timing
	r := result{task: e.task, trials: o.Trials(), batches: batches}
	r.summary = summary{
		Task: e.task.name, Scoring: e.scoring, Method: e.options.Method.Name, Profile: e.options.Profile.Name,
		Seed: e.options.Seed, Budget: e.options.Budget, Batch: e.options.Batch,
		Complete: err == nil, InitCalls: status.InitCalls, OracleCalls: status.OracleCalls, Recentering: status.RecenterCalls,
		Best: best.Input, BestScore: known(best.Score), Seconds: seconds, Aligned: known(status.Aligned), Updates: status.Updates, Restarts: status.Restarts,
		Phases: phases{
			Align: timing.Align.Seconds(), Tune: timing.Tune.Seconds(), Fit: timing.Fit.Seconds(),
			Anchor: timing.Anchor.Seconds(), Acquire: timing.Acquire.Seconds(), Decode: timing.Decode.Seconds(),
			Oracle: time.Duration(clock.total.Load()).Seconds(),
		},
		Ranking: meanRanking(batches), Version: version(),
	}
	if err == nil {
		r.Ended = end
	}
	for _, t := range r.trials {
		if math.IsNaN(t.Score) {
			r.Failed++
		}
	}
	if e.parts.plausible != nil {
		p, plausibleErr := e.plausibility(r)
		if plausibleErr != nil {
			return r, errors.Join(err, plausibleErr)
		}
		r.plausibility = &p
	}
	return r, err
}

// meanRanking returns the mean of the batches' rank correlations; nil if none has one.
func meanRanking(batches []invbo.Status) *float64 {
	sum, n := 0.0, 0
	for _, b := range batches {
		if !math.IsNaN(b.Ranking) {
			sum += b.Ranking
			n++
		}
	}
	return known(sum / float64(n)) // 0/0 is NaN
}

// known returns a number for JSON, which has no NaN: nil, that is null.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// orNaN is the inverse of known.
func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// plausibility looks at what was scored after the initial data.
func (e experiment) plausibility(r result) (plausibility, error) {
	found := r.top(len(r.trials), func(t invbo.Trial) bool { return t.Kind != invbo.Initial })
	const best = 10
	all, top := 0, 0
	for i, t := range found {
		ok, err := e.parts.plausible(t.Input)
		if err != nil {
			return plausibility{}, fmt.Errorf("plausibility of %s: %w", t.Input, err)
		}
		if ok {
			all++
		}
		if ok && i < best {
			top++
		}
	}
	return plausibility{share(all, len(found)), share(top, min(best, len(found)))}, nil
}

func share(part, all int) float64 { return float64(part) / float64(max(1, all)) }

// top returns the best n scored trials that pass a filter, best first; earlier ones first among equals.
func (r result) top(n int, pass func(invbo.Trial) bool) []invbo.Trial {
	var found []invbo.Trial
	for _, t := range r.trials {
		if !math.IsNaN(t.Score) && pass(t) {
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b invbo.Trial) int {
		switch {
		case r.task.better(a.Score, b.Score):
			return -1
		case r.task.better(b.Score, a.Score):
			return 1
		}
		return 0
	})
	return found[:min(n, len(found))]
}

// anyTrial passes all that top looks at.
func anyTrial(invbo.Trial) bool { return true }

// save writes the result and its figures, as many as can be; the error is that of the first that cannot.
func (r result) save(d *folder, f taskFlags) error {
	if err := cmp.Or(d.json(resultFile, r.summary), d.file("batches.csv", r.writeBatches)); err != nil {
		return err
	}
	if r.BestScore == nil {
		return nil
	}
	title := fmt.Sprintf("%s: %s, seed %d", r.Task, r.Method, r.Seed)
	figures := map[string]figure{"curve": report.BestCurve{
		Title: title, Score: r.task.score, Minimize: r.task.minimize,
		Methods: []report.Method{{Name: r.Method, Runs: [][]float64{r.best()}}},
	}}
	var failed error // of a figure, which keeps no other from being drawn
	if r.task.draw != nil {
		name, figure, err := r.task.draw(f, r)
		if failed = err; err == nil {
			figures[name] = figure
		}
	}
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		failed = cmp.Or(failed, d.file(name+".svg", figures[name].WriteSVG), d.file(name+".csv", figures[name].WriteCSV))
	}
	if a := r.alignment(); len(a.Aligned) > 0 {
		alignment := report.Alignment{Title: title, Runs: []report.Batches{a}}
		failed = cmp.Or(failed, d.file("alignment.svg", alignment.WriteSVG))
	}
	return failed
}

// print writes what was found, for people.
func (r result) print(w io.Writer) {
	if r.BestScore == nil {
		fmt.Fprintln(w, "Nothing was scored.")
		return
	}
	fmt.Fprintf(w, "Best    %s\n", r.Best)
	fmt.Fprintf(w, "Score   %s  (%s; %s)\n", number(*r.BestScore), r.task.score, r.task.sense())
	for i, t := range r.top(r.task.listed, anyTrial) {
		if i > 0 {
			fmt.Fprintf(w, "%d.      %s  %s\n", i+1, number(t.Score), t.Input)
		}
	}
	fmt.Fprintf(w, "Calls   %d%s, and %d for the initial data%s\n", r.OracleCalls, r.recentering(), r.InitCalls, r.failures())
	if r.plausibility != nil {
		fmt.Fprintf(w, "Looks   plausible: %.0f %% of the molecules scored, %.0f %% of the best ten\n", 100*r.All, 100*r.Top)
	}
	fmt.Fprintf(w, "Time    %.1f s, with %s, seed %d%s\n", r.Seconds, r.Method, r.Seed, r.early())
}

// early says what ended the run before its budget was spent.
func (r result) early() string {
	switch r.Ended {
	case outOfTime:
		return fmt.Sprintf("; the time ended it after %d of %d calls", r.OracleCalls, r.Budget)
	case dry:
		return fmt.Sprintf("; it found no new string after %d of %d calls", r.OracleCalls, r.Budget)
	}
	return ""
}

// recentering mentions the calls that it took, if there were any.
func (r result) recentering() string {
	if r.Recentering == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of them to recenter)", r.Recentering)
}

// failures mentions evaluations without a score, if there were any.
func (r result) failures() string {
	if r.Failed == 0 {
		return ""
	}
	return fmt.Sprintf("; %d gave no score", r.Failed)
}

// best returns the best score after each oracle call, the initial data's first.
func (r result) best() []float64 {
	best := math.NaN()
	curve := []float64{math.NaN()}
	for _, t := range r.trials {
		if math.IsNaN(best) || r.task.better(t.Score, best) {
			best = t.Score
		}
		if t.Kind != invbo.Initial && t.Called {
			curve = append(curve, best)
		} else {
			curve[len(curve)-1] = best
		}
	}
	return curve
}

// alignment returns what happened to the alignment, batch by batch; nothing where there are no latents.
func (r result) alignment() report.Batches {
	b := report.Batches{Name: r.Method}
	for _, s := range r.batches {
		if math.IsNaN(s.Aligned) {
			continue
		}
		b.Aligned = append(b.Aligned, s.Aligned)
		b.Dissimilarity = append(b.Dissimilarity, s.Dissimilarity)
	}
	return b
}

// writeBatches writes where the run stood after each batch.
func (r result) writeBatches(w io.Writer) error {
	rows := [][]string{{"batch", "oracle_calls", "best_score", "aligned_fraction", "dissimilarity", "region_length", "restarts", "vae_updates", "ranking"}}
	for _, s := range r.batches {
		rows = append(rows, []string{
			strconv.Itoa(s.Batch), strconv.Itoa(s.OracleCalls), float(s.Best.Score), float(s.Aligned), float(s.Dissimilarity),
			float(s.Length), strconv.Itoa(s.Restarts), strconv.Itoa(s.Updates), float(s.Ranking),
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
