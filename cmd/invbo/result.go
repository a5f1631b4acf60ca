package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/report"
)

// result is what a run found, with all that its figures show.
type result struct {
	summary
	trials []invbo.Trial
	task   task
}

// summary is a run in result.json, and in the line that --json prints.
type summary struct {
	Task        string   `json:"task"`
	Method      string   `json:"method"`
	Profile     string   `json:"profile"`
	Seed        uint64   `json:"seed"`
	Budget      int      `json:"budget"`
	Batch       int      `json:"batch"`
	Complete    bool     `json:"complete"` // the budget is spent
	InitCalls   int      `json:"init_calls"`
	OracleCalls int      `json:"oracle_calls"`
	Failed      int      `json:"failed"` // evaluations without a score
	Best        string   `json:"best"`
	BestScore   *float64 `json:"best_score"` // null: nothing has a score
	Seconds     float64  `json:"seconds"`
	Aligned     float64  `json:"aligned_fraction"`
	Updates     int      `json:"vae_updates"`
	Restarts    int      `json:"region_restarts"`
	Phases      phases   `json:"phase_seconds"`
	Version     string   `json:"version"`
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

func (t *timed) Score(ctx context.Context, x string) (oracle.Result, error) {
	began := time.Now()
	defer func() { t.total.Add(int64(time.Since(began))) }()
	return t.Oracle.Score(ctx, x)
}

// run searches. What was found is in the result even if there is an error.
func (e experiment) run(ctx context.Context) (result, error) {
	clock := &timed{Oracle: e.problem.Oracle}
	e.problem.Oracle = clock
	began := time.Now()
	o, err := invbo.Run(ctx, e.problem, e.options)
	if o == nil {
		return result{}, err
	}
	seconds := time.Since(began).Seconds()

	status, best, timing := o.Status(), o.Best(), o.Status().Timing
	r := result{task: e.task, trials: o.Trials()}
	r.summary = summary{
		Task: e.task.name, Method: e.options.Method.Name, Profile: e.options.Profile.Name,
		Seed: e.options.Seed, Budget: e.options.Budget, Batch: e.options.Batch,
		Complete: err == nil, InitCalls: status.InitCalls, OracleCalls: status.OracleCalls,
		Best: best.X, Seconds: seconds, Aligned: status.Aligned, Updates: status.Updates, Restarts: status.Restarts,
		Phases: phases{
			Align: timing.Align.Seconds(), Tune: timing.Tune.Seconds(), Fit: timing.Fit.Seconds(),
			Anchor: timing.Anchor.Seconds(), Acquire: timing.Acquire.Seconds(), Decode: timing.Decode.Seconds(),
			Oracle: time.Duration(clock.total.Load()).Seconds(),
		},
		Version: version(),
	}
	if !math.IsNaN(best.Score) {
		r.BestScore = &best.Score
	}
	for _, t := range r.trials {
		if math.IsNaN(t.Score) {
			r.Failed++
		}
	}
	return r, err
}

// save writes the result and its figures.
func (r result) save(d *folder, f taskFlags) error {
	if err := d.json("result.json", r.summary); err != nil {
		return err
	}
	if r.BestScore == nil {
		return nil
	}
	figures := map[string]figure{"curve": report.BestCurve{
		Title: fmt.Sprintf("%s: %s, seed %d", r.Task, r.Method, r.Seed), Score: r.task.score, Minimize: r.task.minimize,
		Methods: []report.Method{{Name: r.Method, Runs: [][]float64{r.best()}}},
	}}
	if r.task.fit != nil {
		figures["fit"] = r.task.fit(f, r.Best, *r.BestScore)
	}
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		if err := d.file(name+".svg", figures[name].WriteSVG); err != nil {
			return err
		}
		if err := d.file(name+".csv", figures[name].WriteCSV); err != nil {
			return err
		}
	}
	return nil
}

// print writes what was found, for people.
func (r result) print(w io.Writer) {
	if r.BestScore == nil {
		fmt.Fprintln(w, "Nothing was scored.")
		return
	}
	fmt.Fprintf(w, "Best    %s\n", r.Best)
	fmt.Fprintf(w, "Score   %s  (%s; %s)\n", number(*r.BestScore), r.task.score, r.task.sense())
	fmt.Fprintf(w, "Calls   %d, and %d for the initial data%s\n", r.OracleCalls, r.InitCalls, r.failures())
	fmt.Fprintf(w, "Time    %.1f s, with %s, seed %d\n", r.Seconds, r.Method, r.Seed)
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
