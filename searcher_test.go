package invbo_test

import (
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

func TestSearcher(t *testing.T) {
	for name, patience := range map[string]int{"turbo+invbo": 0, "cobo+invbo": 2, "pglbo+structure": 2} {
		t.Run(name, func(t *testing.T) {
			if patience > 0 {
				slow(t)
			}
			studytest.Searcher(t, func(t *testing.T) (study.Problem, study.Searcher) {
				p := fitting(t, 12)
				o, err := invbo.New(p.model, invbo.Options{Method: method(t, name), Profile: quick(invbo.Fitted()), Batch: 4, Patience: patience})
				if err != nil {
					t.Fatal(err)
				}
				return p.Problem, o
			})
		})
	}
}
