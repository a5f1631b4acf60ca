package reaction

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/molecule"
)

// group is a functional group that may react where it should not. Its SMARTS is one atom: that which reacts.
type group struct{ name, smarts string }

// acidifying is what makes a CH beside two of it an acid.
const acidifying = `[$([CX3;!$(C-[OX2H1,OX1-])]=[OX1]),$(C#N),$([SX4](=O)=O),$([SX3]=O),$([PX4]=O)]`

// haloalkyl is a carbon with a halide that leaves.
const haloalkyl = `[CX4;$(C-[Cl,Br,I]),$(C-[OX2][SX4](=O)(=O)[#6]);!$(C(Cl)(Cl)Cl);!$(C-F)]`

// groups are the functional groups that reactions name as competing ones.
var groups = []group{
	// Nucleophiles.
	{"amine", `[$([NX3;H2,H1;+0]),$([NX4;H3,H2;+]);!$(N-[!$([CX4])])]`}, // aliphatic
	{"aniline", `[NX3;H2,H1;+0;$(N-c);!$(N~[!#6]);!$(N-C=[O,S,N]);!$(N-C#N);!$(N(c)c)]`},
	{"alkylaniline", `[NX3;H1;+0;$(N(-c)-[CX4])]`},
	{"phenylenediamine", `[NX3;H2;$(N-c:c-[NX3;H2])]`}, // aldehydes close a ring with it
	{"diarylamine", `[NX3;H1;+0;$(N(c)c)]`},
	{"hydrazine", `[NX3;+0;$([NH2]-[#7,#8]),$([NH1](-[#7X3,#8X2])-[#6;!$(C=[O,S,N])])]`}, // hydrazides and hydroxylamines, too
	{"amidine", `[NX3;H2,H1;+0;$(N-[CX3]=[NX2]);!$(N-C=O);!$(N-S)]`},                     // guanidines and amidoximes, too
	{"thiol", `[$([SX2H1]),$([SX1;-])]`},
	{"azole", `[nX3;H1;+0;r5;$(n1:[nX2]:*:*:*1),$(n1:*:[nX2]:*:*1)]`},                      // pyrazole, imidazole, triazole, tetrazole; fused ones, too
	{"aminoazole", `[nX3;H1;+0;r5;$(n1:*(-[NX3;!H0]):*:*:*1),$(n1:*:*(-[NX3;!H0]):*:*1)]`}, // which takes an acyl group on the ring
	{"indole", `[nX3;H1;+0;r5;!$(n1:[nX2]:*:*:*1);!$(n1:*:[nX2]:*:*1)]`},
	{"pyridone", `[nX3;H1;+0;r6]`},
	{"phenol", `[OX2H1;$(O-c)]`},
	{"alcohol", `[OX2H1;$(O-[CX4])]`},
	{"acid", `[$([OX2H1]),$([OX1;-]);$(O-[CX3]=O),$(O-[SX4]=O),$(O-[PX4]=O)]`},
	{"fleeting acid", `[OX2H1;$(O-[CX3](=O)-[#7,#8]),$(O-[CX3](=O)-[CX4]-[CX3](=O)[#6,#1]),$(O-[CX3](=O)-[CX4]-[NX3+](=O)[O-])]`}, // carbamic, beta-keto and nitro acids lose carbon dioxide
	{"hemiaminal", `[OX2H1;$(O-[CX4]-[NX3])]`},
	{"oxime", `[OX2H1;$(O-[#7])]`}, // hydroxamic acids, too
	{"amide", `[NX3;H2,H1;+0;$(N-[CX3](=[O,S])[#6])]`},
	{"primary amide", `[NX3;H2;+0;$(N-[CX3]=[O,S])]`},
	{"carbamate", `[NX3;H2,H1;+0;$(N-[CX3](=[O,S])[#7,#8])]`}, // with an NH; ureas, too
	{"imide", `[NX3;H1;+0;$(N(C=O)C=O),$(N(C=O)S(=O)=O)]`},
	{"sulfonamide", `[NX3;H2,H1;+0;$(N-[SX4](=O)=O)]`},
	{"CH acid", `[$([CX4;!H0](` + acidifying + `)` + acidifying + `),$([CX4;!H0]-[NX3+](=O)[O-]),$([CX3;!$(C-[OX2H1])](=[CX3]-[OX2H1])-` + acidifying + `)]`}, // 1,3-dicarbonyl compounds and their enols
	{"haloalkyl NH", `[NX3;!H0;!$(N-C(=O)OC([CH3])([CH3])[CH3]);` + // closes a ring of three to six atoms with a base; Boc is too large
		`$(N-[#6;!$(C=O)]-` + haloalkyl + `),$(N-[#6]-[#6]-` + haloalkyl + `),$(N-[#6;!a]~[#6]~[#6]-` + haloalkyl + `),$(N-[#6]~[#6;!a]~[#6]-` + haloalkyl + `),$(N-[#6]~[#6]~[#6;!a]-` + haloalkyl + `),` + // not across a ring
		`$(N-C(=[O,S])-[#7,#8]-[CX4]-` + haloalkyl + `),$(N-C(=[O,S])-[#7,#8]-[CX4]-[CX4]-` + haloalkyl + `)]`},
	{"tertiary amine", `[NX3;H0;+0;!$(N-[!$([CX4])])]`},

	// Electrophiles.
	{"alkyl bromide", `[$([Br,I]-[CX4]),$([OX2](-[CX4])-[SX4](=O)(=O)[#6])]`}, // iodides and sulfonates, too
	{"alkyl chloride", `[Cl;$(Cl-[CX4;!$(C(Cl)(Cl)Cl);!$(C-F)])]`},
	{"activated halide", `[$([F,Cl,Br,I]-c(:[n;r6]):[n;r6]),$([F,Cl,Br,I]-c:[n;r6]:c:[n;r6]),$([F,Cl,Br,I]-c:[n;r6]:[n;r6]),$([F,Cl,Br,I]-c:c:[n;r6]:[n;r6]),` +
		`$([F,Cl,Br]-c(:[n;r6]):c-[$([NX3+](=O)[O-]),$(C#N)]),$([F,Cl,Br]-c(:[n;r6]):c:c:c-[$([NX3+](=O)[O-]),$(C#N)]),` +
		`$(F-c:c-[NX3+](=O)[O-]),$(F-c:c:c:c-[NX3+](=O)[O-]),$([SX4](=O)(=O)([CX4])-c(:[n;r6]):[n;r6])]`}, // of diazines; fluoronitroarenes
	{"halopyridine", `[F,Cl;$(*-c:[n;r6]),$(*-c:c:c:[n;r6]),$(*-c(:n):s)]`}, // in position 2 or 4
	{"acceptor", `[$([CX3;H2,H1;!$(C-[#7,#8,#16])]=[CX3]-[$([CX3]=[OX1]),$(C#N),$([SX4](=O)=O),$([NX3+](=O)[O-])]),$([CX2]#[CX2]-[CX3]=[OX1]);` +
		`!$([CX3](-c)=[CX3]-[CX3](=[OX1])[#7,#8]);!$([CX3](-c)=[CX3]-C#N)]`}, // of Michael additions; not cinnamic acid derivatives
	{"remote acceptor", `[$([CX3](=[CX3;H2,H1;!$(C-[#7,#8,#16]);!$(C-c)])-[$([CX3]=[OX1]),$(C#N),$([SX4](=O)=O),$([NX3+](=O)[O-])]),$([CX2](#[CX2])-[CX3]=[OX1])]`}, // not acrylic acid or chloride that reacts
	{"aldehyde", `[CX3;H1;$(C(=O)[#6])]`},
	{"ketone", `[CX3;$(C(=O)([#6])[#6])]`},
	{"epoxide", `[$([OX2;r3]),$([NX3;r3]),$([SX2;r3])]`}, // aziridines, too
	{"ester", `[CX3;$(C(=[OX1])([#6])[OX2][#6]),$([CH](=[OX1])[OX2][#6])]`},
	{"alkyl ester", `[CX3;$(C(=[OX1])([#6])[OX2;H0;!R][CX4;H3,H2])]`},
	{"lactone", `[CX3;r;$(C(=[OX1;!R])@[OX2]@[CX4])]`},                   // cyclic carbonates and carbamates, too
	{"phenyl ester", `[CX3;$(C(=[OX1])([#6,#8,$([NX3;H2,H1])])[OX2]c)]`}, // carbonates and carbamates with an NH, too
	{"carboxamide", `[CX3;$(C(=[OX1])([#6,#1])[#7])]`},
	{"N-imide", `[NX3;H0;$(N(C=O)C=O)]`}, // phthalimides
	{"nitrile", `[CX2;$(C(#[NX1])[#6])]`},

	// What couples, and what is reduced or oxidized.
	{"aryl halide", `[$([Br,I]-[c,$([CX3]=[CX3])]),$([OX2](-c)-S(=O)(=O)C(F)(F)F)]`}, // bromides, iodides, triflates
	{"aryl chloride", `[Cl;$(Cl-c)]`},
	{"boronic", `[BX3,BX4]`},
	{"alkyne", `[CX2;H1;$(C#[CX2])]`},
	{"triple bond", `[CX2;$(C#[CX2])]`},
	{"alkene", `[CX3;$(C=[CX3])]`},
	{"azide", `[NX2;$(N=[NX2+]=[NX1-])]`},
	{"nitro", `[NX3;$([NX3+](=O)[O-])]`},
	{"thioether", `[SX2;H0;$(S(-[#6])-[#6]),$(S-S)]`},
	{"benzyl", `[CX4;H2,H1;$(C(-c)-[OX2]),$(C(-c)-[NX3;+0;!$(N-[C,S]=O)])]`}, // on oxygen or amine nitrogen
	{"dialkylaniline", `[NX3;H0;$(N(-c)(-[CX4])-[CX4])]`},
	{"aryl ether", `[OX2;$(O(c)[CX4])]`},
	{"N-O bond", `[#8X2;$(O(-[#6])-[#7;+0]),$(o:n)]`},
	{"alkyl ether", `[OX2;$(O([CX4])[CX4])]`},
	{"acetal", `[CX4;$(C([OX2;H0])[OX2;H0]);!$(C(Oc)Oc)]`},
	{"methoxybenzyl", `[CX4;!R;$(C(-[OX2,$([NX3;H0]C=O)])-c1:c:c:c(-[OX2][CH3]):c:c1)]`}, // on oxygen, or on an amide without NH
	{"enol ether", `[CX3;$(C(=[CX3])-[OX2]-[CX4]);!$(C=O);!$(C=C-[$([CX3]=O),$(C#N)])]`},
	{"sulfinamide", `[SX3;$(S(=O)(-[#7])C([CH3])([CH3])[CH3])]`},
	{"tert-butyl ether", `[CX4;$(C([CH3])([CH3])([CH3])[OX2][#6;!$(C=O)])]`},

	// Protecting groups.
	{"Boc", `[CX3;$(C(=O)([#7,#8])OC([CH3])([CH3])[CH3])]`},
	{"tert-butyl ester", `[CX3;$(C(=O)([#6])OC([CH3])([CH3])[CH3])]`},
	{"Cbz", `[CX3;$(C(=O)([#7])O[CH2]c1ccccc1)]`},
	{"Fmoc", `[CX3;$(C(=O)([#7,#8])O[CH2][CH]1c2ccccc2-c2ccccc12)]`},
	{"trifluoroacetyl", `[CX3;$(C(=O)(-[#7])C(F)(F)F)]`},
	{"Alloc", `[CX3;$(C(=O)([#7])O[CH2][CH]=[CH2])]`},
	{"silyl", `[SiX4;$([Si]-[#7,#8])]`},
	{"trityl", `[CX4;$(C(c)(c)(c)[#7,#8,#16])]`},

	// What reacts with any of the nucleophiles.
	{"acyl halide", `[F,Cl,Br,I;$(*-[CX3]=[O,N,S])]`}, // chloroformates and carbamoyl chlorides, too
	{"isocyanate", `[CX2;$(C(=[NX2])=[O,S])]`},        // isothiocyanates, too
	{"anhydride", `[OX2;$(O([CX3]=O)[$([CX3]=O),$([NX3])])]`},
	{"sulfonyl halide", `[Cl,Br,I;$(*-[!#6])]`}, // any on a hetero atom
	{"chlorotriazine", `[F,Cl,Br;$(*-c1:n:*:n:*:n:1)]`},
}

// family is a name for several groups.
type family struct{ name, of string }

// families are groups that reactions name together.
var families = []family{
	{"nucleophiles", "amine, aniline, hydrazine, amidine, thiol"},
	{"electrophiles", "alkyl bromide, alkyl chloride, activated halide, acceptor, epoxide, phenyl ester"},
	{"NH and OH acids", "acid, phenol, azole, pyridone, imide, sulfonamide, oxime"},
	{"couplers", "aryl halide, activated halide, boronic, alkyne, alkyl bromide, alkyl chloride, thiol, azide, acceptor, hydrazine"},
	{"aminated", "aniline, diarylamine, amidine, azole, indole, pyridone, phenol, acid, primary amide, imide, sulfonamide, aldehyde, phenyl ester"},
	{"hydrogenated", "N-O bond, aryl halide, aryl chloride, activated halide, nitro, alkene, triple bond, azide, benzyl, Cbz, Alloc, nitrile, aldehyde, oxime, hydrazine, trityl, thiol, thioether, alkyl bromide, alkyl chloride, epoxide"},
	{"acid-labile", "Boc, tert-butyl ester, tert-butyl ether, acetal, enol ether, methoxybenzyl, sulfinamide, silyl, trityl"},
	{"base-labile", "Fmoc, trifluoroacetyl, haloalkyl NH"},
	{"hot", "acyl halide, isocyanate, anhydride, sulfonyl halide, chlorotriazine"},
	{"unfinished", "Boc, tert-butyl ester, Cbz, Fmoc, Alloc, silyl, trityl, boronic"}, // what no product has at the end
}

// quarrels are groups that react with each other, so that no molecule with both can be kept: any of the left with any
// of the right, which may be the same one that falls apart.
var quarrels = [][2]string{
	{"fleeting acid, hemiaminal", "fleeting acid, hemiaminal"},
	{"amine, hydrazine, thiol", "electrophiles, aldehyde"},
	{"aniline", "alkyl bromide, alkyl chloride"},
	{"hydrazine", "ketone"},
	{"nucleophiles, alcohol, azole", "hot"},
	{"acid, phenol", "acyl halide, isocyanate"},
}

// detours are the reactions that make what another one unmakes: what both give is better made without them.
var detours = map[string][]string{
	"aminolysis of an ester": {"esterification", "phenyl ester formation", "alkylation of an acid"},
	"ester hydrolysis":       {"esterification", "phenyl ester formation", "alkylation of an acid"},
}

// unprotecting are the reactions that remove protecting groups which are not among the leaving ones of a Set: outside
// of them a benzyl ether stays.
var unprotecting = []string{"debenzylation of an ether"}

// always are the groups that no reactant of a selective reaction has beside those that react.
const always = "hot"

// expand returns the names of groups in a list of groups and families, which commas separate. The error names one that
// is neither.
func expand(list string) (names []string, _ error) {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.Join(strings.Fields(name), " ")
		if i := slices.IndexFunc(families, func(f family) bool { return f.name == name }); i >= 0 {
			of, err := expand(families[i].of)
			if err != nil {
				return nil, err
			}
			names = append(names, of...)
			continue
		}
		for part := range strings.SplitSeq(name, "/") {
			if !slices.ContainsFunc(groups, func(g group) bool { return g.name == part }) {
				return nil, fmt.Errorf("unknown group %q; invbo reactions lists them", part)
			}
		}
		names = append(names, name)
	}
	return names, nil
}

// rival is a group that no reactant has beside the one that reacts.
type rival struct {
	group int // pattern in the Set
	where int // pattern of a group: the rival does harm only if one of its atoms reacts; -1: it always does
}

// group returns the number of the pattern of a group, which it adds.
func (s *Set) group(name string) int {
	i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
	p, err := s.pattern(groups[i].smarts)
	if err != nil {
		panic(fmt.Sprintf("group %s: %v", name, err)) // the tests compile all of them
	}
	return p
}

// groups returns the numbers of the patterns of a list of groups.
func (s *Set) groups(list string) (all []int) {
	names, err := expand(list)
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		all = append(all, s.group(name))
	}
	return all
}

// rivals returns what the groups of a list are in the set.
func (s *Set) rivals(list string) ([]rival, error) {
	names, err := expand(list + ", " + always)
	if err != nil {
		return nil, err
	}
	var all []rival
	for _, name := range names {
		name, where, conditional := strings.Cut(name, "/")
		r := rival{s.group(name), -1}
		if conditional {
			r.where = s.group(where)
		}
		all = append(all, r)
	}
	return all, nil
}

// disturbs reports whether the molecule has the rival at an atom that does not react.
func (r rival) disturbs(sites []molecule.Sites, reacting []int) bool {
	if r.where >= 0 && !slices.ContainsFunc(sites[r.where].Atoms, func(a int) bool { return slices.Contains(reacting, a) }) {
		return false
	}
	return slices.ContainsFunc(sites[r.group].Atoms, func(a int) bool { return !slices.Contains(reacting, a) })
}

// setQuarrels adds the pairs of groups that react with each other.
func (s *Set) setQuarrels() {
	for _, q := range quarrels {
		s.quarrels = append(s.quarrels, [2][]int{s.groups(q[0]), s.groups(q[1])})
	}
}

// unstable reports whether a molecule would react with itself.
func (s *Set) unstable(sites []molecule.Sites) bool {
	in := func(p int) bool { return sites[p].Different > 0 }
	return slices.ContainsFunc(s.quarrels, func(q [2][]int) bool { return slices.ContainsFunc(q[0], in) && slices.ContainsFunc(q[1], in) })
}
