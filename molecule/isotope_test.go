package molecule_test

import (
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestUnlabelled(t *testing.T) {
	needRDKit(t)
	for smiles, want := range map[string]string{
		"CCO": "CCO", "[2H]C([2H])([2H])Oc1ccccc1": "COc1ccccc1", "[13CH3]C(=O)O": "CC(=O)O", "[2H]/C=C/C": "C=CC", "C[C@H]([15NH2])C(=O)O": "C[C@H](N)C(=O)O",
		"[NH3+]CC": "[NH3+]CC",
	} {
		if got, err := molecule.Unlabelled(smiles); err != nil || got != want {
			t.Errorf("%s without labels is %s (%v), want %s", smiles, got, err, want)
		}
	}
}
