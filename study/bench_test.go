package study_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// fresh is a searcher that proposes strings which it never proposed before.
type fresh struct {
	watcher
	n int
}

func (f *fresh) Propose(_ context.Context, _ study.Ledger, n int) ([]study.Proposal, error) {
	var p []study.Proposal
	for range n {
		f.n++
		p = append(p, study.Proposal{X: fmt.Sprint("string ", f.n)})
	}
	return p, nil
}

// BenchmarkLarge asks for five strings, and tells their scores, in a study of 100,000 trials: what a study costs beside its
// searcher and its store.
//
//	go test ./study -run '^$' -bench Large
func BenchmarkLarge(b *testing.B) {
	const trials = 100_000
	design := make([]study.Observation, trials)
	for i := range design {
		design[i] = study.Observation{X: fmt.Sprint("known ", i), Measurements: study.Measured(float64(i))}
	}
	s, err := study.New(b.Context(), study.Problem{Init: design}, &fresh{}, study.Options{Budget: 1 << 40})
	if err != nil {
		b.Fatal(err)
	}
	round := func() {
		asked, err := s.Ask(b.Context(), 5)
		if err != nil || len(asked) != 5 {
			b.Fatal(asked, err)
		}
		for _, p := range asked {
			if err := s.Tell(b.Context(), study.Answer{ID: p.ID, Result: oracle.Result{Score: 1}}); err != nil {
				b.Fatal(err)
			}
		}
	}
	round() // the design
	for b.Loop() {
		round()
	}
}
