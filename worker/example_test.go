package worker_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/invbo/invbo/internal/pgtest"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/postgres"
	"github.com/invbo/invbo/worker"
)

var url = "postgres://ann@db.example.org/invbo"

// Strings of a study that another process scores, perhaps on another machine.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	store, err := postgres.Create(ctx, url, "peptides", postgres.Meta{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	o, err := worker.NewOracle(ctx, store) // for study.Problem.Oracle
	if err != nil {
		fmt.Println(err)
		return
	}
	done := make(chan error)
	go func() { done <- score(ctx) }()
	results, err := oracle.Score(ctx, o, []string{"ACDW", "MNPQRS"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(results[0].Score, results[1].Score)
	cancel()
	fmt.Println("worker:", <-done)
}

// score is the worker.
func score(ctx context.Context) error {
	store, err := postgres.Open(ctx, url, "peptides", postgres.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer store.Close()
	length := oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: float64(len(x))} })
	return worker.Work(ctx, store, length, worker.Options{Jobs: 4})
}

func TestExample(t *testing.T) {
	url = server.Database(t)
	if got, want := pgtest.Output(t, Example), "4 6\nworker: context canceled\n"; got != want {
		t.Errorf("it printed %q, want %q", got, want)
	}
}
