package reaction

// activator is a group that makes a fluorine beside or opposite it leave. Acids are none, and neither are amides with
// NH: bases make anions of them.
const activator = `[$([NX3+](=O)[O-]),$(C#N),$([CX3;!$(C-[$([OX2H1]),OX1-,$([NX3;!H0])])]=O),$([SX4;!$(S-[OX2H1,OX1-])](=O)=O)]`

// An azole whose tautomers react at different nitrogens is none of these roles unless one of the nitrogens hardly
// reacts: then that is excluded here, and Set.match finds one tautomer that fits. Others, such as benzotriazoles,
// purines and tetrazoles, give mixtures.
const (
	// crowded is an azole's NH beside a substituted carbon where a nitrogen of its other tautomer is beside none, and
	// takes an aryl group instead.
	crowded = `$([nH]1:[c;R1;H0]:c:[c;H1]:n:1),$([nH]1:[c;R1;H0]:[c;H1]:n:c:1),$([nH]1:[c;R1;H0]:n:[c;H1]:n:1)`

	// blocked is one beside a carbon with a group so large or electron-withdrawing that even an alkyl group goes to the
	// other nitrogen.
	blocked = `$([nH]1:` + blocking + `:c:[c;H1]:n:1),$([nH]1:` + blocking + `:[c;H1]:n:c:1),$([nH]1:` + blocking + `:n:[c;H1]:n:1)`

	blocking = `[c;R1;H0;$(c-[a,$([CX4;H0]),$([CX4](F)F),$([NX3+](=O)[O-])])]`

	// dull is N4 of a 1,2,4-triazole, N2 of a 3-substituted indazole, N9 of a xanthine, the NH of a lactam that oxygen
	// or carbon rivals, and that of a urea with two.
	dull = `$([nH]1:c:n:n:c:1),$([nH]1:n:c2:c(:[c;H0]:1):a:a:a:[cH,n]:2),$([nH]1:c(=[O,S]):c:a:a:1),$([nH]1:a:c(=[O,S]):a:a:1),$([nH]:c(=[O,S]):[nH]),$([nH]1:c:n:c2:c:1:n:c(=O):n:c2=O)`

	// indazole2 is N2 of an indazole, which copper leaves alone.
	indazole2 = `$([nH]1:n:c2:c(:c:1):a:a:a:a:2)`

	// lactam is the NH of a pyridone or a like ring that reacts rather than its oxygen: beside the carbonyl group and
	// no other substituent, or opposite.
	lactam = `$([nH;r6](:c=O):[c;H1]),$([nH;r6](:c=O):n),$([nH;r6](:c=O):[c;R2]),$([nH;r6](:c=O):c=O),$([nH]1:[c;H1]:c:c(=O):c:[c;H1]:1),$([nH]1:[c;H1]:c:c(=O):[c;R2]:[c;R2]:1)`

	// pyrimidinone is the NH of a pyrimidin-4-one. The other nitrogen reacts, too, unless a ring is fused to it.
	pyrimidinone = `$([nH]1:c:[nX2]:[c;R1]:[c;R1]:c1=O)`
)

// weak is a nitrogen that takes no acid that a coupling reagent activates: of anilines with strong acceptors, or with a
// nitrile or trifluoromethyl beside.
const weak = `$(N-c:c-` + withdrawing + `),$(N-c:c:c:c-` + withdrawing + `),$(N-c(:[n;r6]):[n;r6]),$(N(-c)-[CX4]-[$(C#N),$(C(F)(F)F)])`

// idle is a nitrogen on a ring that takes its electrons: of 2-aminopyrimidines, aminotriazines, 2-aminothiazoles and
// 2-aminoimidazoles.
const idle = `$(N-c(:[n;r6]):[n;r6]),$(N-c(:[nX2]):[s,o,n;r5])`

// inert is one that takes no heteroaryl halide either, without palladium: idle and weak ones, and 2- and
// 4-aminopyridines and the like.
const inert = idle + `,` + weak + `,$(N-c:[nX2]),$(N-c1:c:c:[n;r6]:c:c:1),$(N-c1:c:c:[n;r6]:c:n:1),$(N-c1:c:c:[n;r6]:n:c:1)`

const withdrawing = `[$([NX3+](=O)[O-]),$(C#N),$([SX4](=O)(=O)([#6])[#6])]`

// roles are what reactants are in reactions, by the names that the catalogue calls them in braces. Numbers of
// electrophiles and of what is transformed are below 10, those of nucleophiles from 10 on, so that any two can meet. A
// role has no groups that would react in its place or with the reagents: an acid is no carbamic acid, an amine no
// amide.
var roles = map[string]string{
	"acid":              `[#6:1][CX3:2](=[OX1:3])[OX2H1]`,
	"acyl chloride":     `[#6:1][CX3:2](=[OX1:3])[Cl]`,
	"ester":             `[#6:1][CX3:2](=[OX1:3])[OX2;H0;!R][CX4;H3,H2]`,
	"sulfonyl chloride": `[#6:1][SX4:2](=[OX1:3])(=[OX1:4])[Cl]`,
	"isocyanate":        `[#6:1][NX2:2]=[CX2:3]=[OX1:4]`,
	"isothiocyanate":    `[#6:1][NX2:2]=[CX2:3]=[SX1:4]`,
	"chloroformate":     `[#6:1][OX2:2][CX3:3](=[OX1:4])[Cl]`,
	"activated amine":   `[NX3;H2;+0;!$(N~[!#6]);!$(N-C=[O,S,N]);!$(N-C#N);!$(N-C=C);!$([` + idle + `]);!$([` + weak + `]):1]`, // by CDI
	"carbamoyl":         `[#6:1][NX3:2][CX3:3](=[OX1:4])[Cl]`,
	"aldehyde":          `[#6:1][CX3;H1:2]=[OX1:3]`,
	"ketone":            `[#6;!$(C=O):1][CX3:2](=[OX1:3])[#6;!$(C=O):4]`,
	"methylene ketone":  `[#6;!$(C=O):1][CX3:2](=[OX1])[CX4;H2,H3:3]`,
	"alkyl halide":      `[CX4;H2;$(C-[#6]);!$(C-[!#6;!Cl;!Br;!I]):1][Cl,Br,I]`,
	"alkyl bromide":     `[CX4;H2;$(C-[#6]);!$(C-[!#6;!Br;!I]):1][Br,I]`,
	"aryl halide":       `[c:1][Br,I]`,
	"azine chloride":    `[c;$(c:[n;r6]):1][Cl]`,
	"activated halide":  `[c;$(c:[n;r6]),$(c:c:c:[n;r6]),$(c(:n):s):1][F,Cl]`,
	"activated fluoride": `[c;$(c:c-` + activator + `),` +
		`$(c:c:c:c-` + activator + `):1][F]`,
	"fluorobenzaldehyde": `[c;$(c:c-[CX3;H1]=O),$(c:c:c:c-[CX3;H1]=O):1][F]`,
	"haloketone":         `[#6;!$(C=O):1][CX3:2](=[OX1:4])[CX4;H2,H1:3][Cl,Br]`,
	"epoxide":            `[CX4;r3:1]1[OX2;r3:2][CX4;H2;r3:3]1`,
	"acceptor":           `[CX3;H2:1]=[CX3;H1:2][$([CX3;!$(C-[OX2]c)](=O)[N,O,#6]),$(C#N),$([SX4](=O)=O):3]`,
	"nitrile":            `[#6:1][CX2:2]#[NX1:3]`,
	"azide":              `[#6:1][NX2:2]=[NX2+:3]=[NX1-:4]`,
	"nitro":              `[c:1][NX3+:2](=O)[O-]`,
	"diketone13":         `[#6:1][CX3:2](=[OX1])[CX4;H2,H1:3][CX3:4](=[OX1])[#6:5]`,
	"diketone14":         `[#6:1][CX3:2](=[OX1])[CX4:3][CX4:4][CX3:5](=[OX1])[#6:6]`,
	"ketonitrile":        `[#6:1][CX3:2](=[OX1])[CX4;H2:3][CX2:4]#[NX1:5]`,
	"secondary oh":       `[#6:1][CX4;H1:2]([#6:4])[OX2H1:3]`,
	"primary oh":         `[#6:1][CX4;H2:2][OX2H1:3]`,

	"amine":                `[NX3;H2,H1;+0;!$(N~[!#6]);!$(N-C=[O,S,N]);!$(N-C#N);!$(N-C=C);!$(N(c)c);!$([NX3;H1](-[CX4])-c:[n;r6]);!$([NX3;H1](-[CX4])-c:c:c:[n;r6]):11]`,
	"coupling amine":       `[NX3;H2,H1;+0;!$(N~[!#6]);!$(N-C=[O,S,N]);!$(N-C#N);!$(N-C=C);!$(N(c)c);!$([NX3;H1](-[CX4])-c:[n;r6]);!$([NX3;H1](-[CX4])-c:c:c:[n;r6]);!$([` + weak + `]):11]`,
	"ready amine":          `[NX3;H2,H1;+0;!$(N~[!#6]);!$(N-C=[O,S,N]);!$(N-C#N);!$(N-C=C);!$(N(c)c);!$([NX3;H1](-[CX4])-c:[n;r6]);!$([NX3;H1](-[CX4])-c:c:c:[n;r6]);!$([` + idle + `]):11]`,
	"alkyl amine":          `[NX3;H2,H1;+0;!$(N-[!$([CX4])]):11]`,
	"secondary amine":      `[NX3;H1;+0;!$(N-[!$([CX4])]):11]`,
	"primary amine":        `[NX3;H2;+0;!$(N~[!#6]);!$(N-C=[O,S,N]);!$(N-C#N);!$(N-C=C);!$(N(c)c);!$([` + idle + `]):11]`,
	"aniline":              `[NX3;H2,H1;+0;$(N-c);!$(N~[!#6]);!$(N-C=[O,S,N]);!$(N-C#N);!$(N(c)c):11]`,
	"nucleophilic aniline": `[NX3;H2;+0;$(N-c);!$([` + inert + `]):11]`,
	"nucleophilic amine":   `[NX3;H2,H1;+0;!$(N-[!$([CX4])]);!$(N-[CX4]-[$(C#N),$(C(F)(F)F)]):11]`,
	"azole":                `[nX3;H1;+0;r5;!$([` + dull + `]);!$([` + blocked + `]):11]`,
	"arylated azole":       `[nX3;H1;+0;r5;!$([` + dull + `]);!$([` + crowded + `]):11]`,
	"azole or pyridone":    `[nX3;H1;+0;$([nH;r5;!$([` + dull + `]);!$([` + crowded + `])]),$([` + lactam + `]);!$([` + pyrimidinone + `]):11]`,
	"azole for copper":     `[nX3;H1;+0;$([nH;r5;!$([` + dull + `]);!$([` + crowded + `]);!$([` + indazole2 + `])]),$([` + lactam + `]);!$([` + pyrimidinone + `]):11]`,
	"pyridone":             `[nX3;H1;+0;$([` + lactam + `]);!$([` + pyrimidinone + `]):11]`,
	"tetrazole":            `[n:14]1:[n:15]:[n:16]:[c;$(c-[#6]):12]:[nH:11]:1`,
	"acidic azole":         `[nX3;H1;+0;r5;!$([` + dull + `]);!$([` + blocked + `]);$(n1:[nX2]:*:*:*1),$(n1:*:[nX2]:*:*1):11]`, // not pyrrole and indole
	"amide":                `[NX3;H2,H1;+0;$(N-[CX3](=O)[#6]);!$(N(-C=O)-[C,S]=O):11]`,
	"imide":                `[NX3;H1;+0;$(N(C=O)C=O):11]`,
	"sulfonamide":          `[NX3;H1;+0;$(N([#6])[SX4](=O)=O);!$(NC=O):11]`,
	"free sulfonamide":     `[NX3;H2;+0;$(N[SX4](=O)=O):11]`,
	"alcohol":              `[CX4;!H0;!$(C([O,N,S])[O,N,S]):12][OX2H1:11]`,
	"phenol":               `[c:12][OX2H1:11]`,
	"thiol":                `[#6;!$(C=[O,S,N]):12][SX2H1:11]`,
	"boronic":              `[c,$([CX3]=[CX3]):11]-!@[BX3]([OX2])[OX2]`,
	"alkyne":               `[CX2;H1:11]#[CX2:12][#6:13]`,
	"alkene":               `[CX3;H2:11]=[CX3;H1:12][c,$([CX3](=O)[O,N]),$(C#N):13]`,
	"diamine":              `[NX3;H2;+0:11][c:12]:[c:13][NX3;H2;+0:14]`,
	"substituted diamine":  `[NX3;H2;+0:11][c:12]:[c:13][NX3;H1;+0;!$(N-[!#6]);!$(N-C=[O,S,N]):14]`,
	"aminophenol":          `[NX3;H2;+0:11][c:12]:[c:13][OX2H1:14]`,
	"aminothiophenol":      `[NX3;H2;+0:11][c:12]:[c:13][SX2H1:14]`,
	"aminoketone":          `[NX3;H2;+0:11][c:12]:[c:13][CX3;H1,$(C(=O)([#6])[#6]):14]=[OX1]`,
	"anthranilic acid":     `[NX3;H2;+0:11][c:12]:[c:13][CX3:14](=[OX1:15])[OX2H1]`,
	"anthranilamide":       `[NX3;H2;+0:11][c:12]:[c:13][CX3:14](=[OX1:15])[NX3;H2:16]`,
	"aminoazine":           `[NX3;H2;+0:11][c;r6:12]:[n;r6;H0;+0:13]`,
	"amidine":              `[#6:11][CX3:12](=[NX2;H1:13])[NX3;H2:14]`,
	"amidoxime":            `[#6:11][CX3:12](=[NX2:13][OX2H1:14])[NX3;H2:15]`,
	"hydrazide":            `[#6:11][CX3:12](=[OX1:13])[NX3;H1:14][NX3;H2:15]`,
	"thioamide":            `[#6:11][CX3:12](=[SX1:13])[NX3;H2:14]`,
	"thiourea":             `[NX3;!$(N-[!#6]):11][CX3:12](=[SX1:13])[NX3;H2:14]`,
	"hydrazine":            `[NX3;H2:11][NX3;H1;!$(N-C=[O,S,N]):12][#6:13]`,
	"arylhydrazine":        `[NX3;H2][NX3;H1:11][c:12]:[c;H1:13]`,
	"tryptamine":           `[c;H1;$(c1[n]c2ccccc2c1):11]:[c:12][CX4:13][CX4:14][NX3;H2:15]`,
}
