package experiment_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/study"
)

// The tables in the folder of a run that was stopped and resumed are those of one that was not.
func TestTablesOfAResumedRun(t *testing.T) {
	p, err := experiment.RunSpec{Task: "ehrlich:states=4,motifs=2,motif_length=2,length=8", Method: "ga", Budget: 12, Init: experiment.Init{Random: 6}}.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
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
	if got.BestScore != want.BestScore || got.OracleCalls != want.OracleCalls || got.Failed != want.Failed || len(got.Batches) != len(want.Batches) || got.Failed < 0 {
		t.Errorf("resumed %+v, whole %+v", got.Summary, want.Summary)
	}
	for _, name := range []string{"trials.csv", "batches.csv"} {
		a, err := os.ReadFile(filepath.Join(whole, "r", name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(parts, "r", name))
		if err != nil || string(a) != string(b) {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, b, a)
		}
	}
}
