package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle"
)

// An oracle whose answer is no number at times does not end a run; what it refused is recorded as failed.
func TestRunWithFailingOracle(t *testing.T) {
	s := flagless(t, "ackley", "fitted")
	s.budget, s.init, s.own.dim = 12, "20", 2
	e, err := s.experiment(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	good := e.problem.Oracle
	e.problem.Oracle = oracle.Func(func(x string) oracle.Result {
		calls++
		if calls%4 == 0 {
			return oracle.Result{Score: bad[calls/4%3]}
		}
		r, _ := oracle.One(t.Context(), good, x) // of Ackley only ctx is an error
		return r
	})
	d, err := newFolder(filepath.Join(t.TempDir(), "out"), false, e.parts.notation)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	e.options.Record = d.record
	e.options.Batch = 1 // one call at a time: calls is not shared
	r, err := e.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.OracleCalls != 12 || r.InitCalls != 20 || r.Failed != 8 {
		t.Errorf("%d calls, %d for the initial data, %d failed, want 12, 20, 8", r.OracleCalls, r.InitCalls, r.Failed)
	}
	if err := r.save(d, s.own); err != nil {
		t.Error(err)
	}
	list, err := readFile(filepath.Join(d.path, trialsFile), nil, verbatim("x"), "score")
	if err != nil {
		t.Fatal(err)
	}
	if len(list.rows) != 24 {
		t.Errorf("%d trials have a score on disk, want 24", len(list.rows))
	}
}

// A figure that cannot be drawn keeps nothing else from being written, and is the error.
func TestSaveWithBadFigure(t *testing.T) {
	d, err := newFolder(t.TempDir(), false, verbatim("x"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	of, err := taskNamed("expression")
	if err != nil {
		t.Fatal(err)
	}
	score := 1.0
	r := result{
		summary: summary{Best: "x", BestScore: &score}, task: of,
		trials:  []invbo.Trial{{Kind: invbo.Initial, Score: score, Called: true}},
		batches: []invbo.Status{{Aligned: 1}},
	}
	if err := r.save(d, taskFlags{target: "1/(x+"}); err == nil || !strings.Contains(err.Error(), "target 1/(x+") {
		t.Errorf("error %v, want one that names the target", err)
	}
	for _, name := range []string{"result.json", "batches.csv", "curve.svg", "alignment.svg"} {
		if !exists(filepath.Join(d.path, name)) {
			t.Errorf("there is no %s", name)
		}
	}
}

// Without any score there is a result, and no figure.
func TestSaveWithoutScore(t *testing.T) {
	d, err := newFolder(t.TempDir(), false, verbatim("x"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	var r result
	if err := r.save(d, taskFlags{}); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	r.print(&text)
	if want := "Nothing was scored.\n"; text.String() != want {
		t.Errorf("printed %q, want %q", text.String(), want)
	}
	line, err := json.Marshal(r.summary)
	if err != nil || !strings.Contains(string(line), `"best_score":null`) {
		t.Errorf("%s, %v, want a null score", line, err)
	}
}
