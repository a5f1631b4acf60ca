package tokens_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/study"
)

// A search of DNA for the strand of eight bases with the most pairs CG, from three strands.
func ExampleNew() {
	init := []study.Observation{{X: "ATATTTAA"}, {X: "TTCGAAAA"}, {X: "CCCCAAGG"}}
	space, err := tokens.New([]string{init[0].X, init[1].X, init[2].X}, tokens.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	searcher, err := evolve.New(space, evolve.Options{Children: 50})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	s, err := study.New(ctx, study.Problem{
		Oracle: oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: float64(strings.Count(x, "CG"))} }),
		Init:   init,
	}, searcher, study.Options{Budget: 60})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Best().X, s.Best().Score)
	// Output: CGCGCGCG 4
}
