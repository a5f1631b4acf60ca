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

// A molecule whose properties lie halfway between two steps is not described as it was made, in another order of atoms than that of its
// SMILES: a resumed search would see another molecule.
func TestUnsureDescriptions(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	library, err := readCatalogue(t.Context(), File{})
	if err != nil {
		t.Fatal(err)
	}
	d := &descriptions{}
	kept, unsure := 0, 0
	for _, smiles := range library.sample(1_500, rand.New(rand.NewPCG(1, 2))) {
		m, err := molecule.Parse(smiles)
		if err != nil {
			t.Fatal(err)
		}
		d.add(smiles, m)
		_, sure := features(m)
		m.Close()
		if _, is := d.made[smiles]; is != sure {
			t.Errorf("%s: the description is kept: %t, and sure: %t", smiles, is, sure)
		} else if is {
			kept++
		} else {
			unsure++
		}
	}
	if unsure == 0 || unsure > kept/100 {
		t.Errorf("%d molecules are unsure and %d are not, want few", unsure, kept)
	}
}
