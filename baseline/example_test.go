//go:build rdkit && cgo

package baseline_test

import (
	"context"
	"fmt"

	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle/guacamol"
	"github.com/invbo/invbo/study"
)

func ExampleNewGBGA() {
	druglike, err := guacamol.New("qed")
	if err != nil {
		fmt.Println(err)
		return
	}
	searcher, err := baseline.NewGBGA(baseline.GBGAOptions{}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	s, err := study.New(ctx, study.Problem{
		Oracle: druglike, Translate: molecule.Canonical,
		Init: []study.Observation{{X: "CC(=O)Nc1ccc(O)cc1"}, {X: "CC(C)Cc1ccc(cc1)C(C)C(=O)O"}, {X: "CN1CCCC1c1cccnc1"}},
	}, searcher, study.Options{Budget: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}
	start := 0.0
	for _, t := range s.Trials()[:3] {
		start = max(start, t.Score)
	}
	fmt.Println(len(s.Trials()), s.Best().Score > start)
	// Output: 103 true
}
