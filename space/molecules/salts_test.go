package molecules

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// Proposals of salts have the components that salts of the data have, but for one, and such charges; other molecules may have any.
func TestSalts(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	known := func(smiles ...string) (all []Known) {
		for _, s := range smiles {
			all = append(all, Known{SMILES: s})
		}
		return all
	}
	salts := SaltsOf(known("CC[n+]1ccccc1.[Br-]", "CCCC[N+](C)(C)C.F[B-](F)(F)F", "C[n+]1ccccc1CC[N+](C)(C)C.[Br-].[Cl-]", "CCOCCN.Cl"))
	if want := []string{"[-1 -1 2]", "[-1 1]", "[0 0]"}; !slices.Equal(salts.Charges, want) {
		t.Errorf("charges %q, want %q", salts.Charges, want)
	}
	for smiles, want := range map[string]bool{
		"CCC[n+]1ccccc1.[Br-]": true, "CC[n+]1ccccc1.CC(=O)[O-]": false, "CC[n+]1ccccc1.[Cl-]": true, "CCC[n+]1ccccc1.CC(=O)[O-]": false, "CCC[n+]1ccccc1.[Br-].CCCF": false,
		"CCOCCCN.Cl": true, "CCOCCCN.Cc1ccccc1": false, "CCOCCCN": false, "CCC[n+]1ccccc1.CC[N+](C)(C)C.[Br-].[Br-]": false,
	} {
		if err := molecule.Look(smiles, func(m *molecule.Molecule) {
			if got := (Limits{Salts: salts}).Met(m); got != want {
				t.Errorf("%s is met: %t, want %t", smiles, got, want)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if salts, want := SaltsOf(known("CCOCCN.Cl", "Cc1ccccc1", "c1ccncc1")), []string{"Cl"}; !slices.Equal(salts.Parts, want) {
		t.Errorf("components %q, want %q: molecules without a counterion are none", salts.Parts, want)
	}
	if salts := SaltsOf(known("CCO", "CCN", "CC[n+]1ccccc1")); salts.Charges != nil {
		t.Errorf("of molecules of one component: %q", salts)
	}
}
