package experiment_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// lengths scores strings by their length.
const lengths = "while read x; do echo ${#x}; done"

// cells scores strings of A, C, D and E by their numbers of A and D.
const cells = `awk -F, 'NR == 1 { print "x,yield,trial"; next } { x = $1; n = gsub(/A/, "", x); d = gsub(/D/, "", x); print $1 "," n "," d / 10 }'`

// program is a run on short strings that a program scores.
func program(cmd string) experiment.RunSpec {
	return experiment.RunSpec{
		Task: "strings", Method: "ga", Budget: 12, Init: experiment.Init{Random: 6}, MethodOptions: experiment.MethodOptions{Batch: 3},
		Options: task.Options{Alphabet: "ACDE", Ehrlich: task.Ehrlich{Length: 5}, External: task.External{OracleCmd: cmd}},
	}
}

func build(t *testing.T, s experiment.RunSpec) *experiment.Plan {
	t.Helper()
	p, err := s.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runIn creates an experiment in a folder and runs it.
func runIn(t *testing.T, dir string, s experiment.RunSpec) (experiment.Outcome, error) {
	t.Helper()
	e, err := experiment.Create(t.Context(), experiment.Place{Folder: dir}, build(t, s), experiment.Options{Run: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Run(t.Context(), experiment.Observer{})
	if closed := e.Close(); closed != nil {
		t.Error(closed)
	}
	return r, err
}

// readCSV returns the rows of a table by the names of its columns.
func readCSV(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// checkOutcome compares the numbers of a run with its trials.
func checkOutcome(t *testing.T, r experiment.Outcome) {
	t.Helper()
	want := experiment.Summary{BestScore: experiment.Number(nan)}
	var best study.Trial
	newStrings := 0.0
	for _, trial := range r.Trials {
		switch called := trial.Called; {
		case called && trial.Kind == study.Initial:
			want.InitCalls++
		case called:
			want.OracleCalls++
			if trial.Kind == study.Recentered {
				want.Recentering++
			}
			if trial.Kind == study.Acquired {
				newStrings++
			}
		}
		if math.IsNaN(trial.Score) {
			want.Failed++
			continue
		}
		if trial.Violates(r.Spec.Constraints) != "" {
			want.Violating++
			continue
		}
		if best.ID == 0 || trial.Value > best.Value {
			best = trial
			want.Best, want.BestScore = trial.Input, experiment.Number(trial.Score)
		}
	}
	got := r.Summary
	if got.InitCalls != want.InitCalls || got.OracleCalls != want.OracleCalls || got.Recentering != want.Recentering || got.Failed != want.Failed ||
		got.Violating != want.Violating || got.Best != want.Best || got.BestScore != want.BestScore {
		t.Errorf("summary %+v, want %+v", got, want)
	}
	after := r.BestAfter(r.OracleCalls)
	if len(after) != r.OracleCalls+1 || after[r.OracleCalls] != float64(want.BestScore) {
		t.Errorf("best after each call %v, want %v in the end", after, want.BestScore)
	}
	var sum float64
	for _, n := range r.NewStrings {
		sum += n
	}
	if sum != newStrings || len(r.NewStrings) != len(r.Batches) {
		t.Errorf("new strings %v in %d batches, want %g", r.NewStrings, len(r.Batches), newStrings)
	}
	var rankings []float64
	for _, b := range r.Batches {
		if !math.IsNaN(b.Ranking) {
			rankings = append(rankings, b.Ranking)
		}
	}
	var mean float64
	for _, v := range rankings {
		mean += v / float64(len(rankings))
	}
	if known := !math.IsNaN(float64(r.Ranking)); known != (len(rankings) > 0) || known && math.Abs(float64(r.Ranking)-mean) > 1e-12 {
		t.Errorf("ranking %v, want the mean of %v", r.Ranking, rankings)
	}
	if top := r.Top(3, nil); len(top) > 0 && top[0].Score != float64(want.BestScore) {
		t.Errorf("the best three begin with %g, want %v", top[0].Score, want.BestScore)
	}
	if r.Phases["oracle"] <= 0 || r.Seconds <= 0 {
		t.Errorf("%g s, phases %v", r.Seconds, r.Phases)
	}
}

// A program reports properties that the score is made of and outcomes that constraints bound. The folder holds all that
// was found.
func TestRunOfAProgram(t *testing.T) {
	for method, minimize := range map[string]bool{"evolve": false, "ga": true} {
		s := program(cells)
		s.OracleProtocol, s.Method, s.Minimize = "csv", method, minimize
		s.Properties = []oracle.Property{{Name: "yield", Weight: 2}, {Name: "trial", Weight: -1}}
		s.Constraints = []study.Constraint{{Outcome: "trial", Op: "<", Bound: 0.15}}
		dir := filepath.Join(t.TempDir(), "out")
		r, err := runIn(t, dir, s)
		if err != nil {
			t.Fatal(err)
		}
		checkOutcome(t, r)
		if !r.Complete || r.Ended != experiment.OutOfBudget || r.OracleCalls != 12 || r.InitCalls != 6 || r.Violating == 0 || r.Exempt || r.Expected != "" {
			t.Errorf("%+v", r.Summary)
		}
		rows := readCSV(t, filepath.Join(dir, experiment.TrialsFile))
		if len(rows) != len(r.Trials) || len(rows) < 18 {
			t.Fatalf("%d rows, and %d trials", len(rows), len(r.Trials))
		}
		number := func(text string) float64 { v, _ := strconv.ParseFloat(text, 64); return v }
		for i, trial := range r.Trials {
			yield, d := float64(strings.Count(trial.X, "A")), float64(strings.Count(trial.X, "D"))/10
			want, value := 2*yield-d, trial.Score
			if minimize {
				value = -value
			}
			if math.Abs(trial.Score-want) > 1e-12 || trial.Value != value {
				t.Errorf("%s has the score %g and value %g, want score %g", trial.X, trial.Score, trial.Value, want)
			}
			row := rows[i] // in the order of IDs
			if row["x"] != trial.X || row["trial"] != fmt.Sprint(trial.ID) || row["batch"] != fmt.Sprint(trial.Batch) || row["kind"] != string(trial.Kind) ||
				number(row["score"]) != trial.Score || number(row["yield"]) != yield || number(row["oracle_trial"]) != d || row["called"] != "true" {
				t.Errorf("trial %+v is the row %v", trial, row)
			}
		}
		batches := readCSV(t, filepath.Join(dir, "batches.csv"))
		if len(batches) != len(r.Batches) || len(batches) < 4 {
			t.Fatalf("%d rows, and %d batches", len(batches), len(r.Batches))
		}
		for i, b := range r.Batches {
			row := batches[i]
			if row["batch"] != fmt.Sprint(i+1) || row["oracle_calls"] != fmt.Sprint(b.Calls) || number(row["best_score"]) != b.Best.Score && !math.IsNaN(b.Best.Score) || number(row["ranking"]) != b.Ranking && !math.IsNaN(b.Ranking) {
				t.Errorf("batch %d, %+v, is the row %v", i+1, b, row)
			}
			if method == "ga" && (row["restarts"] != "0" || row["region_length"] != "NaN") {
				t.Errorf("gauges of a search without a region: %v", row)
			}
			for _, g := range b.Gauges {
				if text, ok := row[g.Name]; method == "evolve" && (!ok || number(text) != g.Value && !math.IsNaN(g.Value)) {
					t.Errorf("batch %d has %s = %q, want %g", i+1, g.Name, text, g.Value)
				}
			}
		}
		var result struct {
			Spec string
			experiment.Summary
		}
		text, err := os.ReadFile(filepath.Join(dir, "result.json"))
		if err == nil {
			err = json.Unmarshal(text, &result)
		}
		if err != nil || result.Spec != "spec.json" || result.BestScore != r.BestScore || result.Best != r.Best || result.OracleCalls != 12 || result.Ended != r.Ended {
			t.Errorf("result.json: %v\n%s", err, text)
		}
		checkFiles(t, dir, r)
		if operators := r.Operators(); (len(operators) > 0) != (method == "evolve") {
			t.Errorf("operators of %s: %v", method, operators)
		}
	}
}

// checkFiles compares the files of a folder with those that are said to be in it.
func checkFiles(t *testing.T, dir string, r experiment.Outcome) {
	t.Helper()
	var got []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range entries {
		if !strings.HasPrefix(f.Name(), ".") {
			got = append(got, f.Name())
		}
	}
	if want := slices.Sorted(slices.Values(r.Files)); !slices.Equal(got, want) || len(want) < 6 {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
}

// A run ends when the budget or the time is spent, when it makes no progress, or when nothing is left to propose.
func TestEndings(t *testing.T) {
	constant := program("while read x; do case $x in *A*) echo 0;; *) echo 1;; esac; done")
	constant.Budget, constant.Init.Random, constant.Stale = 100, 12, 6
	few := program(lengths)
	few.Alphabet, few.Length, few.Budget, few.Init.Random, few.Method = "AC", 2, 50, 2, "random"
	short := program(lengths)
	short.Time = 1
	fragile := program("while read x; do case $x in *CC* | *DD*) echo nan,broken;; *A*) echo 1;; *) echo 2;; esac; done")
	for _, test := range []struct {
		want experiment.Ending
		spec experiment.RunSpec
	}{{experiment.OutOfBudget, fragile}, {experiment.OutOfTime, short}, {experiment.Settled, constant}, {experiment.Exhausted, few}} {
		r, err := build(t, test.spec).Run(t.Context(), experiment.Observer{})
		if err != nil || r.Ended != test.want || r.Complete == (test.want == experiment.OutOfTime) || (r.OracleCalls == test.spec.Budget) != (test.want == experiment.OutOfBudget) {
			t.Errorf("%s: ended by %q after %d calls, %v", test.want, r.Ended, r.OracleCalls, err)
		}
		checkOutcome(t, r)
		if n, equal := r.Equal(); n != len(r.Trials)-r.Failed || equal == (test.want == experiment.OutOfBudget || test.want == experiment.Settled) {
			t.Errorf("%s: %d scores, all equal: %t", test.want, n, equal)
		}
		switch test.want {
		case experiment.OutOfBudget:
			if r.Failed == 0 || r.BestScore != 2 {
				t.Errorf("%d failed, best score %v", r.Failed, r.BestScore)
			}
		case experiment.OutOfTime:
			if len(r.Batches) != 1 {
				t.Errorf("out of time after %d batches, want 1", len(r.Batches))
			}
		case experiment.Settled:
			if r.OracleCalls != 15 { // until ten strings score 1, and 6 calls without progress
				t.Errorf("%d calls, want 15", r.OracleCalls)
			}
		case experiment.Exhausted:
			if len(r.Trials) != 4 {
				t.Errorf("%d strings of two letters of AC, want 4", len(r.Trials))
			}
		}
	}
}

// An Outcome says whether all scores are one and the same, of several.
func TestEqualScores(t *testing.T) {
	for _, test := range []struct {
		scores []float64
		n      int
		equal  bool
	}{{nil, 0, false}, {[]float64{1}, 1, false}, {[]float64{1, 1}, 2, true}, {[]float64{1, nan, 1}, 2, true}, {[]float64{1, 1, 2}, 3, false}, {[]float64{2, 1, 1}, 3, false}} {
		var r experiment.Outcome
		for _, v := range test.scores {
			trial := study.Trial{State: study.Scored, Score: v}
			if math.IsNaN(v) {
				trial.State = study.Failed
			}
			r.Trials = append(r.Trials, trial)
		}
		if n, equal := r.Equal(); n != test.n || equal != test.equal {
			t.Errorf("%v: %d scores, equal %t", test.scores, n, equal)
		}
	}
}

// Of a new run in which nothing was scored nothing is kept, but what others have put into its folder. What was scored
// is kept.
func TestRunsThatFail(t *testing.T) {
	works := filepath.Join(t.TempDir(), "works")
	spec := program("while read x; do test -e '" + works + "' || exit 3; echo ${#x}; done")
	in := func(t *testing.T, dir, want string, kept ...string) {
		t.Helper()
		var names []string
		entries, _ := os.ReadDir(dir)
		for _, f := range entries {
			names = append(names, f.Name())
		}
		if strings.Join(names, " ") != strings.Join(kept, " ") {
			t.Errorf("%s: the folder holds %v, want %v", want, names, kept)
		}
	}
	dir := filepath.Join(t.TempDir(), "new")
	r, err := runIn(t, dir, spec)
	if err == nil || r.Complete || r.Ended != "" || len(r.Trials) != 0 || !r.Discarded || r.Files != nil {
		t.Errorf("%+v, discarded %t, files %v, %v", r.Summary, r.Discarded, r.Files, err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a folder that was made is kept: %v", err)
	}

	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := runIn(t, dir, spec); err == nil {
		t.Error("no error")
	}
	in(t, dir, "nothing was scored", "notes.txt")

	e, err := experiment.Create(t.Context(), experiment.Place{Folder: filepath.Join(dir, "begun")}, build(t, spec), experiment.Options{Run: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "begun")
	open(t, dir, experiment.Options{Run: true}, func(e *experiment.Experiment) {
		if r, err := e.Run(t.Context(), experiment.Observer{}); err == nil || r.Discarded {
			t.Errorf("error %v, discarded %t", err, r.Discarded)
		}
	})
	if err := os.WriteFile(works, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	begun := -1
	open(t, dir, experiment.Options{Run: true}, func(e *experiment.Experiment) {
		r, err := e.Run(ctx, experiment.Observer{Begun: func(known []study.Trial) { begun = len(known) }, Batch: func(study.Status) { stop() }})
		if want := fmt.Sprintf("stopped after %d of 12 oracle calls", r.OracleCalls); err == nil || err.Error() != want || r.OracleCalls < 3 || r.Complete || r.Ended != "" {
			t.Errorf("%v, want %s; %+v", err, want, r.Summary)
		}
		checkOutcome(t, r)
	})
	if begun != 0 {
		t.Errorf("the observer was told of %d trials, want none", begun)
	}
	if err := os.Remove(works); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "result.json")), os.Mkdir(filepath.Join(dir, "result.json"), 0o755)); err != nil {
		t.Fatal(err)
	}
	open(t, dir, experiment.Options{Run: true}, func(e *experiment.Experiment) {
		r, err := e.Run(t.Context(), experiment.Observer{Begun: func(known []study.Trial) { begun = len(known) }})
		if err == nil || !strings.Contains(err.Error(), "score") || !strings.Contains(err.Error(), "result.json") || len(r.Trials) != begun || begun < 9 || r.Discarded {
			t.Errorf("%v; told of %d trials; %+v", err, begun, r.Summary)
		}
	})
	if rows := readCSV(t, filepath.Join(dir, experiment.TrialsFile)); len(rows) != begun {
		t.Errorf("%d rows, want %d", len(rows), begun)
	}
}

// A new run replaces another one only if it is told to, and never what it reads, or what another process writes.
func TestFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	place := experiment.Place{Folder: dir}
	short := program(lengths)
	short.Budget = 3
	if _, err := runIn(t, dir, short); err != nil {
		t.Fatal(err)
	}
	refused := func(p *experiment.Plan, opts experiment.Options, want string) {
		t.Helper()
		if e, err := experiment.Create(t.Context(), place, p, opts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", e, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "spec.toml")); !os.IsNotExist(err) {
		t.Errorf("there is a study file, and none was given: %v", err)
	}
	refused(build(t, short), experiment.Options{}, "already holds a run; give another folder, or overwrite")
	reads := program(lengths)
	reads.Init = experiment.Init{File: task.File{Path: filepath.Join(dir, experiment.TrialsFile)}}
	refused(build(t, reads), experiment.Options{Replace: true}, "is one of the files that a run writes; copy it elsewhere")
	e, err := experiment.Open(t.Context(), dir, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	refused(build(t, short), experiment.Options{Replace: true}, "another process is writing to "+dir)
	if _, err := experiment.Open(t.Context(), dir, experiment.Options{}); err == nil || !strings.Contains(err.Error(), "another process is writing to "+dir) {
		t.Errorf("opened twice: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if rows := readCSV(t, filepath.Join(dir, experiment.TrialsFile)); len(rows) < 9 {
		t.Errorf("of a run that was not replaced %d rows are left", len(rows))
	}

	short.StudyFile = "# mine\n"
	e, err = experiment.Create(t.Context(), place, build(t, short), experiment.Options{Replace: true})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "spec.toml")); err != nil || string(text) != short.StudyFile {
		t.Errorf("the study file is kept as %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "result.json")); !os.IsNotExist(err) {
		t.Errorf("a file of the run that was replaced is left: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}

	for _, name := range []string{"result.json", "curve.svg"} {
		place.Folder = t.TempDir()
		if err := os.MkdirAll(filepath.Join(place.Folder, name, "x"), 0o755); err != nil {
			t.Fatal(err)
		}
		refused(build(t, short), experiment.Options{}, "a run writes a file "+name)
		refused(build(t, short), experiment.Options{Replace: true}, "give a folder that can be written")
	}
	place.Folder = filepath.Join(place.Folder, "file", "below")
	if err := os.WriteFile(filepath.Dir(place.Folder), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	refused(build(t, short), experiment.Options{}, "give a folder that can be written")
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// The initial design of a run is read from a file: all measurements of a string, of the rows that the options select.
func TestInitialFile(t *testing.T) {
	const known = "x,score\nACDE,1\nAADE,2\nACDE,3\nDDDD,\nCCCC,nan\nACDE,1\n"
	properties := []oracle.Property{{Name: "yield", Weight: 2}, {Name: "purity", Weight: -1}}
	limit := []study.Constraint{{Outcome: "toxicity", Op: "<", Bound: 0.3}}
	several := func(s *experiment.RunSpec) {
		s.Method = "evolve"
		s.Objectives = []study.Objective{{Name: "yield"}, {Name: "purity", Minimize: true}}
	}
	for _, test := range []struct {
		name, text string
		change     func(*experiment.RunSpec)
		want       string // strings with their measurements, or a part of the error
		note       string // a part of it
	}{
		{"known scores", known, nil, "ACDE 1 3 1; AADE 2; DDDD", "1 rows repeat a string with a different score, and the mean is used; the first such row is line 4"},
		{"a score that cannot be read, and then one", "x,score\nAA,low\nAA,5\nCC,4\n", nil, "AA 5; CC 4", "line 2 invalid (\"low\" is not a number)"},
		{"a row of another kind, and then one of this", "x,standard_type,standard_value\nAA,Ki,3\nAA,IC50,5\nCC,IC50,4\nDD,IC50,2\n", func(s *experiment.RunSpec) { s.Init.Score = "standard_value" }, "AA 5; CC 4; DD 2", ""},
		{"none of them", known, func(s *experiment.RunSpec) { s.Init.Score = "none" }, "ACDE; AADE; DDDD; CCCC", ""},
		{"without the first rows", known, func(s *experiment.RunSpec) { s.Init.Skip = 2 }, "ACDE 3 1; DDDD", "rows that repeat an earlier string and score were counted as measurements"},
		{"the last two rows", known, func(s *experiment.RunSpec) { s.Init.Skip = 3 }, "DDDD; ACDE 1", "rows that repeat an earlier string and score were counted as measurements"},
		{"all rows but one", known, func(s *experiment.RunSpec) { s.Init.Skip = 4 }, "init-skip 4 leaves fewer than 2 of the 5 rows", ""},
		{"without more than there are", "x\nAA\nCC\n", func(s *experiment.RunSpec) { s.Init.Skip = 9 }, "leaves fewer than 2 of the 2 rows", ""},
		{"a sample of all", "x\nAA\nCC\n", func(s *experiment.RunSpec) { s.Init.Sample = 2 }, "AA; CC", ""},
		{"a sample", "x\nAA\nCC\nDD\n", func(s *experiment.RunSpec) { s.Init.Sample = 2 }, "CC; DD", ""},
		{"a larger sample", "x\nAA\nCC\n", func(s *experiment.RunSpec) { s.Init.Sample = 3 }, "init-sample 3: ", ""},
		{"one row", "x\nAA\n", nil, "1 different initial strings, and a search needs 2", ""},
		{"one string", "x\nAA\nAA\n", nil, "1 different initial strings, and a search needs 2", ""},
		{"one string, and one that cannot be used", "x\nAA\nAA\nA?\n", nil, "1 different initial strings, and a search needs 2; ", ""},
		{"a bound", "x,score\nAA,>1\nCC,2\n", nil, "AA >1; CC 2", ""},
		{"a score of another name", "x,activity\nAA,1\nCC,2\n", nil, "AA 1; CC 2", "the scores are those of the column activity"},
		{"numbers in titles of FASTA", ">a 1203\nAA\n>b 77\nCC\n", nil, "AA; CC", "description is not read as the score, since no column is named score; all strings are evaluated"},
		{"which is named", "x,activity,score\nAA,1,5\nCC,2,6\n", func(s *experiment.RunSpec) { s.Init.Score = "activity" }, "AA 1; CC 2", ""},
		{"a further outcome", "x,score,toxicity\nAA,1,0.2\nCC,2,\n", func(s *experiment.RunSpec) { s.Constraints = limit }, "AA 1 toxicity=0.2; CC 2", ""},
		{"properties", "x,yield,purity\nAA,1,0.5\nCC,2,1\n", func(s *experiment.RunSpec) { s.Properties = properties }, "AA 1.5 purity=0.5 yield=1; CC 3 purity=1 yield=2", ""},
		{"a property of two", "x,score,yield\nAA,1,0.5\nCC,2,1\n", func(s *experiment.RunSpec) { s.Properties = properties }, "AA 1 yield=0.5; CC 2 yield=1",
			"it lacks a column of yield, purity, and its scores are taken for those made of these properties"},
		{"a score beside objectives", "x,activity\nAA,1\nCC,2\n", several, "AA; CC", "all strings are evaluated, as it lacks a column of yield or purity; activity is not read"},
		{"one of the objectives", "x,yield\nAA,1\nCC,2\n", several, "AA; CC", "all strings are evaluated, as it lacks a column of yield or purity; yield is not read"},
		{"all of the objectives", "x,yield,purity\nAA,1,0.5\nCC,2,1\n", several, "AA 1 purity=0.5 yield=1; CC 2 purity=1 yield=2", ""},
		{"options without a file", "", func(s *experiment.RunSpec) { s.Init = experiment.Init{Random: 5, Skip: 1} }, "are for a file of initial strings", ""},
		{"no strings", "", func(s *experiment.RunSpec) { s.Init, s.Length = experiment.Init{}, 0 }, "give initial strings with init FILE, or alphabet and length", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := program("cat")
			s.OracleProtocol = "csv"
			s.Init = experiment.Init{File: task.File{Path: write(t, filepath.Join(t.TempDir(), "init.csv"), test.text)}}
			if test.change != nil {
				test.change(&s)
			}
			p, err := s.Build(t.Context())
			if err != nil {
				if !strings.Contains(err.Error(), test.want) {
					t.Errorf("error %v, want %q", err, test.want)
				}
				return
			}
			var got []string
			for _, o := range p.Problem.Init {
				text := o.X
				for _, m := range o.Measurements {
					text += fmt.Sprintf(" %s%g", m.Bound, m.Score)
					for _, name := range []string{"purity", "toxicity", "yield"} {
						if v, ok := m.Others[name]; ok {
							text += fmt.Sprintf(" %s=%g", name, v)
						}
					}
				}
				got = append(got, text)
			}
			if s.Init.Sample > 0 {
				slices.Sort(got)
			}
			if strings.Join(got, "; ") != test.want || test.note == "" && strings.Contains(p.Notes.String(), "score") || !strings.Contains(p.Notes.String(), test.note) {
				t.Errorf("initial design %q, note %q; want %q and %q", got, p.Notes.String(), test.want, test.note)
			}
		})
	}
}

// The scores of another run are taken only if they are of the same task with the same options.
func TestScoresOfAnotherRun(t *testing.T) {
	ehrlich := experiment.RunSpec{Task: "ehrlich:states=4,motifs=2,motif_length=2,length=8", Budget: 1, Init: experiment.Init{Random: 6}}
	own := program(lengths)
	own.Budget = 1
	dirs := map[string]string{}
	for name, s := range map[string]experiment.RunSpec{"ehrlich": ehrlich, "own": own} {
		dirs[name] = filepath.Join(t.TempDir(), name)
		e, err := experiment.Create(t.Context(), experiment.Place{Folder: dirs[name]}, build(t, s), experiment.Options{Run: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), experiment.Observer{}); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		of, task string
		change   func(*experiment.RunSpec)
		want     string // a part of the error, or of the note
	}{
		{"ehrlich", "ehrlich:states=4,motifs=2,motif_length=2,length=8", nil, ""},
		{"ehrlich", "ehrlich:states=5,motifs=2,motif_length=2,length=8", nil, "those of a run with states=4; give score none to have its strings evaluated anew"},
		{"ehrlich", "ehrlich:states=4,motifs=1,motif_length=2,length=8", nil, "those of a run with motifs=2"},
		{"ehrlich", "ehrlich:states=4,motifs=2,motif_length=3,length=8", nil, "those of a run with motif_length=2"},
		{"ehrlich", "ehrlich:states=4,motifs=2,motif_length=2,length=8,instance=1", nil, "those of a run with instance=0"},
		{"ehrlich", "strings", func(s *experiment.RunSpec) { s.Alphabet = "ABCDEF" }, "those of a run of ehrlich; give score none to have its strings evaluated for strings"},
		{"own", "strings", nil, ""},
		{"own", "strings", func(s *experiment.RunSpec) { s.Length = 0 }, ""},
		{"own", "strings", func(s *experiment.RunSpec) { s.OracleCmd = "cat" }, "its scores are those of " + lengths + ", and are taken for scores of cat"},
		{"own", "strings", func(s *experiment.RunSpec) { s.Properties = []oracle.Property{{Name: "yield"}} }, "those of a run with another oracle-property or property"},
		{"own", "strings", func(s *experiment.RunSpec) { s.Properties, s.Init.Score = []oracle.Property{{Name: "yield"}}, "none" }, ""},
	} {
		s := experiment.RunSpec{Task: test.task, Init: experiment.Init{File: task.File{Path: filepath.Join(dirs[test.of], experiment.TrialsFile)}}}
		if test.task == "strings" {
			s.Options = own.Options
			s.OracleProtocol = ""
		}
		if test.change != nil {
			test.change(&s)
		}
		p, err := s.Build(t.Context())
		said := ""
		if err != nil {
			said = err.Error()
		} else if strings.Contains(p.Notes.String(), "its scores are") {
			said = p.Notes.String()
		}
		if (said == "") != (test.want == "") || !strings.Contains(said, test.want) {
			t.Errorf("%s by %s: %q, want %q", test.of, test.task, said, test.want)
		}
	}
}

// People call an experiment by its file, its folder or a URL, and no password is shown.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	write(t, filepath.Join(run, "study.db"), "")
	write(t, filepath.Join(run, "spec.json"), "{}")
	write(t, filepath.Join(dir, "alone", "study.db"), "")
	write(t, filepath.Join(dir, "empty", "x"), "")
	for _, test := range []struct {
		text        string
		want        experiment.Place
		shown, name string // of the place; or a part of the error
	}{
		{"lab.db", experiment.Place{File: "lab.db"}, "lab.db", "lab"},
		{filepath.Join(dir, "new.db"), experiment.Place{File: filepath.Join(dir, "new.db")}, filepath.Join(dir, "new.db"), "new"},
		{run, experiment.Place{Folder: run}, run, "run"},
		{filepath.Join(run, "study.db"), experiment.Place{Folder: run}, run, "run"},
		{filepath.Join(dir, "alone", "study.db"), experiment.Place{File: filepath.Join(dir, "alone", "study.db")}, filepath.Join(dir, "alone", "study.db"), "study"},
		{filepath.Join(dir, "alone"), experiment.Place{Folder: filepath.Join(dir, "alone")}, filepath.Join(dir, "alone"), "alone"},
		{filepath.Join(dir, "empty"), experiment.Place{}, "holds no study.db: it is no folder of a run", ""},
		{"postgres://ann:secret@host/lab?study=first&sslmode=disable", experiment.Place{URL: "postgres://ann:secret@host/lab?sslmode=disable", Study: "first"}, "postgres://ann@host/lab?sslmode=disable&study=first", "first"},
		{"postgresql://host/lab?password=secret&study=first", experiment.Place{URL: "postgresql://host/lab?password=secret", Study: "first"}, "postgresql://host/lab?study=first", "first"},
		{"postgres://host/lab", experiment.Place{}, "name one at the end of its URL: ?study=NAME", ""},
		{"postgres://host:x/lab?study=a", experiment.Place{}, "it is not the URL of a PostgreSQL database", ""},
	} {
		p, err := experiment.ParsePlace(test.text)
		if err != nil {
			if !strings.Contains(err.Error(), test.shown) || test.name != "" || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: error %v, want %s", test.text, err, test.shown)
			}
			continue
		}
		if p != test.want || p.String() != test.shown || p.Name() != test.name {
			t.Errorf("%s is %+v, shown as %s and called %s", test.text, p, p, p.Name())
		}
	}
	if got := (experiment.Place{URL: "postgres://ann:secret@host:x/lab", Study: "first"}).String(); got != "the study first" {
		t.Errorf("a URL that cannot be read is shown as %s", got)
	}
}

// A method is refused for a task that lacks what it needs.
func TestNeeds(t *testing.T) {
	file := experiment.Init{File: task.File{Path: write(t, filepath.Join(t.TempDir(), "init.csv"), "x\nAACC\nCCAA\n")}}
	own := task.Options{External: task.External{OracleCmd: "cat"}}
	for _, test := range []struct {
		spec experiment.RunSpec
		want string // a part of the error; empty: there is none
	}{
		{experiment.RunSpec{Task: "ackley", Method: "turbo", Init: experiment.Init{Random: 4}}, ""},
		{experiment.RunSpec{Task: "ackley", Method: "turbo", MethodOptions: experiment.MethodOptions{Profile: "published"}}, ""},
		{experiment.RunSpec{Task: "ackley", Method: "cobo", Init: experiment.Init{Random: 4}}, "updates its model, and that of the task ackley has nothing to update; take turbo"},
		{experiment.RunSpec{Task: "strings", Method: "turbo", Init: file, Options: own}, "searches the latent space of a model, and the task strings has none"},
		{experiment.RunSpec{Task: "strings", Method: "gbga", Init: file, Options: own}, "the method gbga is for molecules, and the task strings has none"},
		{experiment.RunSpec{Task: "ackley", Method: "evolve"}, "is for molecules, expressions and strings, and the task ackley has none"},
		{experiment.RunSpec{Task: "strings", Method: "random", Init: file, Options: own}, "draws strings: give alphabet and length"},
		{experiment.RunSpec{Task: "strings", Method: "ga", Init: file, Options: own}, ""},
		{experiment.RunSpec{Task: "strings", Method: "ga", Init: experiment.Init{Library: 4}, Options: own}, "a start from the library is for searches of molecules themselves"},
		{experiment.RunSpec{Task: "ackley", Method: "turbo", Init: experiment.Init{Library: 4}}, "a start from the library is for searches of molecules themselves"},
		{experiment.RunSpec{Task: "expression", Method: "turbo", MethodOptions: experiment.MethodOptions{Inversion: experiment.Inversion{Loss: "squared"}}}, `there is no loss "squared"`},
		{experiment.RunSpec{Task: "expression", Method: "turbo", MethodOptions: experiment.MethodOptions{Inversion: experiment.Inversion{Epsilon: 2}}}, "epsilon 2: give a number above 0 and up to 1"},
		{experiment.RunSpec{Task: "expression", Method: "turbo", Init: experiment.Init{Random: 4}, MethodOptions: experiment.MethodOptions{Inversion: experiment.Inversion{Epsilon: 1}}}, ""},
		{experiment.RunSpec{Task: "ackley", Method: "turbo", MethodOptions: experiment.MethodOptions{Profile: "old"}}, `there is no profile "old"`},
		{experiment.RunSpec{Task: "ackley", Method: "turbo", MethodOptions: experiment.MethodOptions{Transform: "square"}}, `there is no transform "square"`},
	} {
		p, err := test.spec.Build(t.Context())
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s by %s: error %v, want %q", test.spec.Task, test.spec.Method, err, test.want)
		}
		if published := test.spec.Profile == "published"; err == nil && p.Method.Latent() && published != (p.Options.Method.Surrogate != nil) {
			t.Errorf("profile %q has a surrogate of its own: %t", test.spec.Profile, !published)
		}
		if err == nil && (p.Model() != nil) != p.Method.Latent() {
			t.Errorf("%s by %s: model %v", test.spec.Task, test.spec.Method, p.Model())
		}
	}
}

// Where no string has a score any more there is no best, and nobody is told of one.
func TestNoBest(t *testing.T) {
	b, _ := create(t, words()[:2])
	asked, err := b.Ask(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range words()[:2] {
		before := b.Latest()
		r.State, r.Score, r.Reason.Text = table.Failed, nan, "mixed up"
		if got := tell(t, b, true, r); !strings.HasSuffix(got, " corrected") {
			t.Error(got)
		}
		if notes, _ := b.Watch(before); len(notes) != 1 || notes[0].Best != []int{2, 0}[i] {
			t.Errorf("notes %+v", notes)
		}
	}
	var text strings.Builder
	if sheet, err := b.Sheet(asked); err != nil || sheet.WriteCSV(&text) != nil || !strings.HasSuffix(text.String(), ",,,\n") {
		t.Errorf("the table of proposals names a string that is like them: %v\n%s", err, &text)
	}
	if s := b.Status(); len(s.Best) != 0 || s.Strings != 0 || s.Failed != 2 {
		t.Errorf("%+v", s)
	}
}

// Of noisy scores the best string is also named by its expected score, if the method predicts scores.
func TestExpectedBestOfARun(t *testing.T) {
	for method, predicts := range map[string]bool{"evolve": true, "ga": false} {
		s := program(cells)
		s.OracleProtocol, s.OracleProperty, s.Method, s.Noise = "csv", "yield", method, 0.5
		r, err := build(t, s).Run(t.Context(), experiment.Observer{})
		found := slices.ContainsFunc(r.Trials, func(t study.Trial) bool { return t.Input == r.Expected })
		if err != nil || !r.Complete || found != predicts || (r.Expected != "") != predicts || (r.ExpectedSD > 0) != predicts {
			t.Errorf("%s: %+v, %v", method, r.Summary, err)
		}
	}
}
