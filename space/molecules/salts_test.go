package molecules

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// Proposals of salts have the components that salts of the data have, but for one, and such charges; other molecules
// may have any.
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
	salts, err := SaltsOf(t.Context(), known("CC[n+]1ccccc1.[Br-]", "CCCC[N+](C)(C)C.F[B-](F)(F)F", "C[n+]1ccccc1CC[N+](C)(C)C.[Br-].[Cl-]", "CCOCCN.Cl"))
	if err != nil {
		t.Fatal(err)
	}
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
	want := []string{"Cl"}
	if salts, err := SaltsOf(t.Context(), known("CCOCCN.Cl", "Cc1ccccc1", "c1ccncc1")); err != nil || !slices.Equal(salts.Parts, want) {
		t.Errorf("components %q, %v, want %q: molecules without a counterion are none", salts.Parts, err, want)
	}
	if salts, err := SaltsOf(t.Context(), known("CCO", "CCN", "CC[n+]1ccccc1")); err != nil || salts.Charges != nil {
		t.Errorf("of molecules of one component: %q, %v", salts, err)
	}
}

// The components beside the compound are the counterions, however large; where no list knows them, they are those that
// recur.
func TestLargeCounterions(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const (
		pamoate  = ".O=C(O)c1cc2ccccc2c(Cc2c(O)c(C(=O)O)cc3ccccc23)c1O"
		dianion  = ".O=C([O-])c1cc2ccccc2c(Cc2c(O)c(C(=O)[O-])cc3ccccc23)c1O"
		stearate = ".CCCCCCCCCCCCCCCCCC(=O)O"
		besylate = ".O=S(=O)(O)c1ccccc1"
		naproxen = ".COc1ccc2cc(C(C)C(=O)O)ccc2c1"
		barf     = ".FC(F)(F)c1cc([B-](c2cc(C(F)(F)F)cc(C(F)(F)F)c2)(c2cc(C(F)(F)F)cc(C(F)(F)F)c2)c2cc(C(F)(F)F)cc(C(F)(F)F)c2)cc(C(F)(F)F)c1"
	)
	tests := []struct {
		name    string
		known   []string
		allowed map[string]bool
	}{
		{"pamoates", []string{"CCCNC" + pamoate, "CCCCNC" + pamoate}, map[string]bool{"COCCNC" + pamoate: true, "COCCNC" + stearate: false, "CCCNC" + stearate: false}},
		{"pamoates of two molecules each", []string{"CCC[NH2+]C.CCC[NH2+]C" + dianion, "CCCC[NH2+]C.CCCC[NH2+]C" + dianion},
			map[string]bool{"COCC[NH2+]C.COCC[NH2+]C" + dianion: true, "COCC[NH2+]C.CCC[NH2+]C" + dianion: false}},
		{"stearates", []string{"CCCNC" + stearate, "CCCCNC" + stearate}, map[string]bool{"COCCNC" + stearate: true, "COCCNC.CCCCCCCCCCCCCCCCC(=O)O": false}},
		{"besylates", []string{"CCCNC" + besylate, "CCCCNC" + besylate, "c1ccccc1CCNC" + besylate}, map[string]bool{"COCCNC" + besylate: true, "c1ccccc1COCCNC" + besylate: true, "COCCNC.Cl": false}},
		{"salts of two drugs", []string{"CNCCCc1ccccc1OC" + naproxen, "CNCCCc1ccccc1OCC1CCCCC1" + naproxen, "CNCCCc1ccccc1C1CC1" + naproxen},
			map[string]bool{"CNCCCc1ccccc1C#N" + naproxen: true, "CNCCCc1ccccc1OCCC1CCCCC1" + naproxen: true, "CNC1CC1" + naproxen: true, "CNCCCc1ccccc1C#N.COc1ccc2cc(CC(=O)O)ccc2c1": false, "CNCCCc1ccccc1C1CC1.CNCCCc1ccccc1C#N": false}},
		{"quaternary ammonium with a large anion", []string{"CC[n+]1ccccc1" + barf, "CCCC[N+](C)(C)C" + barf}, map[string]bool{"CCC[n+]1ccccc1" + barf: true, "CCC[n+]1ccccc1.[Br-]": false}},
		{"hydrates", []string{"CCCNC.Cl.O", "CCCCNC.Cl.O.O"}, map[string]bool{"COCCNC.Cl.O": true, "COCCNC.Cl.CCO": false}},
		{"metal salts", []string{"CCCC(C)C(=O)[O-].[Na+]", "CCCCC(C)C(=O)[O-].[K+]"}, map[string]bool{"COCC(C)C(=O)[O-].[K+]": true, "COCC(C)C(=O)[O-].[Li+]": false}},
	}
	for _, test := range tests {
		var known []Known
		for _, s := range test.known {
			known = append(known, Known{SMILES: s})
		}
		salts, err := SaltsOf(t.Context(), known)
		if err != nil {
			t.Fatal(err)
		}
		for smiles, want := range test.allowed {
			err := molecule.Look(smiles, func(m *molecule.Molecule) {
				if got := (Limits{Salts: salts}).Met(m); got != want {
					t.Errorf("%s: %s is met: %t, want %t; %+v", test.name, smiles, got, want, salts)
				}
			})
			if err != nil {
				t.Errorf("%s: %v", smiles, err)
			}
		}
	}
}
