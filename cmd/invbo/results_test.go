package main

import (
	"errors"
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
	got := r.runs[s.key()]
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
	own := inversionFlags{loss: "hinge", rate: 0.1, iterations: 1000}
	tests := []struct {
		name, task, profile string
		given               methodFlags
		transform           string
		inversion           inversionFlags
		updateRate          float64
		region              regionFlags
	}{
		{"molecules", "med2", "fitted", methodFlags{}, "logrank", nearby(), gentle, resolved},
		{"molecules as published", "med2", "published", methodFlags{}, "", asPublished(), 0, regionFlags{}},
		{"numbers as published", "ackley", "published", methodFlags{}, "", asPublished(), 0, regionFlags{}},
		{"as published but for flags", "med2", "published", methodFlags{transform: "raw", inversion: inversionFlags{loss: "hinge"}}, "raw", own, 0, regionFlags{}},
	}
	for _, test := range tests {
		of, err := taskNamed(test.task)
		if err != nil {
			t.Fatal(err)
		}
		test.given.profile = test.profile
		got := spec{methodFlags: test.given}.filled(of)
		if got.transform != test.transform || got.inversion != test.inversion || got.updateRate != test.updateRate || got.region != test.region {
			t.Errorf("%s: transform %q, inversion %+v, update rate %g, region %+v, want %q, %+v, %g, %+v", test.name,
				got.transform, got.inversion, got.updateRate, got.region, test.transform, test.inversion, test.updateRate, test.region)
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
	r, err := readResults(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.add(s, run), r.close()); err != nil {
		t.Fatal(err)
	}
	if r, err = readResults(name); err != nil {
		t.Fatal(err)
	}
	return r
}

// A file of an earlier version is read as it is, and gets today's columns when a run is added. Keys that it
// lacks, or has as zero, are the task's defaults; what it does not know of a run is NaN.
func TestResultsOfAnEarlierVersion(t *testing.T) {
	const old = `task,method,profile,transform,seed,budget,batch,top,patience,init,init_sample,init_skip,time,target,dim,weights,init_calls,oracle_calls,best,best_score,seconds,aligned_fraction,curve
med2,cobo,fitted,logrank,3,4,5,50,0,first.csv,0,0,,,0,,0,4,CCO,0.25,9.5,0.5,0:0.125 3:0.25
expression,lbo,published,,3,4,5,0,0,first.csv,0,0,,1/3+x+sin(x*x),0,,0,4,x,0.25,9.5,0.5,0:0.125
`
	name := filepath.Join(t.TempDir(), "r.csv")
	if err := os.WriteFile(name, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := readResults(name)
	if err != nil {
		t.Fatal(err)
	}
	first := flagless(t, "med2", "fitted")
	first.method, first.seed, first.budget, first.init = "cobo", 3, 4, "first.csv"
	second := flagless(t, "expression", "published")
	second.method, second.seed, second.budget, second.init = "lbo", 3, 4, "first.csv"
	check := func() {
		t.Helper()
		if !r.has(first) || !r.has(second) {
			t.Fatal("the runs of the old file are not in the results")
		}
		got := r.runs[first.key()]
		if !slices.Equal(got.curve, []float64{0.125, 0.125, 0.125, 0.25, 0.25}) || got.best != 0.25 || got.seconds != 9.5 || got.calls != 4 {
			t.Errorf("%+v came back", got)
		}
		if !math.IsNaN(got.recentering) || !math.IsNaN(got.improved) || !math.IsNaN(got.plausible) || got.found != nil {
			t.Errorf("%+v came back, want NaN for what the old file did not hold", got)
		}
	}
	check()
	if text, err := os.ReadFile(name); err != nil || string(text) != old {
		t.Fatalf("reading has changed the file: %v", err)
	}
	// The earlier version adds a run between reading and opening.
	meanwhile := old + "expression,lbo,published,,4,4,5,0,0,first.csv,0,0,,1/3+x+sin(x*x),0,,0,4,x,0.25,9.5,0.5,0:0.125\n"
	if err := os.WriteFile(name, []byte(meanwhile), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.open(), r.close()); err != nil {
		t.Fatal(err)
	}
	other := second
	other.seed = 4
	if !r.has(other) {
		t.Error("a run that was added meanwhile is lost")
	}
	third := first
	third.seed = 4
	r = add(t, name, third, result{})
	check()
	if !r.has(third) || r.old {
		t.Errorf("the new run is there: %t; the file is still old: %t", r.has(third), r.old)
	}
	if left, err := filepath.Glob(name + "*"); err != nil || len(left) != 1 {
		t.Errorf("%v, %v, want nothing beside the file", left, err)
	}
}

// A run that fails leaves the others alone, and is named.
func TestGridWithFailure(t *testing.T) {
	good := spec{task: "ackley", method: "turbo", methodFlags: methodFlags{profile: "fitted"}, budget: 4, init: "10", own: taskFlags{dim: 2}}
	bad := good
	bad.method = "nothing"
	r, err := readResults(filepath.Join(t.TempDir(), "r.csv"))
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
