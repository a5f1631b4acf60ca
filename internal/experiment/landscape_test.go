package experiment_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/study"
)

// A pool of molecules is searched as molecules, however they are written, and of equal scores any count as found.
func TestLandscapeOfMolecules(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const n, initial, budget = 1_000, 20, 60
	var text strings.Builder
	text.WriteString("smiles,score\n")
	var scores []int
	for _, smiles := range library.SMILES()[:n] {
		scores = append(scores, strings.Count(strings.ToUpper(smiles), "N"))
		fmt.Fprintf(&text, "%s,%d\n", smiles, scores[len(scores)-1])
	}
	file := filepath.Join(t.TempDir(), "pool.csv")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	slices.Sort(scores)
	for _, method := range []string{"evolve", "ridge"} {
		t.Run(method, func(t *testing.T) {
			s := experiment.RunSpec{
				Task: task.LandscapeTask, Method: method, Budget: budget, Init: experiment.Init{Random: initial},
				MethodOptions: experiment.MethodOptions{Batch: 20},
				Options:       task.Options{Landscape: task.Landscape{File: task.File{Path: file}}},
			}
			s.Pool = task.File{Path: file}
			p := build(t, s)
			r, err := p.Run(t.Context(), experiment.Observer{})
			if err != nil {
				t.Fatal(err)
			}
			hundredth := float64(scores[n-100])
			best, above := 0, 0 // found, and how many of the hundred are better than the last one
			for _, v := range scores {
				if float64(v) > hundredth {
					above++
				}
			}
			equal := 0
			for _, trial := range r.Trials {
				if trial.State != study.Scored {
					t.Fatalf("%s has no score", trial.Input)
				}
				if trial.Score > hundredth {
					best++
				} else if trial.Score == hundredth {
					equal++
				}
			}
			if want := best + min(equal, 100-above); r.HundredFound != want {
				t.Errorf("%d of the hundred best were found, want %d", r.HundredFound, want)
			}
			if share := float64(r.HundredFound) / (initial + budget); share < 3*100.0/n {
				t.Errorf("%d of the hundred best are in %d molecules, hardly more than by chance", r.HundredFound, initial+budget)
			}
		})
	}
}
