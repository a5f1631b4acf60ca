package reaction

import "strings"

// entry is a reaction of the catalogue. In its SMARTS the names of roles are in braces.
type entry struct {
	name, smarts string
	beside       string // Reaction.Beside
	example      string // REACTANT.REACTANT>>PRODUCT, which the tests run
}

// catalogue returns the built-in reactions, which are written for what works for most reactants in a laboratory of
// medicinal chemistry.
func catalogue() []entry {
	return []entry{
		// Acyl and sulfonyl groups on nitrogen and oxygen.
		{"amide coupling", "{acid}.{coupling amine}>>[*:1]-[C:2](=[O:3])-[N:11]", "nucleophiles, acid, oxime, aminoazole/aniline, alkyl bromide, alkyl chloride, activated halide, remote acceptor, aldehyde, epoxide", "CC(=O)O.NCc1ccccc1>>CC(=O)NCc1ccccc1"},
		{"amide coupling of an aminobenzoic acid", "[c;$(c:c-[NX3;H2]),$(c:c:c-[NX3;H2]),$(c:c:c:c-[NX3;H2]):1][CX3:2](=[OX1:3])[OX2H1].{alkyl amine}>>[*:1]-[C:2](=[O:3])-[N:11]", "amine, hydrazine, amidine, thiol, acid, oxime, alkyl bromide, alkyl chloride, activated halide, remote acceptor, aldehyde, epoxide", "Nc1ccc(C(=O)O)cc1.C1COCCN1>>Nc1ccc(C(=O)N2CCOCC2)cc1"},
		{"acylation with an acyl chloride", "{acyl chloride}.{amine}>>[*:1]-[C:2](=[O:3])-[N:11]", "nucleophiles, alcohol/alkylaniline, phenol/alkylaniline, azole, oxime, alkyl bromide, activated halide, remote acceptor, aldehyde, epoxide", "O=C(Cl)c1ccccc1.C1CCNCC1>>O=C(c1ccccc1)N1CCCCC1"},
		{"aminolysis of an ester", "{ester}.{alkyl amine}>>[*:1]-[C:2](=[O:3])-[N:11]", "nucleophiles, acid, electrophiles, aldehyde, alkyl ester, N-imide, oxime, base-labile, lactone", "COC(=O)c1ccccc1.NCC>>CCNC(=O)c1ccccc1"},
		{"esterification", "{acid}.{alcohol}>>[*:1]-[C:2](=[O:3])-[O:11]-[*:12]", "nucleophiles, acid, alcohol, phenol, azole, oxime", "CC(=O)O.OCc1ccccc1>>CC(=O)OCc1ccccc1"},
		{"phenyl ester formation", "{acid}.{phenol}>>[*:1]-[C:2](=[O:3])-[O:11]-[*:12]", "nucleophiles, acid, alcohol, phenol, azole, oxime", "CC(=O)O.Oc1ccccc1>>CC(=O)Oc1ccccc1"},
		{"sulfonamide formation", "{sulfonyl chloride}.{amine}>>[*:1]-[S:2](=[O:3])(=[O:4])-[N:11]", "nucleophiles, azole, alcohol/alkylaniline, phenol/aniline, oxime, alkyl bromide, activated halide, acceptor, aldehyde, epoxide", "CS(=O)(=O)Cl.Nc1ccccc1>>CS(=O)(=O)Nc1ccccc1"},
		{"acyl sulfonamide formation", "{acid}.{free sulfonamide}>>[*:1]-[C:2](=[O:3])-[N:11]", "nucleophiles, acid, alcohol, phenol, azole, oxime, sulfonamide", "OC(=O)c1ccccc1.CS(N)(=O)=O>>CS(=O)(=O)NC(=O)c1ccccc1"},
		{"urea from an isocyanate", "{isocyanate}.{ready amine}>>[*:1]-[N:2]-[C:3](=[O:4])-[N:11]", "nucleophiles, aminoazole/aniline, oxime, electrophiles, aldehyde", "O=C=Nc1ccccc1.C1CCNC1>>O=C(Nc1ccccc1)N1CCCC1"},
		{"thiourea from an isothiocyanate", "{isothiocyanate}.{alkyl amine}>>[*:1]-[N:2]-[C:3](=[S:4])-[N:11]", "amine, hydrazine, amidine, thiol, electrophiles, aldehyde", "S=C=Nc1ccccc1.CNC>>CN(C)C(=S)Nc1ccccc1"},
		{"urea from two amines (CDI)", "{activated amine}.{secondary amine}>>[N:1]-C(=O)-[N:11]", "nucleophiles, acid, alcohol, phenol, azole, oxime, sulfonamide, electrophiles, aldehyde", "NCc1ccccc1.C1CCNC1>>O=C(NCc1ccccc1)N1CCCC1"},
		{"urea from a carbamoyl chloride", "{carbamoyl}.{alkyl amine}>>[*:1]-[N:2]-[C:3](=[O:4])-[N:11]", "amine, hydrazine, amidine, thiol, azole, electrophiles, aldehyde", "CN(C)C(=O)Cl.NCCC>>CCCNC(=O)N(C)C"},
		{"carbamate from an isocyanate", "{isocyanate}.{alcohol}>>[*:1]-[N:2]-[C:3](=[O:4])-[O:11]-[*:12]", "nucleophiles, acid, alcohol, phenol, azole, oxime", "O=C=Nc1ccccc1.CCO>>CCOC(=O)Nc1ccccc1"},
		{"carbamate from a chloroformate", "{chloroformate}.{amine}>>[*:1]-[O:2]-[C:3](=[O:4])-[N:11]", "nucleophiles, alcohol/alkylaniline, phenol/alkylaniline, azole, oxime, alkyl bromide, activated halide, remote acceptor, aldehyde, epoxide", "COC(=O)Cl.NCc1ccccc1>>COC(=O)NCc1ccccc1"},
		{"carbamate from an alcohol and an amine (CDI)", "{alcohol}.[NX3;H2,H1;+0;!$(N-[!$([CX4])]):1]>>[*:12]-[O:11]-C(=O)-[N:1]", "nucleophiles, acid, alcohol, phenol, azole, oxime, sulfonamide, electrophiles, aldehyde", "OC1CCCC1.CNC>>CN(C)C(=O)OC1CCCC1"},
		{"sulfonylurea formation", "{isocyanate}.{free sulfonamide}>>[*:1]-[N:2]-[C:3](=[O:4])-[N:11]", "nucleophiles, acid, alcohol, phenol, azole, oxime, sulfonamide", "O=C=NC1CCCC1.NS(=O)(=O)c1ccccc1>>O=C(NC1CCCC1)NS(=O)(=O)c1ccccc1"},

		// Amines and ethers by alkylation. Mitsunobu reactions invert the alcohol, which other chirality of a template
		// and its product says.
		{"reductive amination of an aldehyde", "{aldehyde}.{ready amine}>>[*:1]-[C:2]-[N:11]", "hydrazine, amidine, thiol, electrophiles, aldehyde, ketone, phenylenediamine, CH acid", "O=Cc1ccccc1.C1CCNCC1>>c1ccc(CN2CCCCC2)cc1"},
		{"reductive amination of a ketone", "{ketone}.{alkyl amine}>>[*:1]-[C:2](-[*:4])-[N:11]", "hydrazine, amidine, thiol, electrophiles, aldehyde, ketone, CH acid", "O=C1CCCCC1.NCC>>CCNC1CCCCC1"},
		{"reductive N-methylation", "[NX3;H1;+0;!$(N-[!$([CX4])]):1]>>C-[N:1]", "nucleophiles, phenol, azole, indole, primary amide, electrophiles, aldehyde, CH acid", "C1CCNCC1>>CN1CCCCC1"},
		{"N-alkylation of an amine", "{alkyl halide}.{secondary amine}>>[C:1]-[N:11]", "amine, hydrazine, amidine, thiol, NH and OH acids, electrophiles, aldehyde, CH acid, base-labile", "BrCc1ccccc1.C1CCNCC1>>c1ccc(CN2CCCCC2)cc1"},
		{"N-alkylation of an azole", "{alkyl halide}.{azole}>>[C:1]-[n:11]", "nucleophiles, NH and OH acids, electrophiles, CH acid, base-labile", "BrCc1ccccc1.c1cc[nH]n1>>c1ccc(Cn2cccn2)cc1"},
		{"N-alkylation of a pyridone", "{alkyl halide}.{pyridone}>>[C:1]-[n:11]", "nucleophiles, NH and OH acids, electrophiles, CH acid, base-labile", "BrCc1ccccc1.O=c1cccc[nH]1>>O=c1ccccn1Cc1ccccc1"},
		{"N-alkylation of an imide", "{alkyl halide}.{imide}>>[C:1]-[N:11]", "nucleophiles, NH and OH acids, electrophiles, CH acid, base-labile", "BrCC1CC1.O=C1CCC(=O)N1>>O=C1CCC(=O)N1CC1CC1"},
		{"N-alkylation of a sulfonamide", "{alkyl halide}.{sulfonamide}>>[C:1]-[N:11]", "nucleophiles, NH and OH acids, electrophiles, CH acid, base-labile", "BrCC1CC1.CNS(C)(=O)=O>>CN(CC1CC1)S(C)(=O)=O"},
		{"Williamson ether synthesis", "{alkyl halide}.{phenol}>>[C:1]-[O:11]-[*:12]", "nucleophiles, NH and OH acids, electrophiles, CH acid, base-labile", "BrCC1CC1.Oc1ccccc1>>c1ccc(OCC2CC2)cc1"},
		{"benzylation of an alcohol", "[CX4;H2;$(C-c):1][Cl,Br,I].{alcohol}>>[C:1]-[O:11]-[*:12]", "nucleophiles, NH and OH acids, alcohol, amide, carbamate, indole, ester, aldehyde, ketone, electrophiles, CH acid, base-labile", "BrCc1ccccc1.OC1CCCC1>>c1ccc(COC2CCCC2)cc1"},
		{"S-alkylation", "{alkyl halide}.{thiol}>>[C:1]-[S:11]-[*:12]", "amine, hydrazine, amidine, thiol, electrophiles, CH acid, base-labile", "ClCc1ccccc1.Sc1ccccn1>>c1ccc(CSc2ccccn2)cc1"},
		{"alkylation of an acid", "{alkyl halide}.[#6:12][CX3:13](=[OX1:14])[OX2H1:11]>>[C:1]-[O:11]-[C:13](=[O:14])-[*:12]", "amine, hydrazine, amidine, thiol, NH and OH acids, electrophiles, CH acid, base-labile", "BrCc1ccccc1.OC(=O)C1CC1>>O=C(OCc1ccccc1)C1CC1"},
		{"Mitsunobu reaction of a phenol", "[C@;X4;!H0;$(C-[#6]);!$(C([O,N,S])[O,N,S]):1][OX2H1].{phenol}>>[C@@:1]-[O:11]-[*:12]", "amine, hydrazine, amidine, thiol, NH and OH acids, alcohol, azide, alkyl bromide, acceptor, epoxide, CH acid", "C[C@H](O)CC.Oc1ccccc1>>CC[C@@H](C)Oc1ccccc1"},
		{"Mitsunobu reaction of an imide", "[C@;X4;!H0;$(C-[#6]);!$(C([O,N,S])[O,N,S]):1][OX2H1].{imide}>>[C@@:1]-[N:11]", "amine, hydrazine, amidine, thiol, NH and OH acids, alcohol, azide, alkyl bromide, acceptor, epoxide, CH acid", "OC1CCCC1.O=C1CCC(=O)N1>>O=C1CCC(=O)N1C1CCCC1"},
		{"Mitsunobu reaction of a sulfonamide", "[C@;X4;!H0;$(C-[#6]);!$(C([O,N,S])[O,N,S]):1][OX2H1].{sulfonamide}>>[C@@:1]-[N:11]", "amine, hydrazine, amidine, thiol, NH and OH acids, alcohol, azide, alkyl bromide, acceptor, epoxide, CH acid", "OCC1CC1.CNS(C)(=O)=O>>CN(CC1CC1)S(C)(=O)=O"},
		{"Mitsunobu reaction of an azole", "[C@;X4;!H0;$(C-[#6]);!$(C([O,N,S])[O,N,S]):1][OX2H1].{acidic azole}>>[C@@:1]-[n:11]", "amine, hydrazine, amidine, thiol, NH and OH acids, alcohol, azide, alkyl bromide, acceptor, epoxide, CH acid", "OC1CCCC1.c1cc[nH]n1>>c1cnn(C2CCCC2)c1"},
		{"opening of an epoxide by an amine", "{epoxide}.{alkyl amine}>>[O:2]-[C:1]-[C:3]-[N:11]", "hydrazine, amidine, thiol, acid, azole, electrophiles, aldehyde, CH acid, base-labile", "C1OC1c1ccccc1.CNC>>CN(C)CC(O)c1ccccc1"},
		{"opening of an epoxide by a phenol", "{epoxide}.{phenol}>>[O:2]-[C:1]-[C:3]-[O:11]-[*:12]", "nucleophiles, NH and OH acids, electrophiles, CH acid, base-labile", "CC1CO1.Oc1ccccc1>>CC(O)COc1ccccc1"},
		{"Michael addition of an amine", "{acceptor}.{alkyl amine}>>[N:11]-[C:1]-[C:2]-[*:3]", "hydrazine, amidine, thiol, acid, electrophiles, aldehyde, CH acid, base-labile", "C=CC(=O)NC.C1CCNCC1>>CNC(=O)CCN1CCCCC1"},

		// Nucleophilic aromatic substitution.
		{"SNAr with an amine", "{activated halide}.{alkyl amine}>>[c:1]-[N:11]", "hydrazine, amidine, thiol, alkyl bromide, alkyl chloride, acceptor, phenyl ester, aldehyde, epoxide, CH acid, base-labile", "Clc1ncccn1.C1CCNCC1>>c1cnc(N2CCCCC2)nc1"},
		{"SNAr with an aniline", "[c;$(c(:[n;r6]):[n;r6]),$(c:[n;r6]:c:[n;r6]):1][Cl].{nucleophilic aniline}>>[c:1]-[N:11]", "amine, hydrazine, amidine, thiol, alkyl bromide, alkyl chloride, acceptor, aldehyde, epoxide, CH acid, base-labile", "Clc1ccncn1.Nc1ccccc1>>c1ccc(Nc2ccncn2)cc1"},
		{"SNAr with a phenol", "{activated halide}.{phenol}>>[c:1]-[O:11]-[*:12]", "amine, hydrazine, amidine, thiol, NH and OH acids, alkyl bromide, alkyl chloride, acceptor, phenyl ester, epoxide, CH acid, base-labile", "Clc1ncccn1.Oc1ccccc1>>c1ccc(Oc2ncccn2)cc1"},
		{"SNAr with an alcohol", "{activated halide}.{alcohol}>>[c:1]-[O:11]-[*:12]", "nucleophiles, NH and OH acids, alcohol, amide, carbamate, indole, ester, aldehyde, ketone, alkyl bromide, alkyl chloride, acceptor, phenyl ester, epoxide, CH acid, base-labile", "Fc1ccccn1.OC1CCCC1>>c1ccc(OC2CCCC2)nc1"},
		{"SNAr with a thiol", "{activated halide}.{thiol}>>[c:1]-[S:11]-[*:12]", "amine, hydrazine, amidine, thiol, alkyl bromide, alkyl chloride, acceptor, phenyl ester, epoxide, CH acid, base-labile", "Clc1ncccn1.SCC>>CCSc1ncccn1"},
		{"SNAr with an azole", "{activated halide}.{arylated azole}>>[c:1]-[n:11]", "nucleophiles, NH and OH acids, alkyl bromide, alkyl chloride, acceptor, phenyl ester, epoxide, CH acid, base-labile", "Clc1ncccn1.c1cc[nH]n1>>c1cnc(-n2cccn2)nc1"},
		{"SNAr of a fluoroarene with an amine", "{activated fluoride}.{nucleophilic amine}>>[c:1]-[N:11]", "hydrazine, amidine, thiol, electrophiles, aldehyde, CH acid, base-labile", "N#Cc1ccc(F)cc1.C1COCCN1>>N#Cc1ccc(N2CCOCC2)cc1"},
		{"SNAr of a fluorobenzaldehyde with an amine", "{fluorobenzaldehyde}.{secondary amine}>>[c:1]-[N:11]", "hydrazine, amidine, thiol, electrophiles, CH acid, base-labile", "O=Cc1ccc(F)cc1.C1COCCN1>>O=Cc1ccc(N2CCOCC2)cc1"},
		{"SNAr of a fluoroarene with a phenol", "{activated fluoride}.{phenol}>>[c:1]-[O:11]-[*:12]", "amine, hydrazine, amidine, thiol, NH and OH acids, electrophiles, CH acid, base-labile", "N#Cc1ccc(F)cc1.Oc1ccccc1>>N#Cc1ccc(Oc2ccccc2)cc1"},

		// Couplings by metals.
		{"Suzuki coupling", "{aryl halide}.{boronic}>>[c:1]-[*:11]", "couplers, base-labile", "Brc1ccccc1.OB(O)c1ccncc1>>c1ccc(-c2ccncc2)cc1"},
		{"Suzuki coupling of an azine chloride", "{azine chloride}.{boronic}>>[c:1]-[*:11]", "couplers, halopyridine, amine, base-labile", "Clc1ccncn1.CC1(C)OB(c2ccccc2)OC1(C)C>>c1ccc(-c2ccncn2)cc1"},
		{"Buchwald-Hartwig amination", "{aryl halide}.{alkyl amine}>>[c:1]-[N:11]", "couplers, aminated, CH acid, base-labile", "Brc1ccccc1.C1COCCN1>>c1ccc(N2CCOCC2)cc1"},
		{"Buchwald-Hartwig amination with an aniline", "{aryl halide}.{aniline}>>[c:1]-[N:11]", "couplers, amine, aminated, CH acid, base-labile", "Brc1cccnc1.Nc1ccccc1>>c1ccc(Nc2cccnc2)cc1"},
		{"Buchwald-Hartwig amination of an azine chloride", "{azine chloride}.{aniline}>>[c:1]-[N:11]", "couplers, halopyridine, amine, aminated, CH acid, base-labile", "Clc1ccccn1.Nc1ccccc1>>c1ccc(Nc2ccccn2)cc1"},
		{"Goldberg amidation", "{aryl halide}.{amide}>>[c:1]-[N:11]", "couplers, amine, aminated, amide, carbamate, alcohol, CH acid, base-labile", "Brc1ccccc1.O=C1CCCN1>>O=C1CCCN1c1ccccc1"},
		{"Ullmann coupling of an azole", "{aryl halide}.{azole for copper}>>[c:1]-[n:11]", "couplers, amine, aminated, CH acid, base-labile", "Ic1ccccc1.c1cc[nH]n1>>c1ccc(-n2cccn2)cc1"},
		{"Ullmann ether synthesis", "{aryl halide}.{phenol}>>[c:1]-[O:11]-[*:12]", "couplers, amine, aminated, alcohol, CH acid, base-labile", "Ic1ccccc1.Oc1cccnc1>>c1ccc(Oc2cccnc2)cc1"},
		{"Migita thioether synthesis", "{aryl halide}.{thiol}>>[c:1]-[S:11]-[*:12]", "couplers, amine, amidine, CH acid, base-labile", "Ic1ccccc1.SC1CCCC1>>c1ccc(SC2CCCC2)cc1"},
		{"Chan-Lam coupling of an amine", "[c:1]-!@[BX3]([OX2])[OX2].{amine}>>[c:1]-[N:11]", "boronic, alkyne, thiol, azide, amine, hydrazine, aminated, electrophiles, CH acid", "OB(O)c1ccccc1.C1COCCN1>>c1ccc(N2CCOCC2)cc1"},
		{"Chan-Lam coupling of an azole", "[c:1]-!@[BX3]([OX2])[OX2].{azole or pyridone}>>[c:1]-[n:11]", "boronic, alkyne, thiol, azide, amine, hydrazine, aminated, electrophiles, CH acid", "OB(O)c1ccccc1.c1cc[nH]n1>>c1ccc(-n2cccn2)cc1"},
		{"Chan-Lam coupling of a tetrazole", "[c:1]-!@[BX3]([OX2])[OX2].{tetrazole}>>[c:1]-[n:15]1:[n:14]:[nH0:11]:[c:12]:[n:16]:1", "boronic, alkyne, thiol, azide, amine, hydrazine, aniline, diarylamine, amidine, indole, pyridone, phenol, acid, primary amide, imide, sulfonamide, aldehyde, phenyl ester, electrophiles, CH acid", "OB(O)c1ccccc1.Cc1nnn[nH]1>>Cc1nnn(-c2ccccc2)n1"},
		{"Chan-Lam coupling of a phenol", "[c:1]-!@[BX3]([OX2])[OX2].{phenol}>>[c:1]-[O:11]-[*:12]", "boronic, alkyne, thiol, azide, amine, hydrazine, aminated, electrophiles, CH acid", "OB(O)c1ccccc1.Oc1cccnc1>>c1ccc(Oc2cccnc2)cc1"},
		{"Sonogashira coupling", "{aryl halide}.{alkyne}>>[c:1]-[C:11]#[C:12]-[*:13]", "couplers", "Ic1ccccc1.C#CC1CC1>>C(#CC1CC1)c1ccccc1"},
		{"Heck reaction", `{aryl halide}.{alkene}>>[c:1]/[C:11]=[C:12]/[*:13]`, "couplers, alkene, amine", "Brc1ccccc1.C=CC(=O)NC>>CNC(=O)/C=C/c1ccccc1"},
		{"Negishi coupling with an alkyl zinc", "{aryl halide}.[CX4;H2;$(C-[#6]);!$(C-[!#6;!Br;!I]);!$(C-[CX3]=[O,N,S]);!$(C-C#N);!$(C-[CX4]-[!#6]):11][Br,I]>>[c:1]-[C:11]", "couplers, amine, aminated, alcohol, nitro, epoxide, CH acid", "Brc1cccnc1.BrCC1CC1>>c1cncc(CC2CC2)c1"},
		{"aminocarbonylation", "{aryl halide}.{alkyl amine}>>[c:1]-C(=O)-[N:11]", "couplers, aminated, CH acid, base-labile", "Brc1ccccc1.C1COCCN1>>O=C(c1ccccc1)N1CCOCC1"},
		{"cyanation", "{aryl halide}>>[c:1]-C#N", "couplers", "Brc1ccccc1>>N#Cc1ccccc1"},
		{"Miyaura borylation", "{aryl halide}>>[c:1]-B1OC(C)(C)C(C)(C)O1", "couplers", "Brc1ccccc1>>CC1(C)OB(c2ccccc2)OC1(C)C"},

		// Rings.
		{"click triazole synthesis", "{azide}.{alkyne}>>[*:1]-[n:2]1:[n+0:3]:[n+0:4]:[c:12](-[*:13]):[c:11]:1", "azide, alkyne, thiol", "[N-]=[N+]=NCc1ccccc1.C#CC1CC1>>c1ccc(Cn2cc(C3CC3)nn2)cc1"},
		{"click triazole synthesis from a halide", "{alkyl halide}.{alkyne}>>[C:1]-n1:n:n:[c:12](-[*:13]):[c:11]:1", "azide, alkyne, amine, hydrazine, thiol, electrophiles", "BrCc1ccccc1.C#CC1CC1>>c1ccc(Cn2cc(C3CC3)nn2)cc1"},
		{"benzimidazole from an acid", "{acid}.{diamine}>>[*:1]-[c:2]1:[n:11]:[c:12]:[c:13]:[nH:14]:1", "nucleophiles, acid, electrophiles, aldehyde, enol ether, sulfinamide, silyl, trityl", "CC(=O)O.Nc1ccccc1N>>Cc1nc2ccccc2[nH]1"},
		{"benzimidazole from an aldehyde", "{aldehyde}.{diamine}>>[*:1]-[c:2]1:[n:11]:[c:12]:[c:13]:[nH:14]:1", "nucleophiles, electrophiles, aldehyde, CH acid", "O=Cc1ccccc1.Nc1ccccc1N>>c1ccc(-c2nc3ccccc3[nH]2)cc1"},
		{"substituted benzimidazole from an acid", "{acid}.{substituted diamine}>>[*:1]-[c:2]1:[n:11]:[c:12]:[c:13]:[n:14]:1", "nucleophiles, acid, electrophiles, aldehyde, enol ether, sulfinamide, silyl, trityl", "CC(=O)O.Nc1ccccc1NC>>Cc1nc2ccccc2n1C"},
		{"substituted benzimidazole from an aldehyde", "{aldehyde}.{substituted diamine}>>[*:1]-[c:2]1:[n:11]:[c:12]:[c:13]:[n:14]:1", "nucleophiles, electrophiles, aldehyde, CH acid", "CC=O.Nc1ccccc1NC>>Cc1nc2ccccc2n1C"},
		{"benzoxazole from an acid", "{acid}.{aminophenol}>>[*:1]-[c:2]1:[n:11]:[c:12]:[c:13]:[o:14]:1", "nucleophiles, acid, electrophiles, aldehyde, acid-labile", "CC(=O)O.Nc1ccccc1O>>Cc1nc2ccccc2o1"},
		{"benzothiazole from an aldehyde", "{aldehyde}.{aminothiophenol}>>[*:1]-[c:2]1:[n:11]:[c:12]:[c:13]:[s:14]:1", "nucleophiles, electrophiles, aldehyde, CH acid", "O=Cc1ccccc1.Nc1ccccc1S>>c1ccc(-c2nc3ccccc3s2)cc1"},
		{"1,2,4-oxadiazole from an amidoxime", "{acid}.{amidoxime}>>[*:1]-[c:2]1:[n:15]:[c:12](-[*:11]):[n:13]:[o:14]:1", "nucleophiles, acid, oxime, electrophiles, aldehyde", "CC(=O)O.NC(=NO)c1ccccc1>>Cc1nc(-c2ccccc2)no1"},
		{"1,2,4-oxadiazole from a nitrile", "{acid}.[#6:11][CX2:12]#[NX1:13]>>[*:1]-[c:2]1:[n:13]:[c:12](-[*:11]):n:o:1", "nucleophiles, acid, oxime, nitrile, electrophiles, aldehyde, ketone, alkyl ester", "OC(=O)C1CC1.N#Cc1ccccc1>>c1ccc(-c2noc(C3CC3)n2)cc1"},
		{"1,3,4-oxadiazole from a hydrazide", "{acid}.{hydrazide}>>[*:1]-[c:2]1:[n:15]:[n:14]:[c:12](-[*:11]):[o:13]:1", "nucleophiles, acid, oxime, alcohol, phenol, primary amide, electrophiles, aldehyde, ketone", "CC(=O)O.NNC(=O)c1ccccc1>>Cc1nnc(-c2ccccc2)o1"},
		{"1,3,4-thiadiazole from a hydrazide", "{acid}.{hydrazide}>>[*:1]-[c:2]1:[n:15]:[n:14]:[c:12](-[*:11]):s:1", "nucleophiles, acid, oxime, alcohol, phenol, amide, carboxamide, electrophiles, aldehyde, ketone", "CC(=O)O.NNC(=O)c1ccccc1>>Cc1nnc(-c2ccccc2)s1"},
		{"1,2,4-triazole from a hydrazide", "{nitrile}.{hydrazide}>>[*:1]-[c:2]1:[n:3]:[c:12](-[*:11]):[n:14]:[nH:15]:1", "nucleophiles, acid, nitrile, alkyl ester, electrophiles, aldehyde, ketone, base-labile", "N#Cc1ccccc1.NNC(=O)C1CC1>>c1ccc(-c2n[nH]c(C3CC3)n2)cc1"},
		{"Hantzsch thiazole synthesis", "{haloketone}.{thioamide}>>[*:1]-[c:2]1:[n:14]:[c:12](-[*:11]):[s:13]:[c:3]:1", "nucleophiles, electrophiles, aldehyde", "O=C(CBr)c1ccccc1.CC(N)=S>>Cc1nc(-c2ccccc2)cs1"},
		{"aminothiazole synthesis", "{haloketone}.{thiourea}>>[*:1]-[c:2]1:[n:14]:[c:12](-[N:11]):[s:13]:[c:3]:1", "nucleophiles, electrophiles, aldehyde", "O=C(CBr)c1ccccc1.CNC(N)=S>>CNc1nc(-c2ccccc2)cs1"},
		{"imidazole from an amidine", "{haloketone}.{amidine}>>[*:1]-[c:2]1:[n:13]:[c:12](-[*:11]):[nH:14]:[c:3]:1", "nucleophiles, azole, electrophiles, aldehyde", "O=C(CBr)c1ccccc1.CC(=N)N>>Cc1nc(-c2ccccc2)c[nH]1"},
		{"imidazo[1,2-a]azine synthesis", "{haloketone}.{aminoazine}>>[*:1]-[c:2]1:[n:11]:[c:12]:[n:13]:[c:3]:1", "nucleophiles, electrophiles, aldehyde", "O=C(CBr)c1ccccc1.Nc1ccccn1>>c1ccc(-c2cn3ccccc3n2)cc1"},
		{"Knorr pyrazole synthesis", "{diketone13}.{hydrazine}>>[*:1]-[c:2]1:[c:3]:[c:4](-[*:5]):[n:12](-[*:13]):[n:11]:1", "amine, hydrazine, amidine, thiol, electrophiles, aldehyde, ketone", "CC(=O)CC(C)=O.NNc1ccccc1>>Cc1cc(C)n(-c2ccccc2)n1"},
		{"aminopyrazole synthesis", "{ketonitrile}.{hydrazine}>>[*:1]-[c:2]1:[c:3]:[c:4](-[N:5]):[n:12](-[*:13]):[n:11]:1", "amine, hydrazine, amidine, thiol, electrophiles, aldehyde, ketone, nitrile", "CC(=O)CC#N.NNc1ccccc1>>Cc1cc(N)n(-c2ccccc2)n1"},
		{"isoxazole from an aldehyde and an alkyne", "{aldehyde}.{alkyne}>>[*:1]-[c:2]1:n:o:[c:12](-[*:13]):[c:11]:1", "nucleophiles, phenol, indole, thioether, aldehyde, ketone, alkyne, alkene, azide, boronic, electrophiles, CH acid", "O=Cc1ccccc1.C#CC1CC1>>c1ccc(-c2cc(C3CC3)on2)cc1"},
		{"tetrazole from a nitrile", "{nitrile}>>[*:1]-[c:2]1:[n:3]:n:n:[nH]:1", "nitrile, alkyne, amidine, electrophiles, aldehyde", "N#Cc1ccccc1>>c1ccc(-c2nnn[nH]2)cc1"},
		{"Fischer indole synthesis", "{methylene ketone}.{arylhydrazine}>>[*:1]-[c:2]1:[nH:11]:[c:12]:[c:13]:[c:3]:1", "nucleophiles, aldehyde, ketone, alkene, epoxide, acid-labile, alkyl bromide, alkyl chloride, azide", "CC(=O)c1ccccc1.NNc1ccc(F)cc1>>Fc1ccc2[nH]c(-c3ccccc3)cc2c1"},
		{"Friedlander quinoline synthesis", "{methylene ketone}.{aminoketone}>>[*:1]-[c:2]1:[n:11]:[c:12]:[c:13]:[c:14]:[c:3]:1", "nucleophiles, electrophiles, aldehyde, ketone, CH acid", "CC(=O)c1ccccc1.Nc1ccccc1C=O>>c1ccc(-c2ccc3ccccc3n2)cc1"},
		{"quinazolinone from an anthranilic acid", "{anthranilic acid}.[NX3;H2;+0;$(N-[CX4]):1]>>[n:11]1:c:[n:1]:[c:14](=[O:15]):[c:13]:[c:12]:1", "nucleophiles, acid, electrophiles, aldehyde", "Nc1ccccc1C(=O)O.NCc1ccccc1>>O=c1c2ccccc2ncn1Cc1ccccc1"},
		{"quinazolinone from an anthranilamide", "{aldehyde}.{anthranilamide}>>[*:1]-[c:2]1:[n:11]:[c:12]:[c:13]:[c:14](=[O:15]):[nH:16]:1", "nucleophiles, electrophiles, aldehyde, ketone, CH acid", "O=Cc1ccccc1.Nc1ccccc1C(N)=O>>O=c1[nH]c(-c2ccccc2)nc2ccccc12"},
		{"Paal-Knorr pyrrole synthesis", "{diketone14}.{primary amine}>>[*:1]-[c:2]1:[c:3]:[c:4]:[c:5](-[*:6]):[n:11]:1", "nucleophiles, electrophiles, aldehyde, ketone, acetal, enol ether, silyl, trityl", "CC(=O)CCC(C)=O.NCc1ccccc1>>Cc1ccc(C)n1Cc1ccccc1"},
		{"Pictet-Spengler reaction", "{aldehyde}.{tryptamine}>>[*:1]-[C:2]1-[N:15]-[C:14]-[C:13]-[c:12]:[c:11]-1", "nucleophiles, electrophiles, aldehyde, ketone, acid-labile, CH acid", "CC=O.NCCc1c[nH]c2ccccc12>>CC1NCCc2c1[nH]c1ccccc21"},

		// Changes of one group, mostly deprotections, oxidations and reductions.
		{"ester hydrolysis", "[#6:1][CX3:2](=[OX1:3])[OX2;H0;!R:4][CX4;H3,H2]>>[*:1]-[C:2](=[O:3])-[O:4]", "alkyl ester, phenyl ester, N-imide, Fmoc, alkyl bromide, alkyl chloride, activated halide, epoxide, base-labile, lactone, silyl", "CCOC(=O)c1ccccc1>>O=C(O)c1ccccc1"},
		{"cleavage of a tert-butyl ester", "[#6:1][CX3:2](=[OX1:3])[OX2;H0:4]C([CH3])([CH3])[CH3]>>[*:1]-[C:2](=[O:3])-[O:4]", "acid-labile", "CC(C)(C)OC(=O)c1ccccc1>>O=C(O)c1ccccc1"},
		{"Boc deprotection", "[NX3:1]C(=O)OC([CH3])([CH3])[CH3]>>[N:1]", "acid-labile", "CC(C)(C)OC(=O)N1CCNCC1>>C1CNCCN1"},
		{"Cbz deprotection", "[NX3:1]C(=O)O[CH2]c1[cH][cH][cH][cH][cH]1>>[N:1]", "hydrogenated", "O=C(OCc1ccccc1)N1CCCCC1>>C1CCNCC1"},
		{"debenzylation of an ether", "[#6;!$(C(=O)(O)[#7,#8]):1][OX2:2][CH2]c1[cH][cH][cH][cH][cH]1>>[*:1]-[O:2]", "hydrogenated", "c1ccc(COc2cccnc2)cc1>>Oc1cccnc1"},
		{"demethylation of an aryl ether", "[c:1][OX2:2][CH3]>>[c:1]-[O:2]", "aryl ether, alkyl ether, benzyl, Cbz, ester, alcohol, epoxide, acid-labile, Alloc", "COc1ccccc1>>Oc1ccccc1"},
		{"nitro reduction", "{nitro}>>[c:1]-[N+0:2]", "nitro, azide, aldehyde, alkyl bromide, alkyl chloride, acceptor, epoxide", "O=[N+]([O-])c1ccccc1>>Nc1ccccc1"},
		{"reduction of a nitrile", "{nitrile}>>[*:1]-[C:2]-[N:3]", "nitrile, nitro, acid, aldehyde, ketone, ester, carboxamide, N-imide, oxime, alkene, triple bond, azide, alkyl bromide, alkyl chloride, activated halide, epoxide", "N#Cc1ccccc1>>NCc1ccccc1"},
		{"hydrolysis of a nitrile", "{nitrile}>>[*:1]-[C:2](=O)-[N:3]", "nitrile, aldehyde, thiol, thioether, boronic, electrophiles, base-labile, hydrazine, N-imide", "N#Cc1ccccc1>>NC(=O)c1ccccc1"},
		{"reduction of a ketone", "{ketone}>>[*:1]-[C:2](-[O:3])-[*:4]", "ketone, aldehyde, acceptor, alkyl bromide, alkyl chloride, epoxide", "CC(=O)c1ccccc1>>CC(O)c1ccccc1"},
		{"reduction of an aldehyde", "{aldehyde}>>[*:1]-[C:2]-[O:3]", "aldehyde, ketone, acceptor", "O=Cc1ccccc1>>OCc1ccccc1"},
		{"reduction of an ester", "{ester}>>[*:1]-[C:2]-[O:3]", "ester, acid, aldehyde, ketone, nitrile, carboxamide, N-imide, nitro, azide, electrophiles, Fmoc, trifluoroacetyl", "COC(=O)c1ccccc1>>OCc1ccccc1"},
		{"oxidation to a ketone", "{secondary oh}>>[*:1]-[C:2](=[O:3])-[*:4]", "nucleophiles, alcohol, phenol, oxime, thioether, boronic", "OC1CCCCC1>>O=C1CCCCC1"},
		{"oxidation to an aldehyde", "{primary oh}>>[*:1]-[C:2]=[O:3]", "nucleophiles, alcohol, phenol, oxime, thioether, boronic", "OCc1ccccc1>>O=Cc1ccccc1"},
		{"oxidation of a thioether to a sulfone", "[#6:1][SX2:2][#6:3]>>[*:1]-[S:2](=O)(=O)-[*:3]", "nucleophiles, tertiary amine, thioether, phenol, indole, alkene, aldehyde, boronic, dialkylaniline, oxime", "CSc1ccccc1>>CS(=O)(=O)c1ccccc1"},
		{"hydrogenation of an alkene", "[#6:1][CX3;!$(C-[!#6]):2]=[CX3;!$(C-[!#6]):3]>>[*:1]-[C:2]-[C:3]", "hydrogenated", "C=CC1CCCC1>>CCC1CCCC1"},
		{"hydrogenation of an alkyne", "[#6:1][CX2:2]#[CX2:3][#6:4]>>[*:1]-[C:2]-[C:3]-[*:4]", "hydrogenated", "C(#Cc1ccccc1)C1CC1>>c1ccc(CCC2CC2)cc1"},
		{"primary amide formation", "{acid}>>[*:1]-[C:2](=[O:3])-N", "amine, hydrazine, amidine, thiol, acid, oxime, alkyl bromide, alkyl chloride, activated halide, remote acceptor, phenyl ester, aldehyde, epoxide", "OC(=O)c1ccccc1>>NC(=O)c1ccccc1"},
		{"azide from a halide", "{alkyl bromide}>>[C:1]-N=[N+]=[N-]", "amine, hydrazine, thiol, alkyne, azide, electrophiles", "BrCc1ccccc1>>[N-]=[N+]=NCc1ccccc1"},
	}
}

// expanded returns the reaction SMARTS of the entry.
func (e entry) expanded() string {
	var b strings.Builder
	for rest := e.smarts; ; {
		before, after, ok := strings.Cut(rest, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, left, _ := strings.Cut(after, "}")
		b.WriteString(roles[name])
		rest = left
	}
}
