package reaction_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/reaction"
)

// carryOut carries out a reaction as a route of the planner would: only with reactants that the set knows for it.
func carryOut(t *testing.T, set *reaction.Set, name string, reactants string) (product string) {
	t.Helper()
	r := set.Named(name)
	if r == nil {
		t.Fatalf("no reaction %s", name)
	}
	var parts []*reaction.Route
	for i, smiles := range strings.Split(reactants, ".") {
		canonical, err := molecule.Canonical(smiles)
		if err != nil {
			t.Fatalf("%s: %v", smiles, err)
		}
		part := &reaction.Route{Product: canonical}
		fits := false
		for _, p := range set.Fits(part) {
			fits = fits || p.Reaction == r && p.Position == i
		}
		if !fits {
			return ""
		}
		parts = append(parts, part)
	}
	made, err := r.Run(parts...)
	if err != nil {
		return ""
	}
	return made.Product
}

// Reactions are refused where another group would react, and carried out where it is routine.
func TestSelectivity(t *testing.T) {
	set := builtIn(t)
	for _, test := range []struct{ reaction, refused string }{
		{"reductive amination of an aldehyde", "O=Cc1ccccc1.Nc1ccccc1N"},
		{"Fischer indole synthesis", "O=C(CBr)c1ccccc1.NNc1ccccc1"},
		{"Fischer indole synthesis", "O=C(CN=[N+]=[N-])c1ccccc1.NNc1ccccc1"},
		{"acylation with an acyl chloride", "O=C(Cl)c1ccccc1.CC(C)Nc1ncnc2cc(O)ccc12"},
		{"amide coupling", "OC(=O)c1ccccc1.CNc1ncnc2ccccc12"},
		{"Chan-Lam coupling of an amine", "OB(O)c1ccccc1.CNc1ccccn1"},
		// An acid that CDI activates, and alcohols that it does.
		{"urea from two amines (CDI)", "Nc1ccc(Br)cc1C(=O)O.C1COCCN1"},
		{"urea from two amines (CDI)", "NCc1ccccc1.O=C(O)C1CCNCC1"},
		{"carbamate from an alcohol and an amine (CDI)", "O=C(O)CCO.CNC"},
		// A second amine.
		{"reductive N-methylation", "NC1CCNCC1"},
		{"reductive N-methylation", "Nc1ccc(C2CCNCC2)cc1"},
		{"amide coupling", "CC(=O)O.NC1CCNCC1"},
		{"amide coupling", "CC(=O)O.C1CNCCN1"},
		{"reductive amination of an aldehyde", "O=Cc1ccccc1.NCC1CCNC1"},
		// Hydrogenation.
		{"hydrogenation of an alkene", "C=CC(=O)Nc1cccc(Br)c1"},
		{"hydrogenation of an alkene", "C=CCc1ccc([N+](=O)[O-])cc1"},
		{"hydrogenation of an alkene", "C=CCNC(=O)OCc1ccccc1"},
		{"hydrogenation of an alkene", "C=CCc1ccc(OCc2ccccc2)cc1"},
		{"hydrogenation of an alkyne", "CC#CCC=C"},
		{"Cbz deprotection", "O=C(OCc1ccccc1)N1CCC(c2ccc(Br)cc2)CC1"},
		{"debenzylation of an ether", "C=Cc1ccc(OCc2ccccc2)cc1"},
		// A CH acid, which is alkylated or arylated itself, or takes an aldehyde.
		{"Williamson ether synthesis", "BrCc1ccccc1.Oc1ccc(C(=O)CC(=O)OCC)cc1"},
		{"Williamson ether synthesis", "BrCc1ccccc1.N#CCC(=O)Nc1ccc(O)cc1"},
		{"Williamson ether synthesis", "BrCc1ccccc1.CC(=O)CC(=O)NCCc1ccc(O)cc1"},
		{"Williamson ether synthesis", "BrCCCC(C(=O)OC)C(=O)OC.Oc1ccccc1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.CC(=O)CC(=O)NCCc1c[nH]c2ccccc12"},
		{"N-alkylation of an imide", "BrCC1CC1.O=C1CC(C(=O)CC(C)=O)C(=O)N1"},
		{"N-alkylation of a sulfonamide", "BrCC1CC1.CNS(=O)(=O)CC(=O)OC"},
		{"N-alkylation of an amine", "BrCc1ccccc1.COC(=O)C(C(=O)OC)C1CCNCC1"},
		{"N-alkylation of an amine", "BrCc1ccc(CS(=O)(=O)CC(=O)OC)cc1.C1COCCN1"},
		{"S-alkylation", "BrCc1ccccc1.SCCC(=O)CC(C)=O"},
		{"Williamson ether synthesis", "BrCc1ccccc1.CC(O)=CC(=O)c1ccc(O)cc1"},
		{"Goldberg amidation", "Brc1ccccc1.CC(=O)CC(=O)NC"},
		{"Ullmann ether synthesis", "Ic1ccccc1.CCOC(=O)C(C#N)c1ccc(O)cc1"},
		{"Ullmann coupling of an azole", "CCOC(=O)CC(=O)c1ccc(I)cc1.c1cc[nH]n1"},
		{"Buchwald-Hartwig amination", "CCOC(=O)CC(=O)c1ccc(Br)cc1.C1COCCN1"},
		{"SNAr with a phenol", "Clc1ncccn1.CCOC(=O)CC(=O)c1ccc(O)cc1"},
		{"SNAr with an amine", "Clc1ncccn1.O=[N+]([O-])CC1CCNCC1"},
		{"Mitsunobu reaction of a phenol", "OC1CCCC1.CC(=O)CC(=O)c1ccc(O)cc1"},
		{"reductive amination of an aldehyde", "O=Cc1ccc(C(=O)CC(C)=O)cc1.C1COCCN1"},
		{"reductive amination of an aldehyde", "O=Cc1ccccc1.N#CCC(=O)N1CCNCC1"},
		{"benzimidazole from an aldehyde", "O=Cc1ccccc1.N#CCC(=O)Nc1ccc(N)c(N)c1"},
		// A haloalkyl group that closes a ring with an NH.
		{"Williamson ether synthesis", "O=C(NCCCl)OCc1ccccc1.Oc1ccc(F)cc1"},
		{"N-alkylation of an amine", "O=C(NCCCl)NCc1ccccc1.C1CCNCC1"},
		{"N-alkylation of an amine", "O=C(NCCCBr)c1ccccc1.C1CCNCC1"},
		{"N-alkylation of an amine", "O=C(CCCBr)NCc1ccccc1.C1CCNCC1"},
		{"N-alkylation of an amine", "CC(=O)Nc1ccccc1CCBr.C1CCNCC1"},
		{"N-alkylation of an azole", "O=C(NC1CC1)OCCCl.c1cc[nH]n1"},
		{"S-alkylation", "CS(=O)(=O)NCCCBr.Sc1ccccn1"},
		// Acids, bases, hydrogen and oxidants that take off other groups.
		{"Boc deprotection", "COc1ccc(COC2CCN(C(=O)OC(C)(C)C)CC2)cc1"},
		{"Boc deprotection", "CC(C)(C)OC(=O)N1CCC(NS(=O)C(C)(C)C)CC1"},
		{"benzimidazole from an acid", "C[Si](C)(C)OCC(=O)O.Nc1ccccc1N"},
		{"ester hydrolysis", "COC(=O)C1CCN(C(=O)C(F)(F)F)CC1"},
		{"ester hydrolysis", "COC(=O)c1ccc2c(c1)COC2=O"},
		{"SNAr with an amine", "Clc1ncccn1.O=C(NCC1CCNCC1)OCC1c2ccccc2-c2ccccc21"},
		{"Suzuki coupling", "O=C(NCc1cccc(Br)c1)C(F)(F)F.OB(O)c1ccncc1"},
		{"hydrogenation of an alkene", "C=CCCC(C)=NO"},
		{"hydrogenation of an alkene", "C=CCCC(C)=NOC"},
		{"Cbz deprotection", "O=C(OCc1ccccc1)N1CCC(c2ccno2)CC1"},
		{"oxidation of a thioether to a sulfone", "CSc1ccc(N(C)C)cc1"},
		// Anilines with a ring that takes the electrons.
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1ncccn1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1nccs1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1ccccn1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1ccncc1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1ncncn1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1ccc([N+](=O)[O-])cc1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1ncc(C#N)cn1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1ccn(C)n1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1ncnc2ccccc12"},
		{"reductive amination of an aldehyde", "O=Cc1ccccc1.Nc1ncccn1"},
		{"reductive amination of an aldehyde", "O=Cc1ccccc1.Nc1nccs1"},
		{"urea from an isocyanate", "O=C=Nc1ccccc1.Nc1ncccn1"},
		{"urea from two amines (CDI)", "Nc1nccs1.C1CCNC1"},
		{"urea from two amines (CDI)", "Nc1ccc([N+](=O)[O-])cc1.C1CCNC1"},
		{"Paal-Knorr pyrrole synthesis", "CC(=O)CCC(C)=O.Nc1ncccn1"},
		// A halide that the amine alkylates first, or a Michael acceptor.
		{"aminolysis of an ester", "CCOC(=O)CBr.C1COCCN1"},
		{"aminolysis of an ester", "C=CC(=O)OC.C1COCCN1"},
		{"amide coupling", "O=C(O)CBr.C1COCCN1"},
		{"amide coupling", "O=C(O)c1ccc(CCl)cc1.C1COCCN1"},
		{"reductive amination of an aldehyde", "O=Cc1ccc(CBr)cc1.C1COCCN1"},
		{"reductive amination of a ketone", "O=C(CBr)c1ccccc1.NCC"},
		// Oxidation.
		{"oxidation to an aldehyde", "NCCO"},
		{"oxidation to an aldehyde", "Nc1ccc(CO)cc1"},
		{"oxidation to a ketone", "CC(O)CNC"},
		{"oxidation to a ketone", "CC(O)CCO"},
		{"reductive amination of an aldehyde", "NCC=O.C1COCCN1"}, // reacts with itself
		// Azoles and diarylamines.
		{"sulfonamide formation", "CS(=O)(=O)Cl.Nc1ccc2[nH]ncc2c1"},
		{"sulfonamide formation", "CS(=O)(=O)Cl.NCc1cn[nH]c1"},
		{"sulfonamide formation", "CS(=O)(=O)Cl.c1ccc(Nc2ccccc2)cc1"},
		{"acylation with an acyl chloride", "CC(=O)Cl.Nc1cnc2[nH]ncc2c1"},
		{"Chan-Lam coupling of an amine", "OB(O)c1ccccc1.C1Cc2[nH]ncc2CN1"},
		{"Chan-Lam coupling of an amine", "OB(O)c1ccccc1.c1ccc(Nc2ccccc2)cc1"},
		// Activated heteroaryl halides.
		{"Michael addition of an amine", "C=CC(=O)Nc1ccc2ncnc(Cl)c2c1.C1COCCN1"},
		{"Ullmann coupling of an azole", "Brc1ccc2ncnc(Cl)c2c1.c1cc[nH]n1"},
		{"amide coupling", "O=C(O)c1cnc(Cl)nc1.C1COCCN1"},
		{"reductive amination of an aldehyde", "O=Cc1cnc(Cl)nc1.C1COCCN1"},
		{"Suzuki coupling", "Brc1ccc2ncnc(Cl)c2c1.OB(O)c1ccccc1"},
		{"SNAr with a thiol", "C=CC(=O)Nc1ccnc(Cl)n1.NCCS"},
		{"SNAr with a thiol", "Clc1ncccn1.NCCS"},
		{"SNAr with a thiol", "C=CC(=O)Nc1ccnc(Cl)n1.CCS"},
		// An acid is no activator.
		{"SNAr of a fluoroarene with an amine", "O=C(O)c1ccc(F)cc1.C1COCCN1"},
		{"SNAr of a fluoroarene with an amine", "O=C([O-])c1ccc(F)cc1.C1COCCN1"},
		{"SNAr of a fluoroarene with an amine", "O=S(=O)(O)c1ccc(F)cc1.C1COCCN1"},
		{"SNAr of a fluoroarene with a phenol", "O=C(O)c1ccccc1F.Oc1ccccc1"},
		{"Michael addition of an amine", "C=CC(=O)O.C1COCCN1"},
		// A phenyl ester, or a carbonate or carbamate like one, acylates the nucleophile first.
		{"SNAr of a fluoroarene with an amine", "O=C(Oc1ccccc1)c1ccc(F)cc1.C1COCCN1"},
		{"SNAr of a fluoroarene with an amine", "N#Cc1ccc(F)c(OC(C)=O)c1.C1COCCN1"},
		{"SNAr with an amine", "CC(=O)Oc1ccnc(Cl)n1.C1COCCN1"},
		{"SNAr with an amine", "Clc1ncccn1.O=C(Oc1ccccc1)C1CCNCC1"},
		{"SNAr with a thiol", "CC(=O)Oc1ccc2ncnc(Cl)c2c1.CCS"},
		{"SNAr with a phenol", "Clc1ncccn1.CC(=O)Oc1ccc(O)cc1"},
		{"N-alkylation of an amine", "O=C(Oc1ccccc1)c1ccc(CBr)cc1.C1COCCN1"},
		{"N-alkylation of an amine", "O=C(NC)Oc1ccc(CBr)cc1.C1COCCN1"},
		{"Williamson ether synthesis", "BrCC(=O)Oc1ccccc1.Oc1cccc(Br)c1"},
		{"opening of an epoxide by an amine", "O=C(Oc1ccccc1)C1CO1.CNC"},
		{"Michael addition of an amine", "C=CC(=O)Oc1ccccc1.C1COCCN1"},
		{"reductive amination of an aldehyde", "CC(=O)Oc1ccc(C=O)cc1.C1COCCN1"},
		{"Buchwald-Hartwig amination", "CC(=O)Oc1ccc(Br)cc1.C1COCCN1"},
		{"aminocarbonylation", "CC(=O)Oc1ccc(Br)cc1.C1COCCN1"},
		{"Knorr pyrazole synthesis", "CC(=O)CC(C)=O.NNc1ccc(OC(C)=O)cc1"},
		{"primary amide formation", "CC(=O)Oc1ccc(C(=O)O)cc1"},
		// An acid chloride, a sulfonyl chloride, an isocyanate or an aldehyde takes the amine first.
		{"SNAr of a fluoroarene with an amine", "O=C(Cl)c1ccc(F)cc1.C1COCCN1"},
		{"SNAr of a fluoroarene with an amine", "O=S(=O)(Cl)c1ccc(F)cc1.C1COCCN1"},
		{"SNAr of a fluoroarene with an amine", "N#Cc1ccc(F)c(N=C=O)c1.C1COCCN1"},
		{"SNAr of a fluoroarene with an amine", "O=Cc1ccc(F)cc1.NCC"},
		{"Suzuki coupling", "O=S(=O)(Cl)c1ccc(Br)cc1.OB(O)c1ccccc1"},
		{"reductive amination of an aldehyde", "O=C=Nc1ccc(C=O)cc1.C1COCCN1"},
		// Cyanuric chloride.
		{"Buchwald-Hartwig amination of an azine chloride", "Clc1nc(Cl)nc(Cl)n1.Nc1nc(-c2ccc(F)cc2)cs1"},
		{"SNAr with an amine", "Clc1nc(Cl)nc(Cl)n1.C1COCCN1"},
		{"Suzuki coupling of an azine chloride", "Clc1cc(Cl)ncn1.OB(O)c1ccccc1"},
		// Amino acids.
		{"1,2,4-oxadiazole from a nitrile", "NCC(=O)O.N#Cc1ccc(Br)cc1"},
		{"primary amide formation", "NCC(=O)O"},
		{"aminolysis of an ester", "COC(=O)[C@H](Cc1ccccc1)NC(=O)OCc1ccc(Br)cc1.N[C@@H](Cc1ccccc1)C(=O)O"},
		{"amide coupling", "CC(=O)O.NCC(=O)O"},
		// Haloanilines, and acids, in couplings by palladium or copper.
		{"Buchwald-Hartwig amination", "Nc1cccc(Br)c1.C1COCCN1"},
		{"Buchwald-Hartwig amination with an aniline", "Nc1cccc(Br)c1.Nc1ccccc1"},
		{"Buchwald-Hartwig amination with an aniline", "Brc1ccccc1.c1ccc(Nc2ncnc3ccccc23)cc1"},
		{"Buchwald-Hartwig amination", "O=C(O)c1ccc(Br)cc1.C1COCCN1"},
		{"Goldberg amidation", "Nc1cccc(Br)c1.O=C1CCCN1"},
		{"Goldberg amidation", "Brc1ccc(Nc2ncnc3ccccc23)cc1.O=C1CCCN1"},
		{"Ullmann coupling of an azole", "Nc1cccc(I)c1.c1cc[nH]n1"},
		{"Ullmann ether synthesis", "O=C(O)c1ccc(I)cc1.Oc1ccncc1"},
		// Products that do not last.
		{"debenzylation of an ether", "O=C(OCc1ccccc1)N1CCCCC1"},
		{"debenzylation of an ether", "O=C(OCc1ccccc1)OC1CCCC1"},
		// Another nitrogen of an azole, or more than one.
		{"Chan-Lam coupling of an azole", "OB(O)c1ccccc1.Cc1nnn[nH]1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.c1ccc(-c2nnn[nH]2)cc1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Cc1cc[nH]n1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Cc1cnc[nH]1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Cc1ccc2[nH]cnc2c1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.c1ccc2[nH]ncc2c1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.c1ccc2n[nH]nc2c1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Nc1ncnc2[nH]cnc12"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Cc1nn[nH]n1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.c1cn[nH]n1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.O=c1[nH]c2ccccc2[nH]1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Cc1cc(-c2ccccc2)[nH]n1"},
		{"Chan-Lam coupling of an azole", "OB(O)c1ccccc1.c1ccc2[nH]ncc2c1"},
		{"Ullmann coupling of an azole", "Ic1ccccc1.Cc1ccc2[nH]cnc2c1"},
		{"SNAr with an azole", "Clc1ncccn1.c1ncc2[nH]cnc2n1"},
		{"SNAr with an azole", "Clc1ncccn1.O=c1cccc[nH]1"},
		// A hydroxypyridine is a pyridone, and its oxygen and nitrogen may both react.
		{"Williamson ether synthesis", "BrCc1ccccc1.Oc1ccccn1"},
		{"Williamson ether synthesis", "BrCc1ccccc1.Oc1ncnc2ccccc12"},
		{"Williamson ether synthesis", "BrCc1ccccc1.Cn1nccc1O"},
		{"SNAr with a phenol", "Clc1ncccn1.Oc1ccncc1"},
		{"Mitsunobu reaction of a phenol", "OC1CCCC1.Oc1ncccn1"},
		{"Ullmann ether synthesis", "Ic1ccccc1.Oc1ccncc1"},
		{"N-alkylation of a pyridone", "BrCc1ccccc1.Cc1cccc(=O)[nH]1"},
		{"N-alkylation of a pyridone", "BrCc1ccccc1.O=c1ccnc[nH]1"},
		{"N-alkylation of a pyridone", "BrCc1ccccc1.O=c1cc[nH]c(=O)[nH]1"},
		{"Mitsunobu reaction of an azole", "OC1CCCC1.Cc1ncn[nH]1"},
		{"Ullmann coupling of an azole", "Ic1ccccc1.c1c[nH]nn1"},
		// Amines that take a chloropyrimidine first, and alcohols beside a crowded aniline.
		{"Suzuki coupling of an azine chloride", "Clc1ncccn1.OB(O)c1ccc(CN)cc1"},
		{"acylation with an acyl chloride", "C=CC(=O)Cl.OCC(CO)Nc1ccccc1"},
		{"sulfonamide formation", "CS(=O)(=O)Cl.OCCNc1ccccc1"},
		// Amines that are too weak.
		{"amide coupling", "CC(=O)O.N#CCNc1ccccc1"},
		{"amide coupling", "CC(=O)O.Nc1ccc([N+](=O)[O-])cc1"},
		{"amide coupling", "CC(=O)O.Nc1ncccn1"},
		{"amide coupling", "CC(=O)O.Nc1cc[nH]n1"}, // on the ring
		{"amide coupling", "CC(=O)O.Nc1n[nH]c2ccccc12"},
		{"SNAr of a fluorobenzaldehyde with an amine", "O=Cc1cccc(F)c1.C1COCCN1"},
		{"amide coupling", "CC(=O)O.Nc1ccccc1C#N"},
		{"SNAr of a fluoroarene with an amine", "N#Cc1ccc(F)cc1.NCC#N"},
		{"SNAr of a fluoroarene with an amine", "CNC(=O)c1ccc(F)cc1.C1COCCN1"},
		// Two equal groups where one was to react.
		{"N-alkylation of an amine", "BrCCCBr.C1COCCN1"},
		{"Suzuki coupling", "Brc1ccc(Br)cc1.OB(O)c1ccccc1"},
		{"sulfonamide formation", "O=S(=O)(Cl)c1ccc(S(=O)(=O)Cl)cc1.C1COCCN1"},
		{"ester hydrolysis", "COC(=O)c1ccc(C(=O)OC)cc1"},
		// Reductions and others.
		{"reduction of an ester", "COC(=O)c1ccc(C=O)cc1"},
		{"reduction of a nitrile", "COC(=O)c1ccc(C#N)cc1"},
		{"reduction of a ketone", "CC(=O)c1ccc(C=O)cc1"},
		{"Boc deprotection", "CC(C)(C)OC(=O)C1CCN(C(=O)OC(C)(C)C)CC1"},
		{"Williamson ether synthesis", "BrCC1CC1.O=C(O)c1ccc(O)cc1"},
		{"demethylation of an aryl ether", "COc1ccc2c(c1)OCO2"},
		{"Negishi coupling with an alkyl zinc", "Brc1cccnc1.CCOC(=O)CBr"},
		{"SNAr with an alcohol", "Clc1ncccn1.OCCc1ccc(O)cc1"},
	} {
		if product := carryOut(t, set, test.reaction, test.refused); product != "" {
			t.Errorf("%s of %s gives %s, want it refused", test.reaction, test.refused, product)
		}
	}
	for _, test := range []struct{ reaction, routine string }{
		{"amide coupling", "OC(=O)c1ccccc1.CNc1ccccc1"},
		{"amide coupling", "OC(=O)c1ccccc1.CNc1cccnc1"},
		{"reductive amination of an aldehyde", "O=Cc1ccccc1.Nc1cccc(N2CCOCC2)c1"},
		{"amide coupling", "O=C(O)c1ccc(Br)cc1.NCC1CC1"},
		{"amide coupling", "O=C(O)c1ccccc1.Nc1ccc2[nH]ncc2c1"},
		{"amide coupling", "O=C(O)c1ccccc1.Nc1cccc(-c2cc[nH]n2)c1"},
		{"urea from an isocyanate", "O=C=Nc1ccccc1.Nc1ccc2[nH]cnc2c1"},
		{"SNAr of a fluorobenzaldehyde with an amine", "O=Cc1ccccc1F.CN1CCNCC1"},
		{"amide coupling", "O=C(O)c1ccc(O)cc1.C1COCCN1"},
		{"amide coupling", "CC(=O)O.OCC1CCNCC1"},
		{"amide coupling", "CC(=O)O.Nc1cccc(Br)c1"},
		{"amide coupling", "CC(=O)O.COC(=O)[C@@H](N)Cc1ccccc1"},
		{"amide coupling", "OB(O)c1ccc(C(=O)O)cc1.C1COCCN1"},
		{"amide coupling", "O=C(O)c1n[nH]c2ccccc12.NCC1CC1"},
		{"amide coupling", "O=C(O)CNC(=O)OC(C)(C)C.Nc1ccccc1"},
		{"amide coupling", "CC(=O)O.NCCc1c[nH]c2ccccc12"},
		{"amide coupling", "O=C(O)c1ccc(Cl)nc1.C1COCCN1"},
		{"amide coupling", "CC(=O)O.NCc1ccc(Nc2ncccn2)cc1"}, // past a diarylamine
		{"amide coupling of an aminobenzoic acid", "Nc1cccc(C(=O)O)c1.CN1CCNCC1"},
		{"acylation with an acyl chloride", "C=CC(=O)Cl.Nc1ccccc1"},
		{"acylation with an acyl chloride", "O=C(Cl)CCl.C1COCCN1"},
		{"sulfonamide formation", "CS(=O)(=O)Cl.Nc1cccc(Br)c1"},
		{"sulfonamide formation", "O=C(O)c1ccc(S(=O)(=O)Cl)cc1.C1COCCN1"},
		{"Suzuki coupling", "Nc1cccc(Br)c1.OB(O)c1ccncc1"},
		{"Suzuki coupling", "Oc1cccc(Br)c1.OB(O)c1ccncc1"},
		{"Suzuki coupling", "O=C(O)c1cccc(Br)c1.OB(O)c1ccncc1"},
		{"Suzuki coupling", "Brc1ccc(Cl)nc1.OB(O)c1ccc(C=O)cc1"},
		{"Suzuki coupling", "Brc1ccccc1.CC1(C)OB(c2cn[nH]c2)OC1(C)C"},
		{"SNAr with an amine", "Clc1ncc(Br)cn1.C1COCCN1"},
		{"SNAr with an amine", "Clc1cc(Cl)ncn1.C1COCCN1"},
		{"SNAr with an amine", "Clc1ncccn1.C1CNCCN1"},
		{"SNAr with an amine", "Clc1ncccn1.COC(=O)C1CCNCC1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1cccc(O)c1"},
		{"SNAr of a fluoroarene with an amine", "COC(=O)c1ccc(F)cc1.C1COCCN1"},
		{"SNAr of a fluoroarene with an amine", "CC(=O)c1ccc(F)cc1.C1COCCN1"},
		{"SNAr of a fluoroarene with an amine", "CS(=O)(=O)c1ccc(F)cc1.C1COCCN1"},
		{"SNAr of a fluoroarene with an amine", "O=C(O)c1cc([N+](=O)[O-])ccc1F.C1COCCN1"},
		{"amide coupling", "CC(=O)Oc1ccccc1C(=O)O.C1COCCN1"}, // at room temperature
		{"Suzuki coupling", "CC(=O)Oc1ccc(Br)cc1.OB(O)c1ccccc1"},
		{"Buchwald-Hartwig amination", "COC(=O)c1ccc(Br)cc1.CN1CCNCC1"},
		{"reductive amination of an aldehyde", "O=Cc1ccc(Br)cc1.COC(=O)C1CCNCC1"},
		{"N-alkylation of an amine", "BrCc1ccc(Br)cc1.OCC1CCNCC1"},
		{"Williamson ether synthesis", "BrCc1ccccc1.O=Cc1ccc(O)cc1"},
		{"Williamson ether synthesis", "CCOC(=O)CBr.Oc1cccc(Br)c1"},
		{"nitro reduction", "O=[N+]([O-])c1ccc(Br)cc1"},
		{"Boc deprotection", "CC(C)(C)OC(=O)N1CCN(c2ccc(Br)cc2)CC1"},
		{"ester hydrolysis", "COC(=O)C1CCN(C(=O)OC(C)(C)C)CC1"},
		{"oxidation to an aldehyde", "OCc1ccc(Br)cc1"},
		{"reduction of a ketone", "COC(=O)c1ccc(C(C)=O)cc1"},
		{"primary amide formation", "Nc1ccc(C(=O)O)cc1"},
		{"Goldberg amidation", "COC(=O)c1ccc(I)cc1.O=C1CCCN1"},
		{"debenzylation of an ether", "O=C(OCc1ccccc1)C1CCCC1"},
		{"Ullmann coupling of an azole", "Ic1ccccc1.Cc1cc[nH]n1"},
		{"Ullmann coupling of an azole", "Ic1ccccc1.Cc1ncc[nH]1"},
		{"Ullmann coupling of an azole", "Ic1ccccc1.O=c1cccc[nH]1"},
		{"Chan-Lam coupling of an azole", "OB(O)c1ccccc1.Oc1ccccn1"},
		{"SNAr with an azole", "Clc1ncccn1.Cc1cnc[nH]1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Brc1cn[nH]c1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Cc1nc2ccccc2[nH]1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Clc1cc2[nH]cnc2cc1Cl"},
		{"N-alkylation of an azole", "BrCc1ccccc1.Cc1ncnc2[nH]ccc12"},
		{"N-alkylation of an azole", "BrCc1ccccc1.c1ccc2[nH]ccc2c1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.c1nc[nH]n1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.c1ccc(-c2cc[nH]n2)cc1"},
		{"N-alkylation of an azole", "BrCc1ccccc1.O=c1[nH]c2ccccc2o1"},
		{"Mitsunobu reaction of an azole", "OC1CCCC1.Brc1cn[nH]c1"},
		{"N-alkylation of a pyridone", "BrCc1ccccc1.O=c1ccc2ccccc2[nH]1"},
		{"N-alkylation of a pyridone", "BrCc1ccccc1.O=c1[nH]ncc2ccccc12"},
		{"N-alkylation of a pyridone", "BrCc1ccccc1.O=c1cc[nH]cc1"},
		{"Williamson ether synthesis", "BrCc1ccccc1.Oc1cccnc1"},
		{"Williamson ether synthesis", "BrCc1ccccc1.Oc1ccc2ncccc2c1"},
		{"Ullmann coupling of an azole", "Ic1ccccc1.c1ccc2[nH]ncc2c1"},
		{"Chan-Lam coupling of an azole", "OB(O)c1ccccc1.Cc1cc(C)[nH]n1"},
		{"Chan-Lam coupling of a tetrazole", "OB(O)c1ccccc1.c1ccc(-c2nnn[nH]2)cc1"},
		{"Suzuki coupling of an azine chloride", "Clc1ncccn1.Nc1ccc(B(O)O)cc1"},
		{"acylation with an acyl chloride", "C=CC(=O)Cl.OCCNCc1ccccc1"},
		{"acylation with an acyl chloride", "CC(=O)Cl.Nc1ccc([N+](=O)[O-])cc1"},
		{"amide coupling", "CC(=O)O.Nc1ccc(S(N)(=O)=O)cc1"},
		{"amide coupling", "CC(=O)O.Nc1ccccn1"},
		{"amide coupling", "CC(=O)O.NCC#N"},
		{"amide coupling", "CCOC(=O)CC(=O)c1ccc(C(=O)O)cc1.C1COCCN1"}, // without a strong base
		{"Suzuki coupling", "CCOC(=O)CC(=O)c1ccc(Br)cc1.OB(O)c1ccncc1"},
		{"N-alkylation of an amine", "COC(=O)CCBr.C1COCCN1"},
		{"N-alkylation of an amine", "CC(C)(C)OC(=O)NCCBr.C1COCCN1"},
		{"N-alkylation of an amine", "O=C(CCl)Nc1ccccc1.C1COCCN1"},
		{"N-alkylation of an amine", "OCCCBr.C1COCCN1"},
		{"N-alkylation of an amine", "O=C(NCc1ccc(CBr)cc1)c1ccccc1.C1COCCN1"},
		{"Williamson ether synthesis", "N#CCCBr.COC(=O)Cc1ccc(O)cc1"},
		{"Williamson ether synthesis", "CS(=O)(=O)CCBr.CC(=O)c1ccc(O)cc1"},
		{"Buchwald-Hartwig amination", "CC(=O)c1ccc(Br)cc1.C1COCCN1"},
		{"reductive N-methylation", "COC(=O)C1CCNCC1"},
		{"benzimidazole from an aldehyde", "CC(C)(C)OC(=O)N1CCC(C=O)CC1.Nc1ccccc1N"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1cccnc1"},
		{"SNAr with an aniline", "Clc1ncnc2ccccc12.Nc1cccc(C#C)c1"},
		{"Buchwald-Hartwig amination with an aniline", "Brc1ccccc1.Nc1ncccn1"},
		{"reductive amination of an aldehyde", "O=Cc1ccccc1.Nc1cccnc1"},
		{"sulfonamide formation", "CS(=O)(=O)Cl.Nc1ncccn1"}, // as of sulfadiazine
		{"oxidation of a thioether to a sulfone", "CSc1ccncc1"},
	} {
		if product := carryOut(t, set, test.reaction, test.routine); product == "" {
			t.Errorf("%s of %s is refused, want it carried out", test.reaction, test.routine)
		}
	}
}

// An intermediate of a route is judged as a block is, and an ester is not made for its aminolysis.
func TestSelectiveRoutes(t *testing.T) {
	set := builtIn(t)
	for _, text := range []string{
		"O=C(c1ccccc1)N1CCOCC1 BrCC1CC1 O=C(O)c1ccccc1 >alkylation_of_an_acid C1COCCN1 >aminolysis_of_an_ester",
		"CC(=O)NCc1ccc(CBr)cc1 CC(=O)O CC(C)(C)OC(=O)NCc1ccc(CBr)cc1 >Boc_deprotection >amide_coupling", // of an amine with a bromide
		"NCC=O CC(C)(C)OC(=O)NCCO >Boc_deprotection >oxidation_to_an_aldehyde",                          // of an amino alcohol
		"CC(=O)CC(=O)N1CCOCC1 CCOC(=O)CC(C)=O >ester_hydrolysis C1COCCN1 >amide_coupling",               // of an acid that loses carbon dioxide
		"Nc1cccc(N2CCOCC2)c1 O=[N+]([O-])c1cccc(Br)c1 >nitro_reduction C1COCCN1 >Buchwald-Hartwig_amination",
	} {
		if r, err := set.Route(text); !errors.Is(err, reaction.ErrNoProduct) {
			t.Errorf("%s: %v, %v, want ErrNoProduct", text, r, err)
		}
	}
	r, err := set.Route("CN1CCC(NC(=O)c2ccccc2)CC1 O=C(O)c1ccccc1 CC(C)(C)OC(=O)N1CCC(N)CC1 >amide_coupling >Boc_deprotection >reductive_N-methylation")
	if err != nil || r.Steps() != 3 {
		t.Errorf("a route by way of a Boc group: %v, %v", r, err)
	}
}

// What has a protecting group is no last product, unless known molecules have it.
func TestFinish(t *testing.T) {
	set := builtIn(t)
	const boc, cbz, phenacyl, ester, plain, own = "CC(C)(C)OC(=O)N1CCOCC1", "O=C(OCc1ccccc1)N1CCOCC1", "O=C(COC(=O)c1ccccc1)c1ccccc1", "CC(C)(C)OC(=O)c1ccccc1", "CN1CCOCC1", "NCCc1ccc(CBr)cc1"
	for _, test := range []struct {
		known  string
		smiles string
		want   bool
	}{
		{plain, boc, false}, {plain, cbz, false}, {plain, ester, false}, {plain, "CC(C)(C)[Si](C)(C)Oc1ccccc1", false},
		{plain, "OB(O)c1ccccc1", false}, {"CC1(C)OB(c2ccccc2)OC1(C)C", "OB(O)c1ccccc1", true},
		{plain, "O=C(OCC1c2ccccc2-c2ccccc21)N1CCOCC1", false}, {plain, "c1ccc(C(c2ccccc2)(c2ccccc2)n2ccnc2)cc1", false},
		{plain, "CC(=O)CC(=O)O", false}, {plain, "CN(C)C(=O)O", false}, {plain, "OCN1CCOCC1", false}, {plain, "O=C(O)CC(=O)O", true}, {plain, "N#CCC(=O)O", true}, {plain, "CC(=O)CCC(=O)O", true},
		{boc, boc, true}, {boc, cbz, false}, {plain, plain, true}, {plain, phenacyl, true}, {plain, own, false}, {own, own, true},
	} {
		finish := set.NewFinish([]string{test.known})
		if err := molecule.Look(test.smiles, func(m *molecule.Molecule) {
			if got := finish.Reached(m); got != test.want {
				t.Errorf("%s, with %s known: %t, want %t", test.smiles, test.known, got, test.want)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}

// The built-in reactions as a file give the set again.
func TestWriteBuiltIn(t *testing.T) {
	set := builtIn(t)
	var b bytes.Buffer
	if err := reaction.WriteBuiltIn(&b); err != nil {
		t.Fatal(err)
	}
	var all []*reaction.Reaction
	for line := range strings.Lines(b.String()) {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := reaction.Parse(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, r)
	}
	again, err := reaction.NewSet(all)
	if err != nil {
		t.Fatal(err)
	}
	if again.ID(nil) != set.ID(nil) {
		t.Error("the reactions as they are written are others")
	}
	if _, err := reaction.Parse("[C:1][OH:2]>>[C:1]=[O:2] oxidation; not beside amines"); err == nil || !strings.Contains(err.Error(), `unknown group "amines"`) {
		t.Errorf("error %v, want one that names the group", err)
	}
	for _, list := range []string{";not beside amine", "; not beside\tamine", " ;  not beside amine"} {
		if r, err := reaction.Parse("[C:1][OH:2]>>[C:1]=[O:2] oxidation" + list); err != nil || r.Beside != "amine" || r.Name != "oxidation" {
			t.Errorf("%q: %v, %v, want a reaction that is not carried out beside amines", list, r, err)
		}
	}
	if _, err := reaction.Parse("[C:1][OH:2]>>[C:1]=[O:2] oxidation; not beside"); err == nil {
		t.Error("a list without groups is none")
	}
	for _, rest := range []string{
		" oxidation; not besides amine", " oxidation; notbeside amine", " oxidation; beside amine", " oxidation; not next to amine", "; not besides amine", " oxidation; amine, thiol",
		" oxidation not beside amine", " oxidation, not beside amine", " oxidation Not Besides amine", " oxidation not near amine",
	} {
		if r, err := reaction.Parse("[C:1][OH:2]>>[C:1]=[O:2]" + rest); err == nil || !strings.Contains(err.Error(), "NAME; not beside GROUP, GROUP") {
			t.Errorf("%q: %v, %v, want an error that says what to write", rest, r, err)
		}
	}
	for _, name := range []string{"oxidation (not Swern)", "oxidation, no amines, 2 h", "Beside-the-ring oxidation", "notable oxidation"} {
		if r, err := reaction.Parse("[C:1][OH:2]>>[C:1]=[O:2] " + name); err != nil || r.Name != name {
			t.Errorf("%q: %v, %v, want a name", name, r, err)
		}
	}
	if r, err := reaction.Parse("[C:1][OH:2]>[Na+]>[C:1]=[O:2] oxidation"); err != nil || r.Name != "oxidation" {
		t.Errorf("%v, %v, want a reaction with an agent", r, err)
	}
}
