package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// A study in a file goes on where an earlier process ended: first for 10 calls, and then for 5 more.
func Example() {
	dir, err := os.MkdirTemp("", "study")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx, path := context.Background(), filepath.Join(dir, "study.db")

	file, err := sqlite.Create(ctx, path, sqlite.Meta{})
	if err == nil {
		err = random(ctx, file, 10)
	}
	if err == nil {
		file, err = sqlite.Open(ctx, path, sqlite.Options{})
	}
	if err == nil {
		err = random(ctx, file, 15)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// trials before 0, after 12
	// trials before 12, after 17
}

// random searches numbers for long ones at random, within a budget of calls.
func random(ctx context.Context, file *sqlite.File, budget int) error {
	defer file.Close()
	problem := study.Problem{
		Oracle: oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: float64(len(x))} }),
		Init:   []study.Observation{{X: "1"}, {X: "22"}},
	}
	numbers := func(_ context.Context, rng *rand.Rand, n int) (xs []string, _ error) {
		for _, i := range rng.Perm(1_000)[:n] {
			xs = append(xs, strconv.Itoa(i))
		}
		return xs, nil
	}
	s, err := study.New(ctx, problem, baseline.NewRandom(numbers, 1), study.Options{Budget: budget, Store: file})
	if err != nil {
		return err
	}
	before := len(s.Trials())
	err = s.Run(ctx)
	fmt.Printf("trials before %d, after %d\n", before, len(s.Trials()))
	return err
}
