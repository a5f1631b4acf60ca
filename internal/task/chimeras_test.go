package task

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/space/protein"
	"github.com/invbo/invbo/study"
)

// Sequences that are recombined of blocks of parents are searched by blocks, and variants of one sequence are not.
func TestChimeras(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	residue := func() string { return protein.Residues[rng.IntN(20):][:1] }
	var parents []string
	for range 4 {
		parent := ""
		for i := range 90 {
			if i%2 == 0 {
				parent += "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQ"[i/2:][:1] // which all have
			} else {
				parent += residue()
			}
		}
		parents = append(parents, parent)
	}
	starts := []int{0, 20, 45, 70, 90}
	chimera := func() (x string) {
		for k := range len(starts) - 1 {
			x += parents[rng.IntN(4)][starts[k]:starts[k+1]]
		}
		return x
	}
	var chimeras, scan, library, rare []string
	for range 40 {
		chimeras = append(chimeras, chimera())
		at := rng.IntN(90)
		scan = append(scan, parents[0][:at]+residue()+parents[0][at+1:])
		x := []byte(parents[0])
		for _, i := range []int{3, 17, 31, 44, 58, 77} {
			if rng.IntN(2) == 0 {
				x[i] = 'W'
			}
		}
		library = append(library, string(x))
		x = []byte(parents[0])
		for range 4 {
			x[rng.IntN(90)] = residue()[0]
		}
		rare = append(rare, string(x))
	}
	var mutated, scaffolds []string
	for k, x := range chimeras {
		y := []byte(x)
		if k%2 == 0 {
			y[11] = 'W' // designed into half of them
		}
		if k%3 == 0 {
			y[30+k] = 'C'
		}
		mutated = append(mutated, string(y))
		y = []byte(parents[k%2])
		y[2*rng.IntN(45)] = 'W'
		scaffolds = append(scaffolds, string(y))
	}
	for name, xs := range map[string][]string{"chimeras": chimeras, "chimeras with mutations": mutated} {
		got := blocksOf(xs)
		for _, border := range starts[1:4] { // between positions that differ
			if !slices.ContainsFunc(got, func(at int) bool { return at == border || at == border+1 }) {
				t.Errorf("%s have blocks from %d, want %d", name, got, starts[:4])
			}
		}
		if len(got) > 5 {
			t.Errorf("%s have %d blocks, want 4", name, len(got))
		}
	}
	for name, xs := range map[string][]string{"mutants of two scaffolds": scaffolds, "a scan": scan, "a library": library, "random mutants": rare, "few": chimeras[:7]} {
		if got := blocksOf(xs); got != nil {
			t.Errorf("%s has blocks at %d", name, got)
		}
	}
	d := Design{Sequences: table.Protein}
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
