package molecule_test

import (
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestCenters(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		name, smiles                     string
		defined, undefined, open, charge int
		spiro, bridgeheads               int
	}{
		{"no center", "CC(=O)Nc1ccc(O)cc1", 0, 0, 0, 0, 0, 0},
		{"a defined one", "C[C@H](N)C(=O)O", 1, 0, 0, 0, 0, 0},
		{"an undefined one, charged", "CC([NH3+])C(=O)OC", 0, 1, 1, 1, 0, 0},
		{"one of two", "C[C@H](N)C(O)CC", 1, 1, 1, 0, 0, 0},
		{"centers that depend on each other", "OC1CCC(N)CC1", 0, 0, 2, 0, 0, 0},
		{"a spiro atom", "C1CCC2(CC1)CCNCC2", 0, 0, 0, 0, 1, 0},
		{"a double bond", "CC=CCO", 0, 0, 1, 0, 0, 0},
		{"a defined one", "C/C=C/CO", 0, 0, 0, 0, 0, 0},
		{"double bonds of rings, ends and equal groups", "C=CC1=CCCCC1C=C(C)C", 0, 1, 1, 0, 0, 0},
		{"an oxime and an amidine", "CCC(C)=NOCN=C(N)CC", 0, 0, 1, 0, 0, 0},
		{"phosphorus", "CCOP(=O)(NC)Oc1ccccc1", 0, 1, 1, 0, 0, 0},
		{"a defined phosphorus", "CCO[P@](=O)(NC)Oc1ccccc1", 1, 0, 0, 0, 0, 0},
		{"an acid of phosphorus, and an ester with equal groups", "CCOP(=O)(O)Oc1ccc(P(=O)(OC)OC)cc1", 0, 1, 0, 0, 0, 0},
		{"a bisphosphonate", "OC(Cn1ccnc1)(P(=O)(O)O)P(=O)(O)O", 0, 0, 0, 0, 0, 0},
		{"a bisphosphonate with a center", "OC(CC(C)CN)(P(=O)(O)O)P(=O)(O)O", 0, 1, 1, 0, 0, 0},
		{"a sulfoxide", "CCS(C)=O", 0, 1, 1, 0, 0, 0},
		{"linear groups: an azide, an isocyanate and an allene", "[N-]=[N+]=NCC(=O)CC=C=CCN=C=O", 0, 0, 0, 0, 0, 0},
		{"bridgeheads", "C1CC2CCC1CC2", 0, 0, 0, 0, 0, 2},
	} {
		m, err := molecule.Parse(test.smiles)
		if err != nil {
			t.Fatal(err)
		}
		if d, u := m.Stereocenters(); d != test.defined || u != test.undefined || m.Undefined() != test.open {
			t.Errorf("%s: %d defined and %d undefined centers, %d open; want %d, %d and %d", test.name, d, u, m.Undefined(), test.defined, test.undefined, test.open)
		}
		if s, b := m.Bridges(); s != test.spiro || b != test.bridgeheads || m.Charge() != test.charge {
			t.Errorf("%s: %d spiro atoms, %d bridgeheads, charge %d; want %d, %d and %d", test.name, s, b, m.Charge(), test.spiro, test.bridgeheads, test.charge)
		}
		m.Close()
	}
}
