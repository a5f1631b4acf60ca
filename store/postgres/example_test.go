package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/internal/pgtest"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/postgres"
	"github.com/invbo/invbo/study"
)

var url = "postgres://ann@db.example.org/invbo"

// A random search of numbers for long ones, in a database, whose views anybody may read while it runs.
func Example() {
	ctx := context.Background()
	store, err := postgres.Create(ctx, url, "numbers", postgres.Meta{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	numbers := func(_ context.Context, rng *rand.Rand, n int) (xs []string, _ error) {
		for _, i := range rng.Perm(1_000)[:n] {
			xs = append(xs, strconv.Itoa(i))
		}
		return xs, nil
	}
	s, err := study.New(ctx, study.Problem{
		Oracle: oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: float64(len(x))} }),
		Init:   []study.Observation{{X: "1"}, {X: "22"}},
	}, baseline.NewRandom(numbers, 1), study.Options{Budget: 10, Store: store})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}
	var trials, best float64
	err = store.Pool().QueryRow(ctx, "SELECT count(*), max(score) FROM trials").Scan(&trials, &best)
	fmt.Println(trials, "trials, best score", best, err)
}

func TestExample(t *testing.T) {
	url = postgres.Server.Database(t)
	if got, want := pgtest.Output(t, Example), "12 trials, best score 3 <nil>\n"; got != want {
		t.Errorf("it printed %q, want %q", got, want)
	}
}
