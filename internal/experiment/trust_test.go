package experiment_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/invbo/invbo/baseline"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// config has the user's configuration in a folder.
func config(t *testing.T, folder string) {
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, folder)
	}
}

// The oracle of a study that was made elsewhere, or changed by others, is told from the user's own; what the user
// trusts or gives is kept.
func TestProvenance(t *testing.T) {
	config(t, t.TempDir())
	folder := filepath.Join(t.TempDir(), "run")
	file := filepath.Join(t.TempDir(), "init.txt")
	if err := os.WriteFile(file, []byte("ACDE\nCDEA\nDEAC\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := experiment.RunSpec{Task: "strings", Budget: 3, Options: task.Options{External: task.External{OracleCmd: "sed s/.*/1/"}}}
	spec.Init.File.Path = file
	p, err := spec.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Create(t.Context(), experiment.Place{Folder: folder}, p, experiment.Options{Run: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), experiment.Observer{}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	open := func(change func(*experiment.RunSpec) error) *experiment.Experiment {
		t.Helper()
		e, err := experiment.Open(t.Context(), folder, experiment.Options{Run: true, Change: change})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	expect := func(what string, here, inFolder bool) {
		t.Helper()
		e := open(nil)
		defer e.Close()
		if p := e.Provenance(); p.Here != here || p.InFolder != inFolder {
			t.Errorf("%s: %+v, want here %t and otherwise in the folder %t", what, p, here, inFolder)
		}
	}
	expect("as it was made", true, false)

	// alter changes what the file holds, as one that others made.
	alter := func(from, to string) {
		t.Helper()
		f, err := sqlite.Open(t.Context(), filepath.Join(folder, "study.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		record := bytes.ReplaceAll(f.Meta().Specification, []byte(from), []byte(to))
		if !json.Valid(record) || bytes.Equal(record, f.Meta().Specification) {
			t.Fatalf("%s: nothing is altered", from)
		}
		if err := f.Respecify(t.Context(), record); err != nil {
			t.Fatal(err)
		}
	}
	alter(`sed s/.*/1/`, `rm -r /nowhere`)
	expect("with another command", false, true)
	alter(`rm -r /nowhere`, `sed s/.*/1/`)
	expect("with the command again", true, false)
	alter(`"oracle_cmd"`, `"oracle_dir":"/tmp","oracle_cmd"`)
	expect("in another folder", false, true)
	alter(`"oracle_dir":"/tmp",`, ``)
	alter(`"seal"`, `"sea"`)
	expect("of a version without seals", false, false)
	alter(`"sea"`, `"seal"`)

	// Everybody can read what the machine is called, and nobody else has the key.
	mine := os.Getenv("XDG_CONFIG_HOME")
	file = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{t.TempDir(), file} {
		config(t, other)
		expect("with another key, or with none", false, false)
	}
	alter(`sed s/.*/1/`, `rm -r /nowhere`)
	expect("with another command and no key", false, true)
	alter(`rm -r /nowhere`, `sed s/.*/1/`)
	e = open(func(s *experiment.RunSpec) error { s.Budget = 4; return nil })
	if err := e.KeepOracle(t.Context()); err != nil {
		t.Errorf("trusted without a key: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	expect("trusted without a key", false, false)
	config(t, mine)
	expect("with the key again", false, false)

	e = open(func(s *experiment.RunSpec) error { s.OracleCmd, s.Budget = "sed s/.*/3/", 5; return nil })
	again, err := e.Rescore(t.Context())
	if err != nil || len(again) != 4 || experiment.Difference(again) != 2 {
		t.Errorf("scored again: %v, %v", again, err)
	}
	if r, outcome, found := e.Contradicted(again); !found || outcome != "" || r.ID != 1 {
		t.Errorf("contradicted: %v, %q, %t", r, outcome, found)
	}
	if got := again[0].String(); got != "trial 1: 1 was known, and now it is 3" {
		t.Error(got)
	}
	if err := e.KeepOracle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	expect("given by the user", true, false)
	e = open(nil)
	if e.Spec.OracleCmd != "sed s/.*/3/" || e.Spec.Budget != 3 {
		t.Errorf("kept: %+v", e.Spec.External)
	}
	if !math.IsNaN(experiment.Difference(nil)) {
		t.Error("no string has a difference")
	}
}

// What the noise of measurements explains, or differs little beside the spread of the values, is no contradiction.
// Other outcomes count, too.
func TestContradicted(t *testing.T) {
	score := func(v float64, others map[string]float64) []study.Measurement {
		return []study.Measurement{{Score: v, Others: others}}
	}
	logP := func(v float64) map[string]float64 { return map[string]float64{"logP": v} }
	for _, c := range []struct {
		name   string
		noise  float64
		scores []float64
		now    oracle.Result
		want   string // empty: no contradiction
	}{
		{"the same", 0, []float64{1, 2, 3, 4, 5}, oracle.Result{Score: 5, Others: logP(2)}, ""},
		{"little of the spread", 0, []float64{1, 2, 3, 4, 5}, oracle.Result{Score: 5.1, Others: logP(2)}, ""},
		{"another scale", 0, []float64{1, 2, 3, 4, 5}, oracle.Result{Score: 10, Others: logP(2)}, "trial 5: 5 was known, and now it is 10"},
		{"noise", 1, []float64{1, 2, 3, 4, 5}, oracle.Result{Score: 10, Others: logP(2)}, ""},
		{"more than noise", 0.1, []float64{1, 2, 3, 4, 5}, oracle.Result{Score: 5.7, Others: logP(2)}, "trial 5: 5 was known, and now it is 5.7"},
		{"all equal", 0, []float64{1, 1, 1, 1, 1}, oracle.Result{Score: 1.1, Others: logP(2)}, "trial 5: 1 was known, and now it is 1.1"},
		{"another outcome", 0, []float64{1, 2, 3, 4, 5}, oracle.Result{Score: 5, Others: logP(20)}, "trial 5: logP 2 was known, and now it is 20"},
		{"no score", 0, []float64{1, 2, 3, 4, 5}, oracle.Result{Score: math.NaN(), Reason: "crash"}, ""},
	} {
		spec := experiment.RunSpec{Options: task.Options{Constraints: []study.Constraint{{Outcome: "logP", Op: "<=", Bound: 3}}, Noise: c.noise}}
		e := &experiment.Experiment{Plan: &experiment.Plan{Spec: spec}}
		var p study.Problem
		for i, v := range c.scores {
			p.Init = append(p.Init, study.Observation{X: strconv.Itoa(i), Measurements: score(v, logP(2))})
		}
		s, err := study.New(t.Context(), p, baseline.NewRandom(nil, 0), study.Options{})
		if err == nil {
			err = s.Begin(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		e.Study = s
		r, outcome, found := e.Contradicted([]experiment.Rescored{{Trial: s.Trials()[len(c.scores)-1], Now: c.now}})
		if got := r.About(outcome); found != (c.want != "") || found && got != c.want {
			t.Errorf("%s: %t, %s; want %s", c.name, found, got, c.want)
		}
	}
}
