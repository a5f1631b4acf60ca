package molecules

import (
	"testing"

	"github.com/invbo/invbo/molecule"
)

// A series of covalent inhibitors says how many groups that react with proteins a molecule may have.
func TestWarheads(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	var acrylamides []Known
	for _, tail := range []string{"c1ccccc1", "C1CCCC1", "c1ccoc1", "CC(C)C", "c1ccc(F)cc1", "C1CCOCC1"} {
		acrylamides = append(acrylamides, Known{SMILES: "C=CC(=O)NCC" + tail, Value: 2}, Known{SMILES: "CC(=O)NCC" + tail, Value: 1})
	}
	usual, err := UsualOf(t.Context(), acrylamides)
	if err != nil || usual.Warheads != 1 {
		t.Fatalf("%d warheads, %v, want 1", usual.Warheads, err)
	}
	w, err := AtMost(usual.Warheads)
	if err != nil {
		t.Fatal(err)
	}
	for smiles, want := range map[string]bool{
		"C=CC(=O)NCC": true, "CC(=O)NCC": true, "C=CC(=O)NCCNC(=O)C=C": false, "O=CCCNC(=O)C=C": false, "C=CC(=O)NC/C=C/C(=O)NC": false,
		"ClCC(=O)NCCC=O": false, "CC(=O)C(=O)NCCC#N": true, "C=CS(=O)(=O)CC1CO1": false,
	} {
		if err := molecule.Look(smiles, func(m *molecule.Molecule) {
			if got := (Limits{Warheads: w}).Met(m); got != want {
				t.Errorf("%s is met: %t, want %t", smiles, got, want)
			}
		}); err != nil {
			t.Error(err)
		}
	}
	if usual, err := UsualOf(t.Context(), []Known{{SMILES: "CCO"}, {SMILES: "CCN"}, {SMILES: "CCCC=O"}}); err != nil || usual.Warheads != 0 {
		t.Errorf("of molecules without: %d warheads, %v", usual.Warheads, err)
	}
}
