package molecule_test

import (
	"encoding/json"
	"math"
	"testing"
)

// The values of BertzCT in RDKit 2022.09.3.
func TestBertz(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smiles string
		want         float64
	}{
		{"one atom", "O", 0},
		{"no two bonds meet", "CC", 0},
		{"six connections of one kind", "CC(C)(C)C", 6 * math.Log2(6)},
		{"aromatic bonds", "c1ccccc1", 71.96100505779535},
		{"an aryne's triple bond is aromatic", "c1cc#ccc1", 71.96100505779535},
		{"aspirin", "CC(=O)Oc1ccccc1C(=O)O", 343.2228677267164},
		{"caffeine", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C", 616.5285919942219},
		{"cubane", "C12C3C4C1C5C2C3C45", 110.03910001730776},
		{"two components", "CC(=O)[O-].[Na+]", 30.629190483090685},
	}
	for _, test := range tests {
		if got := parse(t, test.smiles).Bertz(); !(math.Abs(got-test.want) <= 1e-9) {
			t.Errorf("%s: Bertz(%s) = %.12g, want %.12g", test.name, test.smiles, got, test.want)
		}
	}
}

func TestGoldenBertz(t *testing.T) {
	needRDKit(t)
	var details []struct {
		SMILES string
		Bertz  float64
	}
	if err := json.Unmarshal(golden(t, "mol_details.json.gz"), &details); err != nil {
		t.Fatal(err)
	}
	for _, want := range details {
		near(t, want.SMILES, "Bertz", parse(t, want.SMILES).Bertz(), want.Bertz)
	}
}

func BenchmarkBertz(b *testing.B) {
	needRDKit(b)
	m := parse(b, osimertinib)
	for b.Loop() {
		m.Bertz()
	}
}
