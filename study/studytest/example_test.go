package studytest_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

var t *testing.T // the argument of a test

// The test of a searcher: random numbers.
func ExampleSearcher() {
	numbers := func(_ context.Context, rng *rand.Rand, n int) (xs []string, _ error) {
		for _, i := range rng.Perm(1_000)[:n] {
			xs = append(xs, strconv.Itoa(i))
		}
		return xs, nil
	}
	studytest.Searcher(t, func(*testing.T) (study.Problem, study.Searcher) {
		length := oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: float64(len(x))} })
		return study.Problem{Oracle: length, Init: []study.Observation{{X: "1"}, {X: "22"}}}, baseline.NewRandom(numbers, 1)
	})
}

// The test of a store that does not outlive the program: memory.
func ExampleStore() {
	studytest.Store(t, func(*testing.T) study.Store { return &study.Memory{} }, nil)
}

func TestExampleSearcher(test *testing.T) {
	t = test
	ExampleSearcher()
}

func TestExampleStore(test *testing.T) {
	t = test
	ExampleStore()
}
