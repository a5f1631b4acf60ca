package molecule_test

import (
	"fmt"
	"testing"
)

func TestIonizable(t *testing.T) {
	needRDKit(t)
	for smiles, want := range map[string]string{
		"CCO": "0 0", "Oc1ccccc1": "0 0", "Nc1ccccc1": "0 0", "CC(=O)NC": "0 0", "CS(=O)(=O)NC": "0 0", "C[N+](=O)[O-]": "0 0", "c1ccncc1": "0 0", "OC=C": "0 0",
		"NN": "0 0", "CON": "0 0", "CNSC": "0 0", "CNC#N": "0 0", "[Na+].CC(=O)[O-]": "1 0",
		"CC(=O)O": "1 0", "CC(=O)[O-]": "1 0", "CS(=O)(=O)O": "1 0", "CP(=O)(O)O": "2 0", "CC(=O)NS(C)(=O)=O": "1 0", "ONC(C)=O": "0 0",
		"CNC": "0 1", "C[NH2+]C": "0 1", "C[N+](C)(C)C": "0 1", "CN1CCNCC1": "0 2", "CC(=N)N": "0 1", "NC(=N)NC": "0 1", "c1ccccc1CN": "0 1", "C1COCCN1c1ccccc1": "0 0",
		"NCC(=O)O": "1 1", "[NH3+]CC(=O)[O-]": "1 1",
	} {
		acids, bases := parse(t, smiles).Graph().Ionizable()
		if got := fmt.Sprint(acids, bases); got != want {
			t.Errorf("%s has %s acids and bases, want %s", smiles, got, want)
		}
	}
}
