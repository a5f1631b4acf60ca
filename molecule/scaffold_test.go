package molecule_test

import (
	"testing"

	"github.com/invbo/invbo/molecule"
)

// Scaffolds are those of RDKit 2022.09.3 (MurckoScaffold.GetScaffoldForMol, written without stereochemistry and read again).
func TestScaffold(t *testing.T) {
	needRDKit(t)
	tests := []struct{ name, smiles, want string }{
		{"no ring", "CCO", ""},
		{"a substituent", "Cc1ccccc1", "c1ccccc1"},
		{"a ring alone", "C1CC1", "C1CC1"},
		{"tadalafil", "CN1CC(=O)N2C(Cc3c(C2c2ccc4OCOc4c2)[nH]c2ccccc32)C1=O", "O=C1NCC(=O)N2C1Cc1c([nH]c3ccccc13)C2c1ccc2c(c1)OCO2"},
		{"sildenafil", "CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1", "O=c1[nH]c(-c2cccc(S(=O)(=O)N3CCNCC3)c2)nc2cn[nH]c12"},
		{"an aromatic nitrogen that loses its methyl", "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "O=c1[nH]c(=O)c2[nH]cnc2[nH]1"},
		{"a linker with its oxygen", "O=C(Nc1ccccc1)c1ccccc1", "O=C(Nc1ccccc1)c1ccccc1"},
		{"only the first atom of a double bond to a linker", "O=C(C1CC1)C(=C(C)C)C1CC1", "C=C(C(=O)C1CC1)C1CC1"},
		{"a branch without a ring", "CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O", "O=C(Cc1ccccc1)NC1C(=O)N2CCSC12"},
		{"a sulphone outside the scaffold", "CS(=O)(=O)c1ccccc1", "c1ccccc1"},
		{"an oxime in a ring", "ON=C1CCCC1", "N=C1CCCC1"},
		{"an N-oxide", "c1cc[n+]([O-])cc1", "c1cc[nH+]cc1"},
		{"a quaternary nitrogen", "C[N+]1(C)CCCCC1", "C1CC[NH2+]CC1"},
		{"stereochemistry", "F[C@H]1CC[C@@H](C)CC1", "C1CCCCC1"},
		{"a double bond with stereochemistry", "c1ccccc1/C=C/c1ccccc1", "C(=Cc1ccccc1)c1ccccc1"},
		{"a triple bond", "C1CC1C#CC1CC1", "C(#CC1CC1)C1CC1"},
		{"a part without a ring", "C1CC1.CCO", "C1CC1"},
		{"two parts with rings", "C1CC1.c1ccccc1", "C1CC1.c1ccccc1"},
	}
	for _, test := range tests {
		m, err := molecule.Parse(test.smiles)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Scaffold()
		if err != nil {
			t.Errorf("%s: the scaffold of %s: %v", test.name, test.smiles, err)
		}
		if test.want == "" {
			equal(t, test.name, "scaffold", got, "")
		} else {
			same(t, test.name, got, test.want)
		}
		m.Close()
	}
}
