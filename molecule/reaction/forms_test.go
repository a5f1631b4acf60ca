package reaction_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule/reaction"
)

// Which tautomer of a block is given does not matter: it may be the same reactants, and gives the same products.
func TestTautomers(t *testing.T) {
	set := builtIn(t)
	names := func(smiles string) (all []string) {
		places, err := set.Places(smiles)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			all = append(all, p.Name)
		}
		return all
	}
	for _, drawn := range []string{
		"Oc1ccccn1 O=c1cccc[nH]1", "Oc1ccncc1 O=c1cc[nH]cc1", "Oc1ncnc2ccccc12 O=c1[nH]cnc2ccccc12 O=c1nc[nH]c2ccccc12",
		"Oc1cccnn1 O=c1cccn[nH]1", "Oc1ccnc2ccccc12 O=c1cc[nH]c2ccccc12", "Sc1ccccn1 S=c1cccc[nH]1", "Sc1nc2ccccc2[nH]1 S=c1[nH]c2ccccc2[nH]1",
		"Cc1ccc2[nH]cnc2c1 Cc1ccc2nc[nH]c2c1", "Cc1cc[nH]n1 Cc1ccn[nH]1", "FC(F)(F)c1cc[nH]n1 FC(F)(F)c1ccn[nH]1", "Cc1cnc[nH]1 Cc1c[nH]cn1",
		"c1ccc2[nH]ncc2c1 c1ccc2n[nH]cc2c1", "COC(=O)c1n[nH]c2ccccc12 COC(=O)c1[nH]nc2ccccc12", "c1nc[nH]n1 c1nnc[nH]1", "Cc1nc[nH]n1 Cc1ncn[nH]1 Cc1nnc[nH]1",
		"Cc1nnn[nH]1 Cc1nn[nH]n1", "c1c[nH]nn1 c1cn[nH]n1", "c1ccc2[nH]nnc2c1 c1ccc2n[nH]nc2c1", "c1ncc2[nH]cnc2n1 c1ncc2nc[nH]c2n1", "Nc1ncnc2[nH]cnc12 Nc1ncnc2nc[nH]c12",
		"Clc1ncnc2[nH]cnc12 Clc1ncnc2nc[nH]c12", "Oc1ncccc1C(=O)O O=C(O)c1ccc[nH]c1=O", "Brc1ccc2[nH]ncc2c1 Brc1ccc2n[nH]cc2c1", "Oc1ccnn1C Cn1[nH]ccc1=O",
	} {
		forms := strings.Fields(drawn)
		for _, other := range forms[1:] {
			if want, got := names(forms[0]), names(other); !slices.Equal(got, want) {
				t.Errorf("%s may be in %q, and %s in %q", forms[0], want, other, got)
			}
		}
	}
	for _, test := range []struct{ reaction, drawn, product string }{
		{"N-alkylation of a pyridone", "BrCc1ccccc1.O=c1cccc[nH]1 BrCc1ccccc1.Oc1ccccn1", "O=c1ccccn1Cc1ccccc1"},
		{"N-alkylation of a pyridone", "CCCCBr.Oc1ncnc2ccccc12 CCCCBr.O=c1nc[nH]c2ccccc12", "CCCCn1cnc2ccccc2c1=O"},
		{"S-alkylation", "BrCc1ccccc1.S=c1cccc[nH]1 BrCc1ccccc1.Sc1ccccn1", "c1ccc(CSc2ccccn2)cc1"},
		{"S-alkylation", "BrCc1ccccc1.Sc1n[nH]c(-c2ccccc2)n1 BrCc1ccccc1.S=c1[nH]nc(-c2ccccc2)[nH]1", "c1ccc(CSc2n[nH]c(-c3ccccc3)n2)cc1"},
		{"S-alkylation", "BrCc1ccccc1.CCCc1cc(=O)[nH]c(=S)[nH]1 BrCc1ccccc1.CCCc1cc(=O)[nH]c(S)n1", "CCCc1cc(=O)[nH]c(SCc2ccccc2)n1"},
		{"S-alkylation", "CCI.Sc1ncnc2[nH]cnc12 CCI.S=c1[nH]cnc2nc[nH]c12", "CCSc1ncnc2[nH]cnc12"},
		{"N-alkylation of an azole", "BrCC1CC1.Cc1n[nH]c2ncccc12", "Cc1nn(CC2CC2)c2ncccc12"},
		{"Mitsunobu reaction of an azole", "OC1CCCC1.Nc1ncnc2[nH]nc(I)c12 OC1CCCC1.Nc1ncnc2n[nH]c(I)c12", "Nc1ncnc2c1c(I)nn2C1CCCC1"},
		{"N-alkylation of a pyridone", "BrCc1ccccc1.CCCn1ccc(=O)[nH]c1=O", "CCCn1ccc(=O)n(Cc2ccccc2)c1=O"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Cn1c(=O)c2[nH]cnc2n(C)c1=O", "Cn1c(=O)c2c(ncn2Cc2ccccc2)n(C)c1=O"},
		{"N-alkylation of an azole", "BrCc1ccccc1.FC(F)(F)c1cc[nH]n1 BrCc1ccccc1.FC(F)(F)c1ccn[nH]1", "FC(F)(F)c1ccn(Cc2ccccc2)n1"},
		{"N-alkylation of an azole", "CCCCBr.COC(=O)c1n[nH]c2ccccc12 CCCCBr.COC(=O)c1[nH]nc2ccccc12", "CCCCn1nc(C(=O)OC)c2ccccc21"},
		{"Ullmann coupling of an azole", "Ic1ccccc1.Cc1cc[nH]n1 Ic1ccccc1.Cc1ccn[nH]1", "Cc1ccn(-c2ccccc2)n1"},
		{"Ullmann coupling of an azole", "Ic1ccccc1.c1ccc2[nH]ncc2c1 Ic1ccccc1.c1ccc2n[nH]cc2c1", "c1ccc(-n2ncc3ccccc32)cc1"},
		{"Chan-Lam coupling of a tetrazole", "OB(O)c1ccccc1.Cc1nnn[nH]1 OB(O)c1ccccc1.Cc1nn[nH]n1", "Cc1nnn(-c2ccccc2)n1"},
		{"amide coupling", "Oc1ncccc1C(=O)O.NCc1ccccc1 O=C(O)c1ccc[nH]c1=O.NCc1ccccc1", "O=C(NCc1ccccc1)c1ccc[nH]c1=O"},
		{"amide coupling", "O=C(O)c1ccc2[nH]cnc2c1.C1COCCN1 O=C(O)c1ccc2nc[nH]c2c1.C1COCCN1", "O=C(c1ccc2[nH]cnc2c1)N1CCOCC1"},

		// Groups beside that stand the conditions.
		{"Boc deprotection", "COc1ccc(CNC(=O)C2CCN(C(=O)OC(C)(C)C)CC2)cc1", "COc1ccc(CNC(=O)C2CCNCC2)cc1"},
		{"Boc deprotection", "COc1ccc(C2CN(C(=O)OC(C)(C)C)CCO2)cc1", "COc1ccc(C2CNCCO2)cc1"},
		{"N-alkylation of an amine", "CC(=O)Nc1cccc(CBr)c1.C1COCCN1", "CC(=O)Nc1cccc(CN2CCOCC2)c1"},
		{"benzimidazole from an acid", "CC(C)(C)OC(=O)N1CCC(C(=O)O)CC1.Nc1ccccc1N", "CC(C)(C)OC(=O)N1CCC(c2nc3ccccc3[nH]2)CC1"},
		{"reductive N-methylation", "CC(C)(C)OC(=O)N1CCNCC1", "CN1CCN(C(=O)OC(C)(C)C)CC1"},
	} {
		for drawn := range strings.FieldsSeq(test.drawn) {
			if got := carryOut(t, set, test.reaction, drawn); got != test.product {
				t.Errorf("%s of %s gives %q, want %s", test.reaction, drawn, got, test.product)
			}
		}
	}
}

// A reaction of a user's sees all tautomers.
func TestTautomersOfOwnReaction(t *testing.T) {
	needRDKit(t)
	r, err := reaction.New("chlorination", "[c:1]([OH])[n:2]>>[c:1](Cl)[n:2]")
	if err != nil {
		t.Fatal(err)
	}
	set, err := reaction.NewSet([]*reaction.Reaction{r})
	if err != nil {
		t.Fatal(err)
	}
	for _, smiles := range []string{"Oc1ccccn1", "O=c1cccc[nH]1"} {
		if got := carryOut(t, set, "chlorination", smiles); got != "Clc1ccccn1" {
			t.Errorf("chlorination of %s gives %q", smiles, got)
		}
	}
}
