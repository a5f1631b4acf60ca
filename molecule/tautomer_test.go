package molecule_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/shared"
	"github.com/invbo/invbo/molecule"
)

func TestFamily(t *testing.T) {
	needRDKit(t)
	for name, test := range map[string]struct {
		a, b string
		want bool
	}{
		"a pyridone":                         {"Oc1ccccn1", "O=c1cccc[nH]1", true},
		"a 4-quinolone":                      {"O=c1cc[nH]c2ccccc12", "Oc1ccnc2ccccc12", true},
		"1H- and 2H-indazole":                {"c1ccc2[nH]ncc2c1", "c1ccc2c[nH]nc2c1", true},
		"1H- and 2H-triazole":                {"Cc1c[nH]nn1", "Cc1cn[nH]n1", true},
		"positions of a pyrazole's methyl":   {"Cc1cc[nH]n1", "Cc1ccn[nH]1", true},
		"an amidine":                         {"CN=C(C)NCC", "CNC(C)=NCC", true},
		"a guanidine":                        {"NC(=N)Nc1ccccc1", "NC(N)=Nc1ccccc1", true},
		"a thiourea":                         {"NC(=S)NC", "NC(S)=NC", true},
		"a zwitterion":                       {"[NH3+]C(C)C(=O)[O-]", "NC(C)C(=O)O", true},
		"a carboxylate":                      {"CC(=O)[O-]", "CC(=O)O", true},
		"an enantiomer":                      {"C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O", true},
		"E and Z":                            {"C/C=C/C(=O)O", "C/C=C\\C(=O)O", true},
		"two rings of azines with many ways": {"Oc1nc2[nH]cnc2c(=O)[nH]1", "O=c1[nH]c2nc[nH]c2c(=O)[nH]1", true},
		"a ketone and its enol":              {"CC(C)=O", "CC(=C)O", false},
		"an N-methylpyridone and its ether":  {"Cn1ccccc1=O", "COc1ccccn1", false},
		"methyls of a benzimidazole":         {"Cn1cnc2ccc(C)cc12", "Cn1cnc2cc(C)ccc12", false},
		"N-methyls of a pyrazole":            {"Cn1nccc1C", "Cn1ccc(C)n1", false},
		"positions of a double bond":         {"C=CCC(=O)O", "CC=CC(=O)O", false},
		"an alcohol and a ketone":            {"CC(O)C", "CC(=O)C", false},
		"an isotope":                         {"[13CH3]O", "CO", false},
		"an amine and an imine":              {"CC(N)C", "CC(=N)C", false},
		"oxidation of a thiol":               {"CS", "CSSC", false},
		"an N-oxide":                         {"c1cc[n+]([O-])cc1", "c1ccncc1", false},
		"two fused rings, two bonded ones":   {"C1CCC2CCCCC2C1", "C1CCC(C1)C1CCCC1", false},
		"cyclohexane, two cyclopropanes":     {"C1CCCCC1", "C1CC1.C1CC1", false},
		"an alkyne and a diene":              {"CC#CC", "C=CC=C", false},
		"a sulfoxide and a sulfone":          {"CS(C)=O", "CS(C)(=O)=O", false},
		"a quinone and a hydroquinone":       {"O=C1C=CC(=O)C=C1", "Oc1ccc(O)cc1", false},
		"ortho, meta":                        {"Clc1ccccc1Br", "Clc1cccc(Br)c1", false},
		"chlorine, bromine":                  {"CCl", "CBr", false},
	} {
		if got := molecule.Family(mustCanonical(t, test.a)) == molecule.Family(mustCanonical(t, test.b)); got != test.want {
			t.Errorf("%s: %s and %s of one family: %t, want %t", name, test.a, test.b, got, test.want)
		}
	}
}

// The family does not depend on the order of atoms, and hardly any molecules of a real table share one.
func TestFamilyOfRealMolecules(t *testing.T) {
	needRDKit(t)
	families, molecules := map[string]bool{}, 0
	for _, row := range shared.Rows(t, "golden/sa_nibr.csv.gz")[1:] {
		smiles := mustCanonical(t, row[0])
		family := molecule.Family(smiles)
		if flat, err := molecule.Flat(smiles); err != nil || molecule.Family(flat) != family {
			t.Errorf("%s: stereochemistry changes the family: %v", smiles, err)
		}
		if again := molecule.Family(row[0]); again != family && !strings.ContainsAny(row[0], "[]") {
			t.Errorf("%s and %s, one molecule, have two families", row[0], smiles)
		}
		families[family] = true
		molecules++
	}
	if len(families) < molecules*98/100 {
		t.Errorf("%d molecules have %d families", molecules, len(families))
	}
}

func FuzzFamily(f *testing.F) {
	for _, smiles := range []string{"", "C", "c1ccccc1", "[", "[]", "[13CH3+2]", "C%", "C%1", "C1", ")", "C(", "1", "C1CC1.C=1CC1", "[nH]1cccc1", "é"} {
		f.Add(smiles)
	}
	f.Fuzz(func(t *testing.T, smiles string) {
		if family := molecule.Family(smiles); len(family) != 8 {
			t.Errorf("a label of %d bytes, want 8", len(family))
		}
	})
}
