package genetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
)

// Problem is what to search molecules for.
type Problem struct {
	Oracle   oracle.Oracle       // reads canonical SMILES
	Minimize bool                // lower scores are better
	Init     []invbo.Observation // molecules to start from, as SMILES; those that are none are recorded and left out
}

// RunOptions holds what a run may vary. A zero field takes the value in the comment.
type RunOptions struct {
	Options
	Budget  int    // oracle calls after the initial data; 500
	Workers int    // oracle calls at a time; as many as there are processors
	Seed    uint64 // the same seed and answers give the same run

	Record func(invbo.Trial) error // is called with every trial before it is used; its error ends the run
	Watch  func(invbo.Status)      // is called after every generation
	Logger *slog.Logger            // discards
}

// Run breeds molecules and scores them until the budget is spent, or Evolve ends, and returns all trials. A molecule
// that has been scored costs no call. Those of a generation are scored side by side.
//
// A Trial's Batch is its generation, X the string as it was given or bred, Input its canonical SMILES. The error
// wraps ctx's cause if ctx ended the run; with it come the trials until then, each of which has been recorded.
func Run(ctx context.Context, p Problem, opts RunOptions) ([]invbo.Trial, error) {
	if p.Oracle == nil {
		return nil, errors.New("genetic: a Problem needs an Oracle")
	}
	if opts.Budget < 0 || opts.Workers < 0 {
		return nil, fmt.Errorf("genetic: budget %d and workers %d must not be negative", opts.Budget, opts.Workers)
	}
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	opts.Budget = cmp.Or(opts.Budget, 500)
	opts.Workers = cmp.Or(opts.Workers, runtime.GOMAXPROCS(0))
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	r := &run{problem: p, opts: opts, scores: map[string]float64{}}
	r.status = invbo.Status{Budget: opts.Budget, Ranking: math.NaN()}
	r.status.Best.Score = math.NaN()
	start, err := r.start(ctx)
	if err == nil {
		_, err = Evolve(ctx, start, r.fitness, opts.Options, rand.New(rand.NewPCG(opts.Seed, 0)))
	}
	if errors.Is(err, invbo.ErrDone) {
		err = nil
	}
	return r.trials, err
}

// run is the state of a Run.
type run struct {
	problem Problem
	opts    RunOptions
	scores  map[string]float64 // by canonical SMILES; NaN if it could not be scored
	trials  []invbo.Trial
	status  invbo.Status
}

// start records and scores the initial data. It returns their canonical SMILES.
func (r *run) start(ctx context.Context) ([]string, error) {
	var smiles []string
	var asked []invbo.Trial
	for _, o := range r.problem.Init {
		t := invbo.Trial{Kind: invbo.Initial, X: o.X}
		input, err := canonical(o.X)
		if err != nil {
			if err := r.record(t, oracle.Result{Score: math.NaN(), Reason: err.Error()}); err != nil {
				return nil, err
			}
			continue
		}
		if _, known := r.scores[input]; known {
			continue
		}
		t.Input = input
		smiles = append(smiles, input)
		r.scores[input] = math.NaN()
		if !o.Scored {
			asked = append(asked, t)
			continue
		}
		if err := r.record(t, oracle.Result{Score: o.Y}); err != nil {
			return nil, err
		}
	}
	return smiles, r.score(ctx, asked)
}

// fitness scores those of a generation that have not been, as far as the budget goes; at its end it returns invbo.ErrDone.
func (r *run) fitness(ctx context.Context, smiles []string) ([]float64, error) {
	var asked []invbo.Trial
	for _, s := range smiles {
		if _, known := r.scores[s]; !known {
			asked = append(asked, invbo.Trial{Batch: r.status.Batch + 1, Kind: invbo.Acquired, X: s, Input: s})
		}
	}
	if len(asked) > 0 { // none of the initial ones is
		left := r.opts.Budget - r.status.OracleCalls
		if err := r.score(ctx, asked[:min(left, len(asked))]); err != nil {
			return nil, err
		}
		r.status.Batch++
		r.opts.Logger.InfoContext(ctx, "generation", "batch", r.status.Batch, "calls", r.status.OracleCalls, "best", r.status.Best.Score)
		if r.opts.Watch != nil {
			r.opts.Watch(r.status)
		}
		if r.status.OracleCalls == r.opts.Budget {
			return nil, invbo.ErrDone
		}
	}
	fit := make([]float64, len(smiles))
	for i, s := range smiles {
		fit[i] = r.larger(r.scores[s])
	}
	return fit, nil
}

// larger turns a score so that larger is better.
func (r *run) larger(score float64) float64 {
	if r.problem.Minimize {
		return -score
	}
	return score
}

// score asks the oracle about all molecules and records the answers in order, each as soon as those before it are in:
// what has been paid for is recorded even if a later one ends the run.
func (r *run) score(ctx context.Context, asked []invbo.Trial) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type reply struct {
		oracle.Result
		err error
	}
	replies := make([]chan reply, len(asked))
	workers := make(chan struct{}, r.opts.Workers)
	for i, t := range asked {
		replies[i] = make(chan reply, 1)
		go func() {
			workers <- struct{}{}
			defer func() { <-workers }()
			result, err := r.problem.Oracle.Score(ctx, t.Input)
			replies[i] <- reply{result, err}
		}()
	}
	var first error
	for i, t := range asked { // all of them: no goroutine is left behind
		answer := <-replies[i]
		if first == nil && answer.err != nil {
			first = fmt.Errorf("trial %d: score %q: %w", len(r.trials)+1, t.Input, answer.err)
		}
		if first == nil {
			t.Called = true
			first = r.record(t, answer.Result)
		}
		if first != nil {
			cancel(first) // the others would be paid for and not recorded
		}
	}
	return first
}

// record hands a trial to RunOptions.Record and then takes it in.
func (r *run) record(t invbo.Trial, answer oracle.Result) error {
	t.N, t.Score, t.Reason, t.Predicted = len(r.trials)+1, answer.Score, answer.Reason, math.NaN()
	if math.IsNaN(t.Score) || math.IsInf(t.Score, 0) {
		t.Reason = cmp.Or(t.Reason, fmt.Sprintf("the oracle answered %g", t.Score))
		t.Score = math.NaN()
	}
	if r.opts.Record != nil {
		if err := r.opts.Record(t); err != nil {
			return fmt.Errorf("record trial %d: %w", t.N, err)
		}
	}
	r.trials = append(r.trials, t)
	if t.Input != "" {
		r.scores[t.Input] = t.Score
	}
	switch {
	case t.Called && t.Kind == invbo.Initial:
		r.status.InitCalls++
	case t.Called:
		r.status.OracleCalls++
	}
	if math.IsNaN(r.status.Best.Score) || r.larger(t.Score) > r.larger(r.status.Best.Score) {
		r.status.Best = t
	}
	return nil
}
