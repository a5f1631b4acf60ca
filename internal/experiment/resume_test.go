package experiment_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/study"
)

// The tables in the folder of a run that was stopped and resumed are those of one that was not.
func TestTablesOfAResumedRun(t *testing.T) {
	const ehrlich = "ehrlich:states=4,motifs=2,motif_length=2,length=8"
	for method, task := range map[string]string{"ga": ehrlich, "evolve": ehrlich, "turbo": "ackley:dim=2"} {
		t.Run(method, func(t *testing.T) {
			compareResumed(t, build(t, experiment.RunSpec{Task: task, Method: method, Budget: 12, MethodOptions: experiment.MethodOptions{Batch: 4}, Init: experiment.Init{Random: 6}}))
		})
	}
}

func compareResumed(t *testing.T, p *experiment.Plan) {
	run := func(dir string, stopAfter int) experiment.Outcome {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		e, err := experiment.Create(ctx, experiment.Place{Folder: dir}, p, experiment.Options{Run: true})
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		watch := experiment.Observer{Trial: func(tr study.Trial) {
			if tr.Kind != study.Initial && tr.Called {
				if calls++; calls == stopAfter {
					stop()
				}
			}
		}}
		r, err := e.Run(ctx, watch)
		if stopped := err != nil; stopped != (stopAfter > 0) {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if stopAfter == 0 {
			return r
		}
		again, err := experiment.Open(t.Context(), dir, experiment.Options{Run: true})
		if err != nil {
			t.Fatal(err)
		}
		r, err = again.Run(t.Context(), experiment.Observer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		return r
	}
	whole, parts := t.TempDir(), t.TempDir()
	want, got := run(filepath.Join(whole, "r"), 0), run(filepath.Join(parts, "r"), 7)
	if got.BestScore != want.BestScore || got.OracleCalls != want.OracleCalls || got.Failed != want.Failed || len(got.Batches) != len(want.Batches) {
		t.Errorf("resumed %+v, whole %+v", got.Summary, want.Summary)
	}
	for _, name := range []string{"trials.csv", "batches.csv"} {
		a, err := os.ReadFile(filepath.Join(whole, "r", name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(parts, "r", name))
		if err != nil || string(a) != string(b) || strings.Count(string(a), "\n") < 4 {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, b, a)
		}
	}
}
