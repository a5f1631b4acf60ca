package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestMacrocyclic(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	tests := []struct {
		name, smiles string
		want         bool
	}{
		{"no ring", "CCO", false},
		{"cyclooctane", "C1CCCCCCC1", false},
		{"cyclononane", "C1CCCCCCCC1", true},
		{"naphthalene, ten atoms around two rings", "c1ccc2ccccc2c1", false},
		{"18-crown-6", "C1COCCOCCOCCOCCOCCO1", true},
	}
	for _, tt := range tests {
		m, err := molecule.Parse(tt.smiles)
		if err != nil {
			t.Fatal(err)
		}
		if got := macrocyclic(m); got != tt.want {
			t.Errorf("%s: macrocyclic %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Random molecules of the built-in model are different, plausible and no macrocycles, and the same for the same generator.
func TestRandomMolecules(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	med2, err := taskNamed("med2")
	if err != nil {
		t.Fatal(err)
	}
	p, err := med2.build(t.Context(), med2, taskFlags{})
	if err != nil {
		t.Fatal(err)
	}
	const n = 10
	draw := func() []string {
		x, err := p.generate(t.Context(), rand.New(rand.NewPCG(1, 0)), n)
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
		smiles, err := p.translate(x)
		if err != nil {
			t.Fatal(err)
		}
		seen[smiles] = true
		m, err := molecule.Parse(smiles)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := p.plausible(smiles); !ok || err != nil || macrocyclic(m) {
			t.Errorf("%s: plausible %v, %v; macrocyclic %v", smiles, ok, err, macrocyclic(m))
		}
	}
	if len(seen) != n {
		t.Errorf("%d different molecules, want %d", len(seen), n)
	}
}
