package main

import (
	"math"
	"path/filepath"
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
	s := spec{task: "expression", method: "turbo", seed: 7, budget: 3, init: "a,\"b.csv"}
	score := 0.5
	run := result{
		summary: summary{BestScore: &score, plausibility: &plausibility{All: 0.75, Top: 1}},
		trials: []invbo.Trial{
			{Kind: invbo.Initial, Score: 2},
			{Kind: invbo.Acquired, Score: 0.5, Called: true},
		},
		batches: []invbo.Status{{Aligned: 1}, {Aligned: 0.5, Dissimilarity: 0.25}},
		task:    task{minimize: true},
	}
	r, err := openResults(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.add(s, run); err != nil {
		t.Fatal(err)
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	if r, err = openResults(name); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	got := r.runs[s.key()]
	if !slices.Equal(got.curve, []float64{2, 0.5, 0.5, 0.5}) || !slices.Equal(got.aligned, []float64{1, 0.5}) ||
		!slices.Equal(got.dissimilarity, []float64{0, 0.25}) || got.plausible != 0.75 || !math.IsNaN(got.ranking) {
		t.Errorf("%+v came back", got)
	}
	s.seed = 8
	if _, ok := r.runs[s.key()]; ok {
		t.Error("a run with another seed is in the results")
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
