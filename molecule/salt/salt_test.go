package salt_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/salt"
)

// The parent is not a counterion or a solvent, however large; parts that no list knows rival each other if they are of
// similar size.
func TestParents(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const (
		pamoate  = "O=C(O)c1cc2ccccc2c(Cc2c(O)c(C(=O)O)cc3ccccc23)c1O"
		olanz    = "Cc1cc2c(s1)Nc1ccccc1N=C2N1CCN(C)CC1"
		naproxen = "COc1ccc2cc(C(C)C(=O)O)ccc2c1"
		barf     = "FC(F)(F)c1cc([B-](c2cc(C(F)(F)F)cc(C(F)(F)F)c2)(c2cc(C(F)(F)F)cc(C(F)(F)F)c2)c2cc(C(F)(F)F)cc(C(F)(F)F)c2)cc(C(F)(F)F)c1"
	)
	tests := []struct {
		name, smiles, parent string
		rivals               []string
	}{
		{"pamoate", olanz + "." + pamoate, olanz, nil},
		{"a charged pamoate", "CCCNC.CCC[NH2+]C.O=C([O-])c1cc2ccccc2c(Cc2c(O)c(C(=O)[O-])cc3ccccc23)c1O", "CCCNC", nil},
		{"stearate", "CCCCCCCCCCCCCCCCCC(=O)O.NCCc1ccccc1", "NCCc1ccccc1", nil},
		{"behenate", "CCCCCCCCCCCCCCCCCCCCCC(=O)O.NCCc1ccccc1", "NCCc1ccccc1", nil},
		{"besylate", "CNCCc1ccccc1.O=S(=O)(O)c1ccccc1", "CNCCc1ccccc1", nil},
		{"two drugs", olanz + "." + naproxen, olanz, []string{naproxen}},
		{"two drugs, one of them small", olanz + ".NC1CC1", olanz, nil},
		{"a hydrate and solvate of a hydrochloride", "Cl.O.CCO.NCCc1ccccc1", "NCCc1ccccc1", nil},
		{"a solvate with more atoms", "CCCCCCCC.NC1CC1", "NC1CC1", nil},
		{"of two counterions the more likely one", "CC(=O)[O-].C[N+](C)(C)CCO", "C[N+](C)(C)CCO", nil},
		{"a metal salt", "[Na+].CC(=O)[O-]", "CC(=O)[O-]", nil},
		{"two metals", "[Ca+2].[Na+].CCCC(C)CC(=O)[O-]", "CCCC(C)CC(=O)[O-]", nil},
		{"quaternary ammonium with a large anion", "CC[n+]1ccccc1." + barf, "CC[n+]1ccccc1", nil},
		{"a listed cation of a drug", "CCCC[N+](CCCC)(CCCC)CCCC.CCOC(=O)CC([O-])=O", "CCOC(=O)CC(=O)[O-]", nil},
		{"enantiomers", "C[C@H](N)CC1CCC1.C[C@@H](N)CC1CCC1", "C[C@@H](N)CC1CCC1", []string{"C[C@H](N)CC1CCC1"}},
		{"no carbon", "N.Cl[Pt]Cl", "Cl[Pt]Cl", nil},
	}
	for _, test := range tests {
		smiles, err := molecule.Canonical(test.smiles)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		want, err := molecule.Canonical(test.parent)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		parts, err := salt.Split(smiles)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		parents := salt.Parents(parts)
		if got := parents[0].SMILES; got != want && parents[0].Neutral != want {
			t.Errorf("%s: parent %s, want %s", test.name, got, want)
		}
		var rivals []string
		for _, p := range parents {
			if parents[0].Rivals(p) {
				rivals = append(rivals, p.SMILES)
			}
		}
		for i, r := range test.rivals {
			test.rivals[i], _ = molecule.Canonical(r)
		}
		if !slices.Equal(rivals, test.rivals) {
			t.Errorf("%s: rivals %q, want %q", test.name, rivals, test.rivals)
		}
	}
}

// A molecule of one part needs no list, and a text that is no molecule is an error.
func TestSplit(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	parts, err := salt.Split("CC(=O)[O-]")
	if err != nil || len(parts) != 1 || parts[0].Neutral != "CC(=O)O" || !parts[0].Organic {
		t.Errorf("parts %+v, %v", parts, err)
	}
	if _, err := salt.Split("C1CC.Cl"); err == nil {
		t.Error("a ring that is open is no error")
	}
}
