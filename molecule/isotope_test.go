package molecule_test

import (
	"strings"
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

func TestLabelled(t *testing.T) {
	needRDKit(t)
	for _, smiles := range strings.Fields(`C[C@H](N)C(=O)O c1cc[nH]c1 O=[N+]([O-])c1ccccc1Cl F/C=C/Br CC(C)(C)OC(=O)N1CCOCC1`) {
		labelled, err := molecule.Labelled(smiles, 207)
		if err != nil || strings.Count(labelled, "[207") != len(parse(t, smiles).Graph().Atoms) {
			t.Errorf("%s is %s with labels, %v", smiles, labelled, err)
		}
		got, err := molecule.Canonical(strings.ReplaceAll(labelled, "[207", "["))
		if want, _ := molecule.Canonical(smiles); err != nil || got != want {
			t.Errorf("%s is %s without labels, %v", labelled, got, err)
		}
	}
}
