package study_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// climber is a searcher: it changes one letter of the best string so far.
type climber struct {
	best study.Trial
	step uint64
}

func (c *climber) Propose(_ context.Context, _ study.Ledger, n int) ([]study.Proposal, error) {
	c.step++
	rng := rand.New(rand.NewPCG(1, c.step))
	proposals := make([]study.Proposal, n)
	for i := range proposals {
		x := []byte(c.best.X)
		x[rng.IntN(len(x))] = byte('a' + rng.IntN(26))
		proposals[i] = study.Proposal{X: string(x), Mean: math.NaN(), SD: math.NaN()}
	}
	return proposals, nil
}

func (c *climber) Observe(_ context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		if t.State == study.Scored && (c.best.X == "" || t.Value > c.best.Value) {
			c.best = t
		}
	}
	return nil
}

// likeGopher scores a word by how many of its letters are those of "gopher".
var likeGopher = oracle.Func(func(x string) oracle.Result {
	score := 0.0
	for i := range min(len(x), len("gopher")) {
		if x[i] == "gopher"[i] {
			score++
		}
	}
	return oracle.Result{Score: score}
})

// A searcher is two methods. The Study finds duplicates, counts calls, stores answers and scores them side by side.
func ExampleSearcher() {
	ctx := context.Background()
	s, err := study.New(ctx, study.Problem{
		Oracle: likeGopher,
		Init:   []study.Observation{{X: "banana"}, {X: "papaya"}},
	}, &climber{}, study.Options{Budget: 300})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Best().X, s.Status().Calls)
	// Output: gopher 300
}
