package task

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// Random molecules of the built-in model are different, made of what is usual, and the same for the same generator.
func TestRandomMolecules(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	med2, err := Named("med2")
	if err != nil {
		t.Fatal(err)
	}
	weights, err := BuiltIn(MoleculeModel)
	if err != nil {
		t.Fatal(err)
	}
	p, err := med2.Build(t.Context(), med2, Options{Weights: weights, Plausible: true})
	if err != nil {
		t.Fatal(err)
	}
	const n = 10
	draw := func() []string {
		x, err := p.Generate(t.Context(), rand.New(rand.NewPCG(1, 0)), n)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	xs := draw()
	if !slices.Equal(xs, draw()) {
		t.Error("the same generator draws others")
	}
	seen := map[string]bool{}
	for _, x := range xs {
		smiles, err := p.Translate(x)
		if err != nil {
			t.Fatal(err)
		}
		seen[smiles] = true
		if ok, err := p.Feasible(smiles); !ok || err != nil {
			t.Errorf("%s: feasible %v, %v", smiles, ok, err)
		}
	}
	if len(seen) != n {
		t.Errorf("%d different molecules, want %d", len(seen), n)
	}
}
