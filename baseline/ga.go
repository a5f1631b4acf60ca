package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/study"
)

// GA is a genetic algorithm on strings of any alphabet, without a surrogate: parents are drawn from the best strings by their
// scores, and the operators of the space, all as often, make children of them.
type GA struct {
	space   evolve.Space
	seed    uint64
	members []member // the best first, the older first among equals
}

type member struct {
	x     string
	value float64
}

const (
	survivors = 100   // strings that parents are drawn from
	rounds    = 2_000 // attempts at a new string: then there is none
)

// NewGA returns a GA on a space. The same seed and answers give the same search.
func NewGA(space evolve.Space, seed uint64) *GA { return &GA{space: space, seed: seed} }

// Propose returns n children that are new and feasible, or fewer if less than that is left of the budget, or if 2,000 attempts in a row
// find no other; study.ErrExhausted if they find none.
func (g *GA) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	n = min(n, known.Left())
	rng := rand.New(rand.NewPCG(g.seed, uint64(known.Batch())))
	var batch []study.Proposal
	for round := 0; round < rounds && len(batch) < n && len(g.members) > 0; round++ {
		op := g.space.Operators[rng.IntN(len(g.space.Operators))]
		children, err := op.Make(ctx, [][2]string{{g.parent(rng), g.parent(rng)}}, rng)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op.Name, err)
		}
		for _, c := range children {
			ok, err := g.fresh(known, c)
			if err != nil {
				return nil, err
			}
			if ok && len(batch) < n && !slices.ContainsFunc(batch, func(p study.Proposal) bool { return p.X == c.X }) {
				batch = append(batch, study.Proposal{X: c.X, Mean: math.NaN(), SD: math.NaN()})
				round = 0
			}
		}
	}
	if len(batch) == 0 {
		return nil, study.ErrExhausted
	}
	return batch, nil
}

// fresh reports whether a child is new and may be proposed.
func (g *GA) fresh(known study.Ledger, c evolve.Child) (bool, error) {
	if c.X == "" {
		return false, nil
	}
	e := known.Lookup(c.X)
	if e.State != study.Unseen {
		return false, nil
	}
	d := c.Description
	if d == nil {
		read, err := g.space.Read(c.X)
		if err != nil {
			return false, nil
		}
		d = &read
	}
	if d.Infeasible {
		return false, nil
	}
	return known.Feasible(e.Input)
}

// parent draws a string in proportion to its score; if some are negative, the least is subtracted from all.
func (g *GA) parent(rng *rand.Rand) string {
	least, sum := min(0, g.members[len(g.members)-1].value), 0.0
	weight := func(m member) float64 { return m.value - least + 1e-10 } // if all are 0, all are equally likely
	for _, m := range g.members {
		sum += weight(m)
	}
	u := rng.Float64() * sum
	for _, m := range g.members {
		if u -= weight(m); u < 0 {
			return m.x
		}
	}
	return g.members[0].x // rounding left some of u
}

// Observe adds scored strings to those that parents are drawn from, and removes those whose score was corrected to a failure. A score
// that is only known to be above or below something counts as that.
func (g *GA) Observe(_ context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		if t.Input == "" || t.State == study.Skipped {
			continue
		}
		g.members = slices.DeleteFunc(g.members, func(m member) bool { return m.x == t.Input })
		if t.State == study.Scored {
			g.members = append(g.members, member{t.Input, t.Value})
		}
	}
	slices.SortStableFunc(g.members, func(a, b member) int { return cmp.Compare(b.value, a.value) })
	g.members = g.members[:min(len(g.members), survivors)]
	return nil
}
