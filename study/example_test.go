package study_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

func ExampleStudy_Run() {
	ctx := context.Background()
	s, err := study.New(ctx, study.Problem{
		Oracle: likeGopher,
		Init:   []study.Observation{{X: "banana"}, {X: "papaya", Measurements: study.Measured(1)}}, // a known score costs no call
	}, &climber{}, study.Options{Budget: 100, Batch: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}
	status := s.Status()
	fmt.Println(status.InitCalls, "+", status.Calls, "calls, best score", status.Best.Score)
	// Output: 1 + 100 calls, best score 3
}

// Ask and Tell are for oracles that are not programs: a laboratory, for one. Answers may come in any order, and after
// further proposals.
func ExampleStudy_Ask() {
	ctx := context.Background()
	s, err := study.New(ctx, study.Problem{
		Init: []study.Observation{{X: "banana", Measurements: study.Measured(0)}, {X: "papaya", Measurements: study.Measured(1)}},
	}, &climber{}, study.Options{Budget: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	var pending []study.Proposal
	for {
		proposals, err := s.Ask(ctx, 2)
		if errors.Is(err, study.ErrDone) {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		pending = append(pending, proposals...)
	}
	fmt.Println(len(pending), "proposals pending")

	measure := func(i int, score, se float64) {
		err := s.Tell(ctx, study.Answer{ID: pending[i].ID, Result: oracle.Result{Score: score}, SE: se})
		if err != nil {
			fmt.Println(err)
		}
	}
	measure(3, 2.2, 0.1)
	measure(0, 0.9, 0.1)
	measure(3, 2.4, 0.1) // once more
	best := s.Best()
	fmt.Printf("trial %d: %.2f, variance %.3f, of %d measurements\n", best.ID, best.Score, best.Variance, len(best.Measurements))
	// Output:
	// 4 proposals pending
	// trial 6: 2.30, variance 0.005, of 2 measurements
}
