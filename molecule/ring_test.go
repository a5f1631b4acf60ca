package molecule_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
	"pgregory.net/rapid"
)

func ringKinds(t *testing.T, smiles string) []uint64 {
	t.Helper()
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	defer m.Close()
	return m.RingKinds()
}

func TestRingKinds(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"begun elsewhere, and the other way round", "N1CCOC1", "C1OCCN1", true},
		{"substituents", "c1ccccc1", "CC(C)c1c(O)cccc1Cl", true},
		{"hydrogens", "C1CCNC1", "CN1CCCC1", true},
		{"stereochemistry", "C1CO[C@H](C)C1", "C1CO[C@@H](C)C1", true},
		{"both alkenes of a symmetric ring", "C1=CCCCC1", "C1CC=CCC1", true},
		{"size", "C1CCCC1", "C1CCCCC1", false},
		{"an element", "C1CCNC1", "C1CCOC1", false},
		{"where the elements are", "C1COCN1", "C1CONC1", false},
		{"where a double bond is", "C1=CCNC1", "C1=CNCC1", false},
		{"aromaticity", "c1ccoc1", "C1CCOC1", false},
		{"a carbonyl", "C1CCNC1", "O=C1CCCN1", false},
		{"what is double-bonded", "O=C1CCCN1", "S=C1CCCN1", false},
		{"one or two oxygens on sulphur", "O=S1CCCC1", "O=S1(=O)CCCC1", false},
		{"a charge", "C1CC[NH2+]C1", "C1CCNC1", false},
	}
	for _, tt := range tests {
		a, b := ringKinds(t, tt.a), ringKinds(t, tt.b)
		if len(a) != 1 || len(b) != 1 {
			t.Errorf("%s: %s has kinds %x, %s %x; want one each", tt.name, tt.a, a, tt.b, b)
		}
		if got := slices.Equal(a, b); got != tt.same {
			t.Errorf("%s: %s and %s the same kind: %v, want %v", tt.name, tt.a, tt.b, got, tt.same)
		}
	}
	if kinds := ringKinds(t, "CCO"); len(kinds) != 0 {
		t.Errorf("ethanol has kinds of rings: %x", kinds)
	}
	for _, tt := range []struct {
		name, smiles string
		want         int
	}{
		{"phenylpyridine: two rings apart", "c1ccc(cc1)-c1ccccn1", 2},
		{"naphthalene: a ring, and the pair", "c1ccc2ccccc2c1", 2},
		{"anthracene: the same", "c1ccc2cc3ccccc3cc2c1", 2},
		{"quinoline: two rings, and the pair", "c1ccc2ncccc2c1", 3},
	} {
		kinds := ringKinds(t, tt.smiles)
		if len(kinds) != tt.want || !slices.IsSorted(kinds) {
			t.Errorf("%s: kinds %x, want %d, ascending", tt.name, kinds, tt.want)
		}
	}
	// Two cyclopentane rings that share one, two and three atoms.
	spiro, fused, bridged := ringKinds(t, "C1CCC2(C1)CCCC2"), ringKinds(t, "C1CC2CCCC2C1"), ringKinds(t, "C1CC2CCC1C2")
	if slices.Equal(spiro, fused) || slices.Equal(fused, bridged) || slices.Equal(spiro, bridged) {
		t.Errorf("kinds %x of a spiro compound, %x of a fused one and %x of a bridged one, want all different", spiro, fused, bridged)
	}
}

// Kinds do not depend on the SMILES that a molecule is written as.
func TestRingKindsOfAnySMILES(t *testing.T) {
	needRDKit(t)
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(3, 9).Draw(rt, "size")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		parts := make([]string, n) // of a ring: its atoms, with what they carry
		for i := range parts {
			parts[i] = []string{"C", "N", "O", "C(=O)", "S", "C(C)"}[rng.IntN(6)]
		}
		read := func(begin, step int) string {
			text := ""
			for k := range n {
				part := parts[((begin+step*k)%n+n)%n]
				if k == 0 || k == n-1 { // the ring's closure
					part = part[:1] + "1" + part[1:]
				}
				text += part
			}
			return text
		}
		want := ringKinds(t, read(0, 1))
		begin := rng.IntN(n)
		for _, step := range []int{1, -1} {
			if got := ringKinds(t, read(begin, step)); !slices.Equal(got, want) {
				rt.Errorf("%s and %s are of kinds %x and %x", read(begin, step), read(0, 1), got, want)
			}
		}
	})
}
