package molecules

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// Proposals of salts have the components that salts of the data have; other molecules may have any.
func TestIons(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	known := func(smiles ...string) (all []Known) {
		for _, s := range smiles {
			all = append(all, Known{SMILES: s})
		}
		return all
	}
	ions := Ions(known("CC[n+]1ccccc1.[Br-]", "CCCC[N+](C)(C)C.F[B-](F)(F)F", "C[n+]1ccccc1CC[N+](C)(C)C.[Br-].[Cl-]"))
	if want := []string{"[-1 -1 2]", "[-1 1]"}; !slices.Equal(ions, want) {
		t.Errorf("ions %q, want %q", ions, want)
	}
	for smiles, want := range map[string]bool{
		"CCC[n+]1ccccc1.[Cl-]": true, "CCC[n+]1ccccc1.[Cl-].CCCF": false, "CCCF": false, "CCC[n+]1ccccc1.CC[N+](C)(C)C.[Br-].[Br-]": false,
	} {
		_ = molecule.Look(smiles, func(m *molecule.Molecule) {
			if got := (Limits{Ions: ions}).Met(m); got != want {
				t.Errorf("%s is met: %t, want %t", smiles, got, want)
			}
		})
	}
	if ions := Ions(known("CCO", "CCN", "CC[n+]1ccccc1.[Br-]")); ions != nil {
		t.Errorf("of mostly neutral molecules: %q", ions)
	}
}
