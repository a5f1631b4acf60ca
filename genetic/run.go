package genetic

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evaluate"
)

// RunOptions holds what a run may vary. A zero field takes the value in the comment.
type RunOptions struct {
	evaluate.Options         // those of any search; a batch is a generation
	Constants        Options // of the algorithm
	Seed             uint64  // the same seed and answers give the same run
}

// Run breeds molecules and scores them until the budget is spent, or Evolve ends. A molecule that has been scored costs
// no call. Those of a generation are scored side by side.
//
// The error wraps ctx's cause if ctx ended the run; with it comes the Ledger of the trials until then.
func Run(ctx context.Context, p evaluate.Problem, opts RunOptions) (*evaluate.Ledger, error) {
	l, err := evaluate.New(p, opts.Options)
	if err != nil {
		return nil, err
	}
	start, err := l.Start(ctx)
	if err != nil {
		return l, err
	}
	constants := opts.Constants
	constants.Feasible = p.Feasible
	fitness := func(ctx context.Context, smiles []string) ([]float64, error) {
		batch := make([]evaluate.Proposal, len(smiles))
		for i, s := range smiles {
			batch[i] = evaluate.Proposal{SMILES: s, Predicted: math.NaN()}
		}
		if err := l.Batch(ctx, batch); err != nil {
			return nil, err
		}
		fit := make([]float64, len(smiles))
		for i, s := range smiles {
			fit[i], _ = l.Value(s)
		}
		return fit, nil
	}
	_, err = Evolve(ctx, start, fitness, constants, rand.New(rand.NewPCG(opts.Seed, 0)))
	if errors.Is(err, invbo.ErrDone) {
		err = nil
	}
	return l, err
}
