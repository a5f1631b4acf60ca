package observed_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/space/observed"
	"github.com/invbo/invbo/space/protein"
)

// Sequences that are recombined of blocks of parents have these blocks, and variants of one sequence have none.
func TestBlocks(t *testing.T) {
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
		got := observed.Blocks(xs)
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
		if got := observed.Blocks(xs); got != nil {
			t.Errorf("%s has blocks at %d", name, got)
		}
	}
}
