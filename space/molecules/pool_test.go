package molecules_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// Molecules of a pool are drawn as canonical SMILES, each once; what is no molecule is passed over.
func TestSample(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	p := molecules.NewPool([]string{"OCC", "x", "NC", "", "C1CC", "C(C)C"}, nil)
	got := p.Sample(10, rand.New(rand.NewPCG(1, 0)))
	if slices.Sort(got); !slices.Equal(got, []string{"CCC", "CCO", "CN"}) {
		t.Errorf("drew %q, want CCC, CCO and CN", got)
	}
	builtIn := molecules.BuiltIn()
	got = builtIn.Sample(500, rand.New(rand.NewPCG(1, 0)))
	if slices.Sort(got); len(slices.Compact(got)) != 500 {
		t.Errorf("%d different molecules of the built-in pool, want 500", len(slices.Compact(got)))
	}
	if got := molecules.NewPool(nil, nil).Sample(10, rand.New(rand.NewPCG(1, 0))); len(got) != 0 {
		t.Errorf("drew %q from nothing", got)
	}
}

// A random initial design prefers good molecules, and takes others rather than too few.
func TestDesign(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	p := molecules.NewPool([]string{"CO", "CN", "CCO", "OC", "CCN", "CCC", "CCCC", "x"}, nil)
	nitrogen := func(smiles string) (bool, error) { return strings.Contains(smiles, "N"), nil }
	for _, test := range []struct{ n, good int }{{1, 1}, {2, 2}, {4, 2}, {6, 2}} {
		xs, err := p.Design(t.Context(), test.n, rand.New(rand.NewPCG(1, 0)), nitrogen)
		if err != nil {
			t.Fatal(err)
		}
		different := map[string]bool{}
		good := 0
		for _, x := range xs {
			if different[x] = true; strings.Contains(x, "N") {
				good++
			}
		}
		if len(xs) != test.n || len(different) != test.n || good != test.good {
			t.Errorf("%q, want %d different ones, %d of them with a nitrogen", xs, test.n, test.good)
		}
	}
	if _, err := p.Design(t.Context(), 7, rand.New(rand.NewPCG(1, 0)), nitrogen); err == nil || !strings.Contains(err.Error(), "only 6 different molecules, and 7 are wanted") {
		t.Errorf("error %v, want one that says how many there are", err)
	}
}
