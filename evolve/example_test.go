package evolve_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/study"
)

// A search of words of eight letters for the one with the most pairs "go", in a space of one's own: the surrogate looks
// at pairs of letters and their distance. Package space/tokens has a space of any strings, and space/molecules one of
// molecules.
func ExampleNew() {
	split := func(x string) []string { return strings.Split(x, "") }
	edits := tokens.Edits{Alphabet: split("aego"), Split: split, Fixed: true}
	pairs := gp.TokenGaps(split, 3)
	searcher, err := evolve.New(evolve.Space{
		Operators: edits.Operators(),
		Kernels:   []gp.Term{{Kernel: gp.Overlap}},
		Read: func(x string) (evolve.Description, error) {
			return evolve.Description{Groups: []gp.Counts{pairs(x)}}, nil
		},
	}, evolve.Options{Children: 50})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	s, err := study.New(ctx, study.Problem{
		Oracle: oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: float64(strings.Count(x, "go"))} }),
		Init:   []study.Observation{{X: "aaaaeeee"}, {X: "eegoaaaa"}, {X: "ooooaagg"}},
	}, searcher, study.Options{Budget: 50})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Best().X, s.Best().Score)
	// Output: gogogogo 4
}
