package molecule_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func newPharmacophore(t testing.TB) *molecule.Pharmacophore {
	t.Helper()
	p, err := molecule.NewPharmacophore()
	if err != nil {
		t.Fatal(err)
	}
	return p
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
	p := newPharmacophore(t)
	for _, test := range tests {
		got := p.Fingerprint(parse(t, test.smiles)).IDs
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %s has bits %d, want %d", test.name, test.smiles, got, test.want)
		}
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
	p := newPharmacophore(t)
	for _, want := range details {
		m := parse(t, want.SMILES)
		atoms := p.FamilyAtoms(m)
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
		if got := p.Fingerprint(m).IDs; !slices.Equal(got, want.Bits) {
			t.Errorf("%s: bits %d, want %d", want.SMILES, got, want.Bits)
		}
	}
}

// The order of the atoms changes no bit.
func TestPharmacophoreOfReorderedAtoms(t *testing.T) {
	needRDKit(t)
	p := newPharmacophore(t)
	for _, smiles := range []string{osimertinib, "OC(=O)c1ccccc1CN", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "O=C1CC2OCC=C3CN4CCC56C4CC3C2C6N1c1ccccc15"} {
		m := parse(t, smiles)
		canonical := parse(t, m.SMILES())
		if a, b := p.Fingerprint(m), p.Fingerprint(canonical); len(a.IDs) == 0 || !slices.Equal(a.IDs, b.IDs) {
			t.Errorf("%s has bits %d, and as %s %d", smiles, a.IDs, m.SMILES(), b.IDs)
		}
	}
}

func BenchmarkPharmacophore(b *testing.B) {
	needRDKit(b)
	p := newPharmacophore(b)
	m := parse(b, osimertinib)
	for b.Loop() {
		p.Fingerprint(m)
	}
}
