package molecules

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// Pieces are what is left of a molecule if a bond beside a ring is cut, each once.
func TestPieces(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		name, smiles string
		want         []string // all that there can be
	}{
		{"a substituent", "Cc1ccccc1", []string{"C[*:1]", "c1ccc([*:1])cc1"}},
		{"two rings", "C1CC1c1ccncc1", []string{"C1CC1[*:1]", "c1cc([*:1])ccn1"}},
		{"no ring", "CCCC", nil},
		{"no single bond", "O=C1CC1", nil},
		{"away from rings nothing is cut", "CCCc1ccccc1", []string{"CCC[*:1]", "c1ccc([*:1])cc1"}},
	} {
		p := NewPool(slices.Repeat([]string{test.smiles}, 5), nil)
		got := p.pieces(5, rand.New(rand.NewPCG(1, 0)))
		if slices.Sort(got); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Joined molecules are new, different, and made of two pieces.
func TestJoined(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	p := BuiltIn()
	const n = 400
	got := p.joined(n, rand.New(rand.NewPCG(1, 0)))
	if again := p.joined(n, rand.New(rand.NewPCG(1, 0))); !slices.Equal(got, again) {
		t.Error("the same random numbers give other molecules")
	}
	known := map[string]bool{}
	for _, smiles := range p.smiles {
		known[smiles] = true
	}
	different := map[string]bool{}
	old := 0
	for _, smiles := range got {
		if canonical, err := molecule.Canonical(smiles); err != nil || canonical != smiles {
			t.Errorf("%s is not the canonical SMILES of a molecule: %s, %v", smiles, canonical, err)
		}
		if different[smiles] = true; known[smiles] {
			old++
		}
	}
	if len(different) < n*9/10 || old > n/20 {
		t.Errorf("%d different molecules of %d, %d of the library", len(different), n, old)
	}
	few := NewPool([]string{"Cc1ccccc1"}, nil)
	for _, smiles := range few.joined(20, rand.New(rand.NewPCG(1, 0))) {
		if !slices.Contains([]string{"CC", "Cc1ccccc1", "c1ccc(-c2ccccc2)cc1"}, smiles) {
			t.Errorf("%s of methyl and phenyl", smiles)
		}
	}
	if got := NewPool([]string{"CC"}, nil).joined(5, rand.New(rand.NewPCG(1, 0))); len(got) != 0 {
		t.Errorf("%q of a pool without rings", got)
	}
}
