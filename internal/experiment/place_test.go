package experiment_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/pgtest"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/study"
)

var server pgtest.Server // of all tests

func TestMain(m *testing.M) {
	config, err := os.MkdirTemp("", "config")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CONFIG_HOME", config) // the user's gets no key
	code := m.Run()
	server.Stop()
	os.RemoveAll(config)
	os.Exit(code)
}

// database returns a place in a new database.
func database(t *testing.T, name string) string {
	return server.Database(t) + "&study=" + name
}

// places are where an experiment may be kept, as people call it.
var places = []struct {
	name string
	at   func(t *testing.T) string
}{
	{"a file", func(t *testing.T) string { return filepath.Join(t.TempDir(), "lab.db") }},
	{"a database", func(t *testing.T) string { return database(t, "lab") }},
}

func parse(t *testing.T, at string) experiment.Place {
	t.Helper()
	p, err := experiment.ParsePlace(at)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// open opens an experiment, calls f, and closes it.
func open(t *testing.T, at string, opts experiment.Options, f func(*experiment.Experiment)) {
	t.Helper()
	e, err := experiment.Open(t.Context(), at, opts)
	if err != nil {
		t.Fatal(err)
	}
	f(e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// A run is looked at, continued by hand, exported and resumed, wherever it is kept.
func TestVerbsOnARun(t *testing.T) {
	folder := struct {
		name string
		at   func(t *testing.T) string
	}{"a folder", func(t *testing.T) string { return filepath.Join(t.TempDir(), "out") }}
	for _, place := range append(places[1:], folder) {
		t.Run(place.name, func(t *testing.T) {
			at := place.at(t)
			where := experiment.Place{Folder: at}
			if strings.HasPrefix(at, "postgres") {
				where = parse(t, at)
			}
			spec := experiment.RunSpec{Task: "ehrlich", Budget: 6, Init: experiment.Init{Random: 10}}
			p, err := spec.Build(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			e, err := experiment.Create(t.Context(), where, p, experiment.Options{Run: true})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			stop := experiment.Observer{Batch: func(study.Status) { cancel() }}
			if _, err := e.Run(ctx, stop); err == nil {
				t.Error("the run was not stopped")
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}

			open(t, at, experiment.Options{ReadOnly: true}, func(e *experiment.Experiment) {
				if s := e.Status(); s.Strings+s.Failed < 15 {
					t.Errorf("status %+v", s)
				}
				var text bytes.Buffer
				if err := e.Export(false).WriteCSV(&text); err != nil || strings.Count(text.String(), "\n") < 16 {
					t.Errorf("export: %v\n%s", err, &text)
				}
			})
			var asked []study.Proposal
			open(t, at, experiment.Options{}, func(e *experiment.Experiment) {
				if asked, err = e.Ask(t.Context(), 2); err != nil || len(asked) != 2 {
					t.Fatalf("ask: %v, %v", asked, err)
				}
				notes, _ := e.Watch(e.Latest() - 1)
				if fmt.Sprint(notes[0].Proposed) != fmt.Sprint([]int{asked[0].ID, asked[1].ID}) {
					t.Errorf("watch: %+v, want the proposals %d and %d", notes, asked[0].ID, asked[1].ID)
				}
				told, err := e.Tell(t.Context(), []table.Record{{Input: asked[0].Input, Score: 2}}, false)
				if err != nil || told[0].What != experiment.Added {
					t.Errorf("tell: %+v, %v", told, err)
				}
			})
			open(t, at, experiment.Options{Run: true}, func(e *experiment.Experiment) {
				r, err := e.Run(t.Context(), experiment.Observer{})
				if err != nil || r.OracleCalls < 6 || r.BestScore != 2 {
					t.Errorf("resumed: %d calls, best %v, %v", r.OracleCalls, r.BestScore, err)
				}
				for _, trial := range r.Trials {
					if trial.State == study.Pending {
						t.Errorf("trial %d waits", trial.ID)
					}
				}
			})
			if where.Folder != "" {
				text, err := os.ReadFile(filepath.Join(at, experiment.TrialsFile))
				if err != nil || !strings.Contains(string(text), asked[0].Input+",2,") {
					t.Errorf("%s lacks what was told: %v\n%s", experiment.TrialsFile, err, text)
				}
			}
		})
	}
}

// A laboratory's study gets an oracle later, and goes on by hand after that.
func TestVerbsOnALaboratory(t *testing.T) {
	for _, place := range places {
		t.Run(place.name, func(t *testing.T) {
			at := place.at(t)
			p, err := experiment.RunSpec{Task: "strings"}.BuildMeasured(t.Context(), &table.Table{Records: words()})
			if err != nil {
				t.Fatal(err)
			}
			e, err := experiment.Create(t.Context(), parse(t, at), p, experiment.Options{})
			if err != nil {
				t.Fatal(err)
			}
			asked, err := e.Ask(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			oracle := func(s *experiment.RunSpec) error {
				s.Measured, s.Budget, s.External = false, 4, task.External{OracleCmd: "while read x; do echo ${#x}; done"}
				return nil
			}
			open(t, at, experiment.Options{Run: true, Change: oracle}, func(e *experiment.Experiment) {
				r, err := e.Run(t.Context(), experiment.Observer{})
				if err != nil || r.OracleCalls != 4 {
					t.Errorf("%d calls, %v", r.OracleCalls, err)
				}
				if got := e.Lookup(asked[0].X); got.Score != float64(len(asked[0].X)) {
					t.Errorf("what was asked for has the score %g", got.Score)
				}
			})
			open(t, at, experiment.Options{}, func(e *experiment.Experiment) {
				next, err := e.Ask(t.Context(), 1)
				if err != nil || next[0].ID != 11 {
					t.Errorf("asked on: %v, %v", next, err)
				}
			})
			open(t, at, experiment.Options{Run: true}, func(e *experiment.Experiment) {
				if _, err := e.Run(t.Context(), experiment.Observer{}); err == nil || !strings.Contains(err.Error(), "its scores are told") {
					t.Errorf("run without an oracle: %v", err)
				}
			})
		})
	}
}

// An initial design has all that is known of its strings.
func TestInitialMeasurements(t *testing.T) {
	rows := []table.Record{
		{Line: 2, ID: "a", Input: "AC", State: table.Measured, Score: 1, SE: 0.1}, {Line: 3, ID: "a", Input: "AC", State: table.Measured, Score: 2, SE: 0.3},
		{Line: 4, ID: "b", Input: "CC", State: table.Measured, Score: 4, Bound: 1}, {Line: 5, ID: "c", Input: "CA", Score: math.NaN(), State: table.Failed, Reason: table.Reason{Text: "lost"}},
	}
	p, err := experiment.RunSpec{Task: "strings"}.BuildMeasured(t.Context(), &table.Table{Records: rows})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lab.db")
	e, err := experiment.Create(t.Context(), parse(t, path), p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, path, experiment.Options{ReadOnly: true}, func(e *experiment.Experiment) {
		var got []string
		for _, t := range e.All() {
			got = append(got, fmt.Sprintf("%s %s %d %s%g %.3g %d %s", t.Name, t.Kind, t.State, t.Bound, t.Score, t.Variance, len(t.Measurements), t.Reason))
		}
		want := []string{"a initial 2 1.5 0.025 2 ", "b initial 2 >4 0 1 ", "c initial 3 NaN 0 1 lost"}
		if strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
