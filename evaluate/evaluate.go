// Package evaluate keeps the books of a search over molecules that has no latent space: it asks the oracle about each
// molecule once, within a budget, and records the answers. Packages genetic and tanimoto search with it, so that their
// trials are those of the root's loop, and their calls are counted alike.
//
// It needs RDKit: see package molecule.
package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"slices"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
)

// Problem is what to search molecules for.
type Problem struct {
	Oracle   oracle.Oracle       // reads canonical SMILES
	Minimize bool                // lower scores are better
	Init     []invbo.Observation // molecules to start from, as SMILES; those that are none are recorded and left out

	// Feasible says of a canonical SMILES whether a search may ask for it; those to start from are scored
	// whatever it says. An error ends the run. Nil: anything. Searches heed it; a Ledger does not look.
	Feasible func(smiles string) (bool, error)
}

// Options holds what all searches may vary. A zero field takes the value in the comment.
type Options struct {
	Budget  int // oracle calls after the initial data; 500
	Workers int // oracle calls at a time; as many as there are processors

	Record func(invbo.Trial) error // is called with every trial before it is used; its error ends the run
	Watch  func(invbo.Status)      // is called after every batch
	Logger *slog.Logger            // discards
}

// Ledger holds the trials of a search. It is not safe for concurrent use.
//
// A Trial's X is the string as it was given, Input its canonical SMILES; of those that were proposed they are the same.
type Ledger struct {
	Timing invbo.Timing // of the search, which adds to it; it becomes that of Status

	problem Problem
	opts    Options
	scores  map[string]float64 // by canonical SMILES; NaN if it could not be scored
	trials  []invbo.Trial
	status  invbo.Status
}

// New returns an empty Ledger. The error is molecule.ErrNoRDKit, or says what makes no sense.
func New(p Problem, opts Options) (*Ledger, error) {
	if p.Oracle == nil {
		return nil, errors.New("evaluate: a Problem needs an Oracle")
	}
	if opts.Budget < 0 || opts.Workers < 0 {
		return nil, fmt.Errorf("evaluate: budget %d and workers %d must not be negative", opts.Budget, opts.Workers)
	}
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	opts.Budget = cmp.Or(opts.Budget, 500)
	opts.Workers = cmp.Or(opts.Workers, runtime.GOMAXPROCS(0))
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	nan := math.NaN() // whatever is about latents
	return &Ledger{
		problem: p, opts: opts, scores: map[string]float64{},
		status: invbo.Status{
			Budget: opts.Budget, Best: invbo.Trial{Score: nan}, Ranking: nan,
			Aligned: nan, Dissimilarity: nan, Length: nan,
		},
	}, nil
}

// Start records the initial data, and scores what has no score. It returns their canonical SMILES, those without a score included.
//
// The error is Record's or the oracle's, or wraps ctx's cause.
func (l *Ledger) Start(ctx context.Context) ([]string, error) {
	var smiles []string
	var asked []invbo.Trial
	for _, o := range l.problem.Init {
		t := invbo.Trial{Kind: invbo.Initial, X: o.X, Predicted: math.NaN()}
		input, err := molecule.Canonical(o.X)
		if err != nil {
			if err := l.record(t, oracle.Result{Score: math.NaN(), Reason: err.Error()}); err != nil {
				return nil, err
			}
			continue
		}
		same := func(t invbo.Trial) bool { return t.Input == input }
		_, again := l.scores[input]
		switch {
		case again && o.Scored: // perhaps the score of what would be asked for
			before := len(asked)
			if asked = slices.DeleteFunc(asked, same); len(asked) == before {
				continue
			}
		case again:
			continue
		default:
			smiles = append(smiles, input)
			l.scores[input] = math.NaN()
		}
		t.Input = input
		if !o.Scored {
			asked = append(asked, t)
			continue
		}
		if err := l.record(t, oracle.Result{Score: o.Y}); err != nil {
			return nil, err
		}
	}
	return smiles, l.score(ctx, asked)
}

// Proposal is a molecule to score.
type Proposal struct {
	SMILES    string  // canonical
	Predicted float64 // what a surrogate expects, larger is better; NaN if there is none
}

// Batch scores those of a batch that are not known, side by side, as far as the budget goes. If there is none, it does nothing. It
// returns invbo.ErrDone once the budget is spent; other errors are those of Start.
func (l *Ledger) Batch(ctx context.Context, batch []Proposal) error {
	var asked []invbo.Trial
	for _, p := range batch {
		if _, known := l.scores[p.SMILES]; !known {
			l.scores[p.SMILES] = math.NaN() // asked for once
			asked = append(asked, invbo.Trial{
				Batch: l.status.Batch + 1, Kind: invbo.Acquired, X: p.SMILES, Input: p.SMILES, Predicted: p.Predicted,
			})
		}
	}
	if len(asked) == 0 {
		return nil
	}
	if err := l.score(ctx, asked[:min(l.opts.Budget-l.status.OracleCalls, len(asked))]); err != nil {
		return err
	}
	l.status.Batch++
	l.status.Ranking = l.ranking()
	l.status.Timing = l.Timing
	l.opts.Logger.InfoContext(ctx, "batch", "batch", l.status.Batch, "calls", l.status.OracleCalls, "best", l.status.Best.Score,
		"ranking", l.status.Ranking)
	if l.opts.Watch != nil {
		l.opts.Watch(l.status)
	}
	if l.status.OracleCalls == l.opts.Budget {
		return invbo.ErrDone
	}
	return nil
}

// Value returns what a search makes most of, the score, or of one to be minimized its negative; NaN if the molecule could not be
// scored. ok says that it is known.
func (l *Ledger) Value(smiles string) (y float64, ok bool) {
	score, ok := l.scores[smiles]
	return l.larger(score), ok
}

// Scored returns the molecules that have a score, in the order of their trials, with their values.
func (l *Ledger) Scored() (smiles []string, y []float64) {
	for _, t := range l.trials {
		if !math.IsNaN(t.Score) {
			smiles, y = append(smiles, t.Input), append(y, l.larger(t.Score))
		}
	}
	return smiles, y
}

// Trials returns all trials so far, in order.
func (l *Ledger) Trials() []invbo.Trial { return slices.Clone(l.trials) }

// Best returns the best trial so far; its Score is NaN if there is none.
func (l *Ledger) Best() invbo.Trial { return l.status.Best }

// Status returns where the search stands. What it says of latents is NaN.
func (l *Ledger) Status() invbo.Status { return l.status }

// larger turns a score so that larger is better.
func (l *Ledger) larger(score float64) float64 {
	if l.problem.Minimize {
		return -score
	}
	return score
}

// ranking is that of invbo.Status: over the latest 50 proposals with a prediction and a score.
func (l *Ledger) ranking() float64 {
	const window = 50
	var predicted, y []float64
	for _, t := range slices.Backward(l.trials) {
		if len(y) == window {
			break
		}
		if !math.IsNaN(t.Predicted) && !math.IsNaN(t.Score) {
			predicted, y = append(predicted, t.Predicted), append(y, l.larger(t.Score))
		}
	}
	return invbo.Spearman(predicted, y)
}

// score asks the oracle about all molecules and records the answers in order, each as soon as those before it are in. If one of
// them ends the run, the answers that come all the same are recorded, too: they are paid for.
func (l *Ledger) score(ctx context.Context, asked []invbo.Trial) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type reply struct {
		oracle.Result
		err error
	}
	return parallel.Ordered(len(asked), l.opts.Workers, func(i int) reply {
		result, err := oracle.One(ctx, l.problem.Oracle, asked[i].Input)
		return reply{result, err}
	}, func(i int, answer reply) error {
		t, err := asked[i], answer.err
		if err != nil {
			err = fmt.Errorf("trial %d: score %q: %w", len(l.trials)+1, t.Input, err)
		} else {
			t.Called = true
			err = l.record(t, answer.Result)
		}
		if err != nil {
			cancel(err) // nobody wants to know any more
		}
		return err
	}, func(i int, answer reply) {
		if t := asked[i]; answer.err == nil {
			t.Called = true
			l.record(t, answer.Result) // an error is one too many: the run has ended with the first
		}
	})
}

// record hands a trial to Options.Record and then takes it in.
func (l *Ledger) record(t invbo.Trial, answer oracle.Result) error {
	answer = answer.Usable()
	t.N, t.Score, t.Reason = len(l.trials)+1, answer.Score, answer.Reason
	if l.opts.Record != nil {
		if err := l.opts.Record(t); err != nil {
			return fmt.Errorf("record trial %d: %w", t.N, err)
		}
	}
	l.trials = append(l.trials, t)
	if t.Input != "" {
		l.scores[t.Input] = t.Score
	}
	switch {
	case t.Called && t.Kind == invbo.Initial:
		l.status.InitCalls++
	case t.Called:
		l.status.OracleCalls++
	}
	if math.IsNaN(l.status.Best.Score) || l.larger(t.Score) > l.larger(l.status.Best.Score) {
		l.status.Best = t
	}
	return nil
}
