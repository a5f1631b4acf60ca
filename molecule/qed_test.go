package molecule_test

import (
	"math"
	"testing"
)

// Want the values of QED.properties and QED.qed in RDKit 2022.09.3.
func TestQED(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smiles string
		properties   [8]float64 // weight, logP, acceptors, donors, TPSA, rotatable bonds, aromatic rings, alerts
		want         float64
	}{
		{"methane", "C", [...]float64{16.043, 0.6361, 0, 0, 0, 0, 0, 0}, 0.3597849378839701},
		{"aspirin", "CC(=O)Oc1ccccc1C(=O)O", [...]float64{180.159, 1.3101, 4, 1, 63.6, 2, 1, 2}, 0.5501217966938848},
		{"caffeine", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C", [...]float64{194.194, -1.0293, 3, 0, 61.82, 0, 2, 0}, 0.5384628262372215},
		{"ibuprofen", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", [...]float64{206.285, 3.0732, 2, 1, 37.3, 4, 1, 0}, 0.8215995486924976},
		{"nicotine", "CN1CCCC1c1cccnc1", [...]float64{162.236, 1.8483, 2, 0, 16.13, 1, 1, 0}, 0.6261518225795569},
		{"cimetidine", "CNC(=NCCSCc1nc[nH]c1C)NC#N", [...]float64{252.347, 0.5974, 5, 3, 88.89, 5, 1, 5}, 0.2346588097545297},
		{"strychnine", "O=C1CC2OCC=C3CN4CCC56C4CC3C2C6N1c1ccccc15", [...]float64{334.419, 2.0925, 3, 0, 32.78, 0, 1, 1}, 0.6813170466380937},
		{"a ring of N and S that is not aliphatic", "N1C2=CC=CC=C2SC3=C1C=CC4=C3C=CC=C4", [...]float64{249.338, 5.048, 2, 1, 12.03, 0, 4, 0}, 0.4678667952358445},
		{"a ring cut open", "C1Cc2cccc3cccc1c23", [...]float64{154.212, 2.9384, 0, 0, 0, 0, 2, 0}, 0.5469607763108971},
		{"bridged aromatic rings", "CCC=NN1N(C2=CN=C(NC2=O)C=N1)C", [...]float64{220.236, 0.2642, 3, 1, 80.86, 2, 3, 1}, 0.6290050641582092},
		{"a bridged aromatic ring", "C1=C2C=CC(=C1)C=C2", [...]float64{102.136, 2.2776, 0, 0, 0, 0, 3, 0}, 0.4081866047279585},
		{"the same, counted anew because of a ring that is cut", "C1=C2C=CC(=C1)C=C2.C1CC1", [...]float64{144.217, 3.4479, 0, 0, 0, 0, 2, 0}, 0.5309270507126891},
		{"an isotope", "[15NH2]CC(=O)O", [...]float64{76.0601089, -0.9703, 3, 2, 63.32, 1, 0, 1}, 0.3948022402832024},
	}
	for _, test := range tests {
		m := parse(t, test.smiles)
		for i, got := range m.QEDProperties() {
			if want := test.properties[i]; !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("%s: property %d of %s is %.12g, want %.12g", test.name, i, test.smiles, got, want)
			}
		}
		if got := m.QED(); !(math.Abs(got-test.want) <= 1e-12) {
			t.Errorf("%s: QED of %s = %.15g, want %.15g", test.name, test.smiles, got, test.want)
		}
	}
}

func BenchmarkQED(b *testing.B) {
	needRDKit(b)
	m := parse(b, osimertinib)
	for b.Loop() {
		m.QED()
	}
}
