package molecules_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/space/molecules"
)

var (
	steroids = []string{
		"C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@@H]2O", "CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C",
		"C[C@]12CC[C@H]3[C@@H](CCc4cc(O)ccc34)[C@@H]1CC[C@@H]2O", "C[C@]12CC[C@H]3[C@@H](CC[C@H]4C[C@@H](O)CC[C@]34C)[C@@H]1CCC2=O",
		"C[C@]12C[C@H](O)[C@H]3[C@@H](CCC4=CC(=O)C=C[C@]34C)[C@@H]1CC[C@]2(O)C(=O)CO",
	}
	statins = []string{
		"CC(C)c1nc(N(C)S(C)(=O)=O)nc(-c2ccc(F)cc2)c1/C=C/[C@@H](O)C[C@@H](O)CC(=O)O", "OC(=O)CC(O)CC(O)/C=C/c1c(C2CC2)nc2ccccc2c1-c1ccc(F)cc1",
		"CC(C)n1c(/C=C/C(O)CC(O)CC(=O)O)c(-c2ccc(F)cc2)c2ccccc12", "CC(C)c1c(C(=O)Nc2ccccc2)c(-c2ccccc2)c(-c2ccc(F)cc2)n1CCC(O)CC(O)CC(=O)O",
	}
	// Ligands of VHL: a hydroxyproline between an amide and a benzyl amine with a thiazole.
	vhl = []string{
		"CC(=O)N[C@H](C(=O)N1C[C@H](O)C[C@H]1C(=O)NCc1ccc(cc1)-c1scnc1C)C(C)(C)C",
		"O=C(CCCCOc1ccccc1)N[C@H](C(=O)N1C[C@H](O)C[C@H]1C(=O)NCc1ccc(cc1)-c1scnc1C)C(C)(C)C",
		"O=C(COCCOCCNc1ncnc2ccccc12)N[C@H](C(=O)N1C[C@H](O)C[C@H]1C(=O)NCc1ccc(cc1)-c1scnc1C)C(C)(C)C",
		"O=C(CCCCCCCC(=O)Nc1ccc(F)cc1)N[C@H](C(=O)N1C[C@H](O)C[C@H]1C(=O)NCc1ccc(cc1)-c1scnc1C)C(C)(C)C",
	}
)

// nucleosides have a furanose and one of these bases.
func nucleosides(sugars ...string) (all []string) {
	for _, sugar := range sugars {
		for _, base := range []string{"n2cnc3c(N)ncnc32", "n2ccc(N)nc2=O", "n2cc(C)c(=O)[nH]c2=O", "n2cnc3c(=O)[nH]c(N)nc32"} {
			all = append(all, strings.ReplaceAll(sugar, "B", base))
		}
	}
	return all
}

// written returns the SMILES of scaffolds with blanks between them.
func written(scaffolds []molecules.Scaffold) string {
	var all []string
	for _, s := range scaffolds {
		all = append(all, s.SMILES)
	}
	return strings.Join(all, " ")
}

func TestScaffolds(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	quinazolines := []string{"COc1cc2ncnc(Nc3cccc(Cl)c3)c2cc1OC", "Nc1ncnc2ccccc12", "CCNc1ncnc2cc(F)ccc12", "COc1cc2c(NCC)ncnc2cc1", "Clc1ccc2ncnc(NC3CC3)c2c1"}
	for _, test := range []struct {
		name  string
		known []string // the last one is the best
		want  string
		apart string // what the best one lacks
	}{
		{"steroids, saturated or aromatic", steroids, "CC12CCCC1C1CCC3CCCCC3C1CC2", ""},
		{"what ligands of PROTACs share", vhl, "CC(=O)NC(C(=O)N1CC(O)CC1C(=O)NCc1ccc(-c2scnc2C)cc1)C(C)(C)C", ""},
		{"nucleosides of several bases", nucleosides("OC[C@H]1O[C@@H](B)[C@H](O)[C@@H]1O", "OC[C@@H]1CC[C@H](B)O1", "OC[C@H]1O[C@@H](B)C[C@@H]1O"), "NC1CCC(CO)O1", ""},
		{"twelve with something at a place", nucleosides("OC[C@H]1O[C@@H](B)[C@H](O)[C@@H]1O", "OC[C@H]1O[C@@H](B)[C@H](F)[C@@H]1O", "OC[C@H]1O[C@@H](B)[C@H](N)[C@@H]1OC"), "*C1C(N)OC(CO)C1O", ""},
		{"eight with something at a place", nucleosides("OC[C@H]1O[C@@H](B)[C@H](O)[C@@H]1O", "OC[C@H]1O[C@@H](B)[C@H](F)[C@@H]1O"), "NC1CC(O)C(CO)O1", ""},
		{"anilides", anilides, "CC(=O)Nc1ccccc1", ""},
		{"an amine of quinazolines", quinazolines, "Nc1ncnc2ccccc12", ""},
		{"one of 25 is something else", append([]string{"CCO"}, slices.Repeat(quinazolines, 5)[1:]...), "*Nc1ncnc2cc(*)c(*)cc12", ""},
		{"the best is something else", append(slices.Repeat(quinazolines, 5)[1:], "CCOC1CCCC1"), "", "Nc1ncnc2ccccc12"},
		{"one of six is something else", append([]string{"CCO"}, quinazolines...), "", ""},
		{"indoles", []string{"CNCc1c[nH]c2ccc(F)cc12", "CN(C)Cc1c[nH]c2ccc(OC)cc12", "NCc1c[nH]c2ccc(C)cc12"}, "NCc1c[nH]c2ccccc12", ""},
		{"indoles and an indoline", []string{"CNCC1CNc2ccc(F)cc21", "CN(C)Cc1c[nH]c2ccc(OC)cc12", "NCc1c[nH]c2ccc(C)cc12"}, "NCC1CNc2ccccc21", ""},
		{"an ion at a place", slices.Repeat([]string{"Oc1ccc2[nH]cc([NH3+])c2c1", "Oc1ccc2[nH]cc(C)c2c1", "Oc1ccc2[nH]cc(F)c2c1", "Oc1ccc2[nH]cc([NH3+])c2c1"}, 3), "*c1c[nH]c2ccc(O)cc12", ""},
		{"a ring alone", []string{"Cc1ccccc1", "Oc1ccccc1", "Clc1ccccc1", "Nc1ccccc1"}, "", ""},
		{"esters of methacrylic acid", []string{"C=C(C)C(=O)OC", "C=C(C)C(=O)OCCO", "C=C(C)C(=O)OC1CCCC1", "C=C(C)C(=O)OC12CC3CC(CC(C3)C1)C2"}, "C=C(C)C(=O)OC", ""},
		{"esters", []string{"CC(=O)OC", "CCC(=O)OCCO", "O=C(CC)OC1CCCC1", "CCCC(=O)OC12CC3CC(CC(C3)C1)C2"}, "", ""},
		{"statins", statins, "Cc1ccc(F)cc1 CC(O)CC(O)CC(=O)O", ""},
		{"sulfonylureas", []string{"COc1cc(C)nc(NC(=O)NS(=O)(=O)c2ccccc2Cl)n1", "COc1nc(C)nc(NC(=O)NS(=O)(=O)c2cccs2)n1", "COc1cc(OC)nc(NC(=O)NS(=O)(=O)Cc2ccccc2)n1", "Cc1cc(C)nc(NC(=O)NS(=O)(=O)N(C)C)n1"}, "CNC(=O)N[SH](=O)=O", ""},
		{"chains", []string{"CCCCCCCCCO", "CCCCCCCCCCO", "CCCCCCCCCN"}, "", ""},
		{"a library", library.SMILES()[:200], "", ""},
		{"the first, and the one with the best value, are no molecules", append(append([]string{"C1CC"}, quinazolines...), "C1CC"), "Nc1ncnc2ccccc12", ""},
		{"no molecules", []string{"C1CC", "x"}, "", ""},
	} {
		common, err := molecules.Series(t.Context(), knowns(test.known...), molecules.Fixed{})
		if err != nil {
			t.Fatal(err)
		}
		if got := written(common.Scaffolds); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if common.Apart.SMILES != test.apart {
			t.Errorf("%s: the best lacks %q, want %q", test.name, common.Apart.SMILES, test.apart)
		}
	}
}

// A scaffold is in molecules whatever the order of its ring bonds, and only with its elements and its other bonds.
func TestScaffoldPattern(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	p, err := molecules.Scaffold{SMILES: "O=C(N)C1CCCCC1"}.Pattern()
	if err != nil {
		t.Fatal(err)
	}
	for smiles, want := range map[string]bool{
		"NC(=O)c1ccccc1": true, "CNC(=O)C1=CCCC(Br)C1": true, "O=C1NCc2ccccc21": true,
		"NC(=O)c1ccncc1": false, "NCC1CCCCC1": false, "NC(=O)CCCCCC": false, "NC(=O)C1CCCC1": false,
	} {
		if got := p.In(parse(t, smiles)); got != want {
			t.Errorf("%s has it: %t, want %t", smiles, got, want)
		}
	}
	aromatic, err := molecules.Scaffold{SMILES: "NCc1c[nH]c2ccccc12"}.Pattern()
	if err != nil {
		t.Fatal(err)
	}
	for smiles, want := range map[string]bool{"CNCc1cn(C)c2ccc(F)cc12": true, "NCC1CNc2ccccc21": false, "NCC1CNC2CCCCC12": false} {
		if got := aromatic.In(parse(t, smiles)); got != want {
			t.Errorf("%s is an indole: %t, want %t", smiles, got, want)
		}
	}
	something, err := molecules.Scaffold{SMILES: "*C1CCCCC1O"}.Pattern()
	if err != nil {
		t.Fatal(err)
	}
	for smiles, want := range map[string]bool{"Nc1ccccc1O": true, "O=C1CCCCC1O": true, "Oc1cccc2ccccc12": true, "Oc1ccccc1": false, "Oc1ccc(F)cc1": false} {
		if got := something.In(parse(t, smiles)); got != want {
			t.Errorf("%s has something beside its hydroxyl group: %t, want %t", smiles, got, want)
		}
	}
	for _, smiles := range []string{"", "C1CC", "CCO.c1ccccc1", "*", "**"} {
		if _, err := (molecules.Scaffold{SMILES: smiles}).Pattern(); err == nil {
			t.Errorf("the scaffold %q is one", smiles)
		}
	}
}

// A proposal has what a series has in common as often as its molecules.
func TestSeriesTimes(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	atLeast := func(n int) molecules.Range { return molecules.Range{Min: float64(n) - 0.5, Max: math.Inf(1)} }
	for _, test := range []struct {
		name  string
		known []string
		want  []molecules.Range
	}{
		{"one each", []string{"OB(O)c1ccccc1", "OB(O)c1ccncc1C", "CCOc1ccc(B(O)O)cc1"}, []molecules.Range{atLeast(1)}},
		{"two in one of them", []string{"OB(O)c1ccccc1", "OB(O)c1ccncc1C", "OB(O)c1ccc(B(O)O)cc1"}, []molecules.Range{atLeast(1)}},
		{"two in all", []string{"OC(=O)c1cccc(C(=O)O)c1", "OC(=O)c1cc(C(=O)O)cc(Cl)c1", "OC(=O)CCC(=O)O", "OC(=O)Cc1ccc(C(=O)O)cc1C(=O)O"}, []molecules.Range{atLeast(2)}},
		{"a scaffold whose matches overlap", vhl, []molecules.Range{atLeast(1), molecules.Whole(1, 1)}},
	} {
		common, err := molecules.Series(t.Context(), knowns(test.known...), molecules.Fixed{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(common.Times, test.want) {
			t.Errorf("%s: %v of %v and %v, want %v", test.name, common.Times, common.Groups, common.Scaffolds, test.want)
		}
	}
	acid, err := molecule.CompilePattern("B(O)O")
	if err != nil {
		t.Fatal(err)
	}
	for smiles, want := range map[string]bool{"OB(O)c1ccccc1": true, "OB(O)c1ccc(B(O)O)cc1": false, "c1ccccc1": false} {
		l := molecules.Limits{Require: []*molecule.Pattern{acid}, Times: []molecules.Range{molecules.Whole(1, 1)}}
		if got := l.Met(parse(t, smiles)); got != want {
			t.Errorf("%s has one boronic acid: %t, want %t", smiles, got, want)
		}
	}
}
