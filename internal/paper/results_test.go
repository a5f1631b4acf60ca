package paper

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/task"
)

// A result that is added to a file comes back, NaN included.
func TestResultsRoundTrip(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.jsonl")
	rapid.Check(t, func(t *rapid.T) {
		os.Remove(name)
		s := experiment.RunSpec{Version: 1, Task: rapid.String().Draw(t, "task"), Budget: 4, Seed: rapid.Uint64().Draw(t, "seed")}
		score := rapid.Float64().Draw(t, "score")
		run := experiment.Result{
			Summary: experiment.Summary{BestScore: experiment.Number(score), Ranking: experiment.Number(math.NaN()), Best: rapid.String().Draw(t, "best")},
			History: experiment.History{Curve: []experiment.Step{{0, score}}},
		}
		r, err := ReadResults(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(r.open(), r.add(s, run), r.file.Close()); err != nil {
			t.Fatal(err)
		}
		if r, err = ReadResults(name); err != nil {
			t.Fatal(err)
		}
		got, ok := r.Get(s)
		if !ok || got.BestScore != run.BestScore || !math.IsNaN(float64(got.Ranking)) || got.Best != run.Best || got.Curve[0] != run.Curve[0] {
			t.Errorf("%+v came back, %t, want %+v", got, ok, run)
		}
		if s.Seed++; len(r.runs) != 1 || r.runs[s.Key()].BestScore != 0 {
			t.Error("a run with another seed is in the results")
		}
	})
}

func TestReadResultsErrors(t *testing.T) {
	const whole = `{"spec":{"version":1,"task":"a","method":"b","seed":0,"budget":5,"init":{}},"result":{"best_score":1,"curve":[[0,1]]}}` + "\n"
	for _, test := range []struct{ name, text, note, err string }{
		{"whole", whole + whole, "", ""},
		{"the last line is cut off", whole + whole[:40], "line 2 is incomplete", ""},
		{"only a part", whole[:40], "line 1 is incomplete", ""},
		{"one was cut off, and others added", whole + whole[:40] + "\n" + whole, "line 2 is incomplete", ""},
		{"CSV", "task,method\n", "", "it is no file of results of this version"},
		{"a newer program's option", strings.Replace(whole, `"seed"`, `"warp":9,"seed"`, 1), "", `unknown field "warp"`},
		{"a newer version", whole + strings.Replace(whole, `"version":1`, `"version":2`, 1), "", "line 2: version 2"},
	} {
		name := filepath.Join(t.TempDir(), "r.jsonl")
		if err := os.WriteFile(name, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := ReadResults(name)
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.err)
		}
		if err == nil && (!strings.Contains(r.Note, test.note) || test.note == "" && r.Note != "") {
			t.Errorf("%s: note %q, want %q", test.name, r.Note, test.note)
		}
	}
}

// The runs on record are found by what their options are resolved to, and none has an option that its method refuses.
// Runs of methods that were taken out since can be read, and no more.
func TestRunsOnRecord(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "bench", "results", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	lines, found := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for text := range bytes.Lines(data) {
			lines++
			line, err := experiment.ParseLine(text)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			s := line.Spec
			of, err := task.Named(s.Task)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if _, err := experiment.MethodNamed(s.Method); err != nil {
				continue
			}
			found++
			if got, err := s.Resolve(); err != nil || got.Key() != s.Key() {
				t.Errorf("%s: %s is resolved to %s, %v", file, s.Key(), got.Key(), err)
			}
			var given []*option.Option
			for name, v := range map[string]bool{
				"inversion_loss": s.Inversion.Loss != "", "patience": s.Patience != 0, "update_passes": s.Passes != 0,
				"update_rate": s.UpdateRate != of.UpdateRate && s.UpdateRate != 0, "region_length": s.Region.Length != of.Region.Length && s.Region.Length != 0,
			} {
				if v {
					given = append(given, option.Find(name, experiment.MethodParameters()))
				}
			}
			if err := s.Refuse(given, s.Method); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	t.Logf("%d runs on record, %d of methods that there are", lines, found)
	if found < 1300 {
		t.Errorf("%d of %d runs are of methods that there are", found, lines)
	}
}
