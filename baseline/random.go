package baseline

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/study"
)

// Random proposes random strings.
type Random struct {
	generate func(ctx context.Context, rng *rand.Rand, n int) ([]string, error)
	seed     uint64
}

// NewRandom returns a Random that takes its strings from generate, which returns n different ones.
func NewRandom(generate func(ctx context.Context, rng *rand.Rand, n int) ([]string, error), seed uint64) *Random {
	return &Random{generate: generate, seed: seed}
}

// Propose returns n random strings, or fewer if less than that is left of the budget.
func (r *Random) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	xs, err := r.generate(ctx, rand.New(rand.NewPCG(r.seed, uint64(known.Batch()))), n)
	if err != nil {
		return nil, err
	}
	var batch []study.Proposal
	for _, x := range xs[:min(len(xs), known.Left())] {
		batch = append(batch, study.Proposal{X: x, Mean: math.NaN(), SD: math.NaN()})
	}
	return batch, nil
}

// Observe learns nothing.
func (*Random) Observe(context.Context, ...study.Trial) error { return nil }
