package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo"
	"pgregory.net/rapid"
)

// A curve that is written comes back, and one that ends early stays where it was.
func TestCurveRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		best := rapid.SliceOfN(rapid.Float64Range(-3, 3), 1, 20).Draw(t, "best")
		for call := 1; call < len(best); call++ {
			best[call] = min(best[call], best[call-1])
		}
		early := rapid.IntRange(0, 5).Draw(t, "early")
		got, err := parseCurve(formatCurve(best), len(best)-1+early)
		if err != nil {
			t.Fatal(err)
		}
		want := append(slices.Clone(best), slices.Repeat(best[len(best)-1:], early)...)
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestBest(t *testing.T) {
	nan := math.NaN()
	trials := []invbo.Trial{
		{Kind: invbo.Initial, Score: 5, Called: true},
		{Kind: invbo.Initial, Score: 4}, // was known
		{Kind: invbo.Acquired, Score: nan, Called: true},
		{Kind: invbo.Acquired, Score: 3, Called: true},
		{Kind: invbo.Recentered, Score: 6, Called: true},
	}
	tests := []struct {
		name     string
		minimize bool
		trials   []invbo.Trial
		want     []float64
	}{
		{"minimize", true, trials, []float64{4, 4, 3, 3}},
		{"maximize", false, trials, []float64{5, 5, 5, 6}},
		{"no score", true, []invbo.Trial{{Kind: invbo.Initial, Score: nan, Called: true}}, []float64{nan}},
	}
	for _, test := range tests {
		got := result{task: task{minimize: test.minimize}, trials: test.trials}.best()
		if !slices.EqualFunc(got, test.want, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestResults(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.csv")
	s := flagless(t, "expression", "fitted")
	s.method, s.seed, s.budget, s.init = "turbo", 7, 4, "a,\"b.csv"
	score := 0.5
	run := result{
		summary: summary{BestScore: &score, OracleCalls: 4, Seconds: 1.5, plausibility: &plausibility{All: 0.75, Top: 1}},
		trials: []invbo.Trial{
			{Kind: invbo.Initial, Score: 2, Called: true},
			{Kind: invbo.Acquired, Score: 3, Called: true, Batch: 1},
			{Kind: invbo.Acquired, Score: 1, Called: true, Batch: 2},
			{Kind: invbo.Acquired, Score: math.NaN(), Batch: 2}, // refused: costs nothing
			{Kind: invbo.Recentered, Score: 0.5, Called: true, Batch: 2},
			{Kind: invbo.Recentered, Score: 0.75, Called: true, Batch: 2},
		},
		batches: []invbo.Status{{Aligned: 1}, {Aligned: 0.5, Dissimilarity: 0.25}},
		task:    task{minimize: true},
	}
	r := add(t, name, s, run)
	got := r.runs[r.key(s)]
	want := finished{
		curve: []float64{2, 2, 1, 0.5, 0.5}, aligned: []float64{1, 0.5}, dissimilarity: []float64{0, 0.25}, found: []float64{1, 1},
		calls: 4, recentering: 2, improved: 1, improvedRecentering: 1, best: 0.5, seconds: 1.5, plausible: 0.75,
	}
	if !math.IsNaN(got.ranking) {
		t.Errorf("ranking %g came back, want NaN", got.ranking)
	}
	if got.ranking = 0; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v came back, want %+v", got, want)
	}
	if s.seed = 8; r.has(s) {
		t.Error("a run with another seed is in the results")
	}
}

// A task's own defaults are for the recommended profile, and a flag goes before either.
func TestFilled(t *testing.T) {
	tests := []struct {
		name, task, profile string
		given               methodFlags
		transform           string
		updateRate          float64
		region              regionFlags
	}{
		{"molecules", "med2", "fitted", methodFlags{}, "logrank", gentle, resolved},
		{"molecules as published", "med2", "published", methodFlags{}, "", 0, regionFlags{}},
		{"numbers as published", "ackley", "published", methodFlags{}, "", 0, regionFlags{}},
		{"as published but for flags", "med2", "published", methodFlags{transform: "raw"}, "raw", 0, regionFlags{}},
	}
	for _, test := range tests {
		of, err := taskNamed(test.task)
		if err != nil {
			t.Fatal(err)
		}
		test.given.profile = test.profile
		got := spec{methodFlags: test.given}.filled(of)
		if got.transform != test.transform || got.updateRate != test.updateRate || got.region != test.region {
			t.Errorf("%s: transform %q, update rate %g, region %+v, want %q, %g, %+v", test.name,
				got.transform, got.updateRate, got.region, test.transform, test.updateRate, test.region)
		}
		if again := got.filled(of); again != got {
			t.Errorf("%s: %+v once more filled is %+v", test.name, got, again)
		}
	}
}

// flagless returns the run of a task without any flag but the profile.
func flagless(t *testing.T, name, profile string) spec {
	t.Helper()
	of, err := taskNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := flagged()
	s.profile = profile
	return s.filled(of)
}

// add adds a run to the results in a file, and reads them again.
func add(t *testing.T, name string, s spec, run result) *results {
	t.Helper()
	r, err := readResults(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.add(s, run), r.close()); err != nil {
		t.Fatal(err)
	}
	if r, err = readResults(name, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// A run is known again wherever its files lie, and no more once they have changed.
func TestMarks(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const abc = "#ba7816bf" // SHA-256's first example, FIPS 180-2, B.1
	tests := []struct {
		name, task, method, init, weights string
		wantInit, wantWeights             string
	}{
		{"a file", "expression", "cobo", file("a.txt", "abc"), "", "a.txt" + abc, builtInMark(t, "grammar/weights/expression")},
		{"it elsewhere", "expression", "cobo", file("b/a.txt", "abc"), "", "a.txt" + abc, builtInMark(t, "grammar/weights/expression")},
		{"another of that name", "expression", "cobo", file("c/a.txt", "abcd"), "", "a.txt#88d4266f", builtInMark(t, "grammar/weights/expression")},
		{"weights of one's own", "med2", "cobo", "100", file("w", "abc"), "100", "w" + abc},
		{"built-in weights", "med2", "cobo", "100", "", "100", builtInMark(t, "sequence/weights/molecules")},
		{"a control, from a file", "med2", "gbga", file("a.txt", "abc"), "", "a.txt" + abc, ""},
		{"a control, from draws of a model", "med2", "gbga", "100", "", "100", builtInMark(t, "sequence/weights/molecules")},
		{"no model", "ackley", "turbo", "100", "", "100", ""},
	}
	for _, test := range tests {
		of, err := taskNamed(test.task)
		if err != nil {
			t.Fatal(err)
		}
		s := spec{task: test.task, method: test.method, init: test.init, own: taskFlags{weights: test.weights}}
		m, err := newMarks(s, []task{of})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.on(s); got.init != test.wantInit || got.own.weights != test.wantWeights {
			t.Errorf("%s: init %s, weights %s, want %s, %s", test.name, got.init, got.own.weights, test.wantInit, test.wantWeights)
		}
	}
}

// builtInMark returns the mark of a file of built-in weights.
func builtInMark(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "vae", filepath.FromSlash(name)+".safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("#%.4x", sha256.Sum256(data))
}

// A run that fails leaves the others alone, and is named.
func TestGridWithFailure(t *testing.T) {
	good := flagless(t, "ackley", "fitted")
	good.method, good.budget, good.init, good.own.dim = "turbo", 4, "10", 2
	bad := good
	bad.method = "nothing"
	r, err := readResults(filepath.Join(t.TempDir(), "r.csv"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	g := grid{jobs: 1}
	err = g.runAll(t.Context(), []spec{bad, good}, r)
	if err == nil || !strings.Contains(err.Error(), "1 of 2 runs failed") || !strings.Contains(err.Error(), "ackley, nothing, seed 0") {
		t.Errorf("error %v, want one that names the run", err)
	}
	if !r.has(good) || r.has(bad) {
		t.Errorf("in the results is the good run: %t, the bad one: %t", r.has(good), r.has(bad))
	}
}

func TestParseSeeds(t *testing.T) {
	tests := []struct {
		text string
		want []uint64
	}{
		{"3", []uint64{3}},
		{"7,0-2,1", []uint64{0, 1, 2, 7}},
		{"18446744073709551615", []uint64{math.MaxUint64}},
	}
	for _, test := range tests {
		got, err := parseSeeds(test.text)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q: %v, %v, want %v", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{"", "a", "2-1", "-1", "1-", "1,,2", "0-99999999999"} {
		if got, err := parseSeeds(text); err == nil || !strings.Contains(err.Error(), "neither a number nor a range") {
			t.Errorf("%q: %v, %v, want an error", text, got, err)
		}
	}
}

func TestSuggest(t *testing.T) {
	names := []string{"run", "tasks", "methods"}
	tests := []struct{ name, want string }{
		{"rnu", `; did you mean "run"?`},
		{"METHOD", `; did you mean "methods"?`},
		{"xyz", "; there are run, tasks, methods"},
	}
	for _, test := range tests {
		if got := suggest(test.name, names); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
