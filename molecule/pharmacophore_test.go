package molecule_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// rdkitBits returns the ids of a fingerprint's bits by RDKit's numbers of them: pairs before triangles, families in
// non-descending order, and distances in lexical order without those that violate the triangle inequality even at the
// bounds of their bins.
var rdkitBits = sync.OnceValue(func() (ids []uint64) {
	const families, bins = 8, 7
	id := func(digits ...int) {
		n := uint64(0)
		for _, d := range digits {
			n = 8*n + uint64(d)
		}
		ids = append(ids, n)
	}
	for f := range families {
		for g := f; g < families; g++ {
			for bin := range bins {
				id(2, f, g, bin+1)
			}
		}
	}
	above := func(bin int) int { // upper bounds are exclusive, as in RDKit
		if bin == bins-1 {
			return 100
		}
		return bin + 3
	}
	closes := func(one, other, third int) bool { return above(one)+above(other) >= third+2 }
	for f := range families {
		for g := f; g < families; g++ {
			for h := g; h < families; h++ {
				for a := range bins {
					for b := range bins {
						for c := range bins {
							if closes(a, b, c) && closes(b, c, a) && closes(c, a, b) {
								id(3, f, g, h, a+1, b+1, c+1)
							}
						}
					}
				}
			}
		}
	}
	return ids
})

// checkBits compares a fingerprint with the numbers of the bits that RDKit sets.
func checkBits(t *testing.T, name string, got molecule.Counts, want []uint64) {
	t.Helper()
	wanted := make([]uint64, len(want))
	for i, bit := range want {
		wanted[i] = rdkitBits()[bit]
	}
	if !slices.Equal(got.IDs, wanted) {
		t.Errorf("%s: bits %o, want %o", name, got.IDs, wanted)
	}
}

// Want the bits of Gobbi_Pharm2D in RDKit 2022.09.3.
func TestPharmacophore(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smiles string
		want         []uint64
	}{
		{"no points", "C", nil},
		{"points that are too near", "Clc1ccccc1Br", nil},
		{"points of several kinds on two atoms make no triangle", "NCCO", []uint64{113, 120, 148, 155, 183}},
		{"pairs at two distances, and one triangle", "[Si]CC[Si]CC[Si]", []uint64{246, 249, 39837}},
		{"points 99 bonds apart", "[Si]" + strings.Repeat("C=C", 49) + "[Si]", []uint64{251}},
		{"points 100 bonds apart", "[Si]" + strings.Repeat("C=C", 49) + "C[Si]", nil},
		{"points of two components", "[Si].[Si]", nil},
	}
	for _, test := range tests {
		checkBits(t, test.name, parse(t, test.smiles).Pharmacophore(), test.want)
	}
}

// golden/mol_details.json.gz: which atoms are points, and all bits.
func TestGoldenPharmacophore(t *testing.T) {
	needRDKit(t)
	var details []struct {
		SMILES   string
		Features map[string][][1]int `json:"phco_features"`
		Bits     []uint64            `json:"phco_bits"`
	}
	if err := json.Unmarshal(golden(t, "mol_details.json.gz"), &details); err != nil {
		t.Fatal(err)
	}
	for _, want := range details {
		m := parse(t, want.SMILES)
		atoms := m.FamilyAtoms()
		for i, family := range []string{"AG", "AR", "BG", "HA", "HD", "LH", "RR", "X"} {
			var wanted []int
			for _, match := range want.Features[family] {
				wanted = append(wanted, match[0])
			}
			slices.Sort(wanted)
			if !slices.Equal(atoms[i], wanted) {
				t.Errorf("%s: atoms of family %s are %d, want %d", want.SMILES, family, atoms[i], wanted)
			}
		}
		checkBits(t, want.SMILES, m.Pharmacophore(), want.Bits)
	}
}

// The order of the atoms changes no bit.
func TestPharmacophoreOfReorderedAtoms(t *testing.T) {
	needRDKit(t)
	for _, smiles := range []string{osimertinib, "OC(=O)c1ccccc1CN", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "O=C1CC2OCC=C3CN4CCC56C4CC3C2C6N1c1ccccc15"} {
		m := parse(t, smiles)
		canonical := parse(t, m.SMILES())
		if a, b := m.Pharmacophore(), canonical.Pharmacophore(); len(a.IDs) == 0 || !slices.Equal(a.IDs, b.IDs) {
			t.Errorf("%s has bits %d, and as %s %d", smiles, a.IDs, m.SMILES(), b.IDs)
		}
	}
}

func BenchmarkPharmacophore(b *testing.B) {
	needRDKit(b)
	m := parse(b, osimertinib)
	for b.Loop() {
		m.Pharmacophore()
	}
}
