package experiment_test

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
)

// An experiment knows what was stored of a measurement and when, and which strings are alike.
func TestLook(t *testing.T) {
	b, _ := create(t, words())
	trials := b.Trials()
	first := trials[0]
	if _, err := b.Correct(t.Context(), first.ID, 1, table.Record{State: table.Measured, Score: first.Score + 1}); err != nil {
		t.Fatal(err)
	}
	history, err := b.History(t.Context(), first.ID)
	if err != nil || len(history) != 2 || history[0].Measurement.Score != first.Score || history[1].Measurement.Score != first.Score+1 {
		t.Errorf("history %+v, %v", history, err)
	}
	if at, err := b.LastChange(t.Context()); err != nil || !at.Equal(history[1].At) {
		t.Errorf("the last change is at %v, %v", at, err)
	}
	near, err := b.Relatives(first.Input, 2)
	if err != nil || len(near) != 2 || near[0].Similarity < near[1].Similarity || near[0].ID == first.ID {
		t.Errorf("relatives %+v, %v", near, err)
	}
	like, err := b.Like(first.Input)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := like(first.Input); err != nil || v != 1 {
		t.Errorf("a string is like itself by %g, %v", v, err)
	}
	trials = b.Trials()
	bests := b.Bests(func(yield func(*study.Trial) bool) {
		for i := range trials {
			if !yield(&trials[i]) {
				return
			}
		}
	})
	if !slices.IsSorted(bests) || bests[len(bests)-1] != b.Best().Score {
		t.Errorf("bests %v, and the best is %g", bests, b.Best().Score)
	}
	if calls := b.BestAfterCalls(); len(calls) != 1 || calls[0] != b.Best().Score {
		t.Errorf("best after each call: %v", calls)
	}
	name := b.Naming()
	for _, trial := range trials {
		if name(trial.Proposal) != b.Name(trial.Proposal) {
			t.Errorf("trial %d is called %s", trial.ID, name(trial.Proposal))
		}
	}
}

// What operators contributed is read while batches end. The race detector is what fails.
func TestOperatorsWhileBatchesEnd(t *testing.T) {
	spec := experiment.RunSpec{Task: "strings", Method: "random"}
	spec.Alphabet, spec.Length = "ACDE", 6
	b, err := begin(t, filepath.Join(t.TempDir(), "lab.db"), spec, words())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ended := make(chan struct{})
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			b.Operators()
			select {
			case <-ended:
				return
			default:
			}
		}
	})
	defer reading.Wait()
	defer close(ended)
	for range 5 {
		asked, err := b.Ask(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		tell(t, b, false, table.Record{Input: asked[0].Input, Score: 1})
	}
}

// Specifications that differ by their seeds are those of repeated runs.
func TestDiffersBySeed(t *testing.T) {
	a, b, c := experiment.RunSpec{Task: "strings", Seed: 1}, experiment.RunSpec{Task: "strings", Seed: 2}, experiment.RunSpec{Task: "strings", Seed: 1, Budget: 3}
	if !a.DiffersBySeed(b) || a.DiffersBySeed(c) {
		t.Errorf("%t, %t", a.DiffersBySeed(b), a.DiffersBySeed(c))
	}
}

// Molecules have substructures, pictures and properties; what is none is a user's error.
func TestLookAtMolecules(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	spec := experiment.RunSpec{Task: task.OwnMolecules}
	spec.Implausible = true
	p, err := spec.BuildMeasured(t.Context(), &table.Table{Records: []table.Record{
		{Line: 2, ID: "M1", Input: "CC(=O)Nc1ccccc1", State: table.Measured, Score: 1}, {Line: 3, ID: "M2", Input: "CCO", State: table.Measured, Score: 2},
	}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Create(t.Context(), experiment.Place{}, p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	contains, err := e.Contains("c1ccccc1")
	if err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]bool{"CC(=O)Nc1ccccc1": true, "CCO": false} {
		if got, err := contains(input); err != nil || got != want {
			t.Errorf("%s has the ring: %t, %v", input, got, err)
		}
	}
	if _, err := e.Contains("(("); !usage.Is(err) {
		t.Errorf("a SMARTS that is none: %v", err)
	}
	if _, err := e.Like("(("); !usage.Is(err) {
		t.Errorf("like what is no molecule: %v", err)
	}
	if _, err := experiment.Picture("((", 100); !usage.Is(err) {
		t.Errorf("a picture of what is no molecule: %v", err)
	}
	if svg, err := experiment.Picture("CCO", 100); err != nil || len(svg) < 100 {
		t.Errorf("a picture: %s, %v", svg, err)
	}
	for input, want := range map[string]string{"CC(O)CC": ", 1 undefined stereo", "CC(O)C(N)CC": ", 2 undefined stereo"} {
		if text, err := e.Describe(input); err != nil || !strings.HasSuffix(text, want) {
			t.Errorf("%s is %q, %v", input, text, err)
		}
	}
	if text, err := e.Describe("CCO"); err != nil || text == "" {
		t.Errorf("properties %q, %v", text, err)
	}
}
