package paper

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/task"
)

// A run that fails leaves the others alone, and is named.
func TestGridWithFailure(t *testing.T) {
	good, err := experiment.RunSpec{Task: "ackley", Method: "turbo", Budget: 4, Init: experiment.Init{Random: 10}, Options: task.Options{Dim: 2}}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	bad := good
	bad.Method = "nothing"
	r, err := ReadResults(filepath.Join(t.TempDir(), "r.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.file.Close()
	failed, err := Grid{Jobs: 1, Results: r}.runAll(t.Context(), []experiment.RunSpec{bad, good})
	if err != nil || len(failed) != 1 || !strings.Contains(failed[0].Error(), "ackley, nothing, seed 0") {
		t.Errorf("failed %v, error %v, want one that names the run", failed, err)
	}
	if _, ok := r.Get(good); !ok {
		t.Error("the good run is not in the results")
	}
	if _, ok := r.Get(bad); ok {
		t.Error("the bad run is in the results")
	}
}
