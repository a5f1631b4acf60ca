package task

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/space/protein"
	"github.com/invbo/invbo/study"
)

// Sequences that are recombined of blocks of parents are searched by blocks.
func TestChimeras(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	parents := make([]string, 4)
	for i := range 90 {
		for k := range parents {
			at := 0 // all have the same residue there
			if i%2 == 1 {
				at = rng.IntN(20)
			}
			parents[k] += protein.Residues[at:][:1]
		}
	}
	starts := []int{0, 20, 45, 70, 90}
	chimera := func() (x string) {
		for k := range len(starts) - 1 {
			x += parents[rng.IntN(4)][starts[k]:starts[k+1]]
		}
		return x
	}
	var chimeras []string
	for range 40 {
		chimeras = append(chimeras, chimera())
	}
	d := Design{Sequences: bioseq.Protein}
	for _, x := range chimeras {
		d.Init = append(d.Init, study.Observation{X: x})
	}
	space, err := ownSpace(Options{}, nil, d)
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, op := range space.Operators {
		children, err := op.Make(t.Context(), slices.Repeat([][2]string{{chimeras[0], chimeras[1]}, {chimeras[2], chimeras[3]}}, 100), rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range children {
			if c.X == "" {
				continue
			}
			made[c.X] = true
			for k := range len(starts) - 1 {
				if block := c.X[starts[k]:starts[k+1]]; !slices.ContainsFunc(parents, func(p string) bool { return strings.Index(p, block) == starts[k] }) {
					t.Fatalf("%s makes %s, whose block %d is of no parent", op.Name, c.X, k+1)
				}
			}
		}
	}
	if len(made) < 20 {
		t.Errorf("only %d chimeras", len(made))
	}
	if err := space.Check(parents[0][:10] + "W" + parents[0][11:]); err != nil {
		t.Errorf("a mutant of a parent cannot be measured: %v", err)
	}
	again, err := ownSpace(Options{SequenceOptions: SequenceOptions{Positions: Positions{11, 12}}}, nil, d)
	if err != nil || len(again.Operators) == 0 {
		t.Errorf("positions of chimeras: %v", err)
	}
}
