package guacamol

import (
	"math"

	"github.com/invbo/invbo/molecule/access"
)

// Task is an objective for molecules. Higher scores are better, unless Lower says otherwise.
type Task struct {
	Name     string  // abbreviation in the literature: med2
	Title    string  // name in GuacaMol: Median molecules 2
	About    string  // what a good molecule is, in a few words
	Min, Max float64 // bounds of the score, inclusive; infinite if it has none

	Lower bool // lower scores are better

	Components []string // names of the numbers from 0 to 1 whose geometric mean the score is; nil: it is no such mean

	score func() measure
	parts func() []measure // in place of score, where there are Components
}

// The target drugs of tasks.
const (
	albuterol    = "CC(C)(C)NCC(O)c1ccc(O)c(CO)c1"
	amlodipine   = `Clc1ccccc1C2C(=C(/N/C(=C2/C(=O)OCC)COCCN)C)\C(=O)OC`
	aripiprazole = "Clc4cccc(N3CCN(CCCCOc2ccc1c(NC(=O)CC1)c2)CC3)c4Cl"
	camphor      = "CC1(C)C2CCC1(C)C(=O)C2"
	celecoxib    = "CC1=CC=C(C=C1)C1=CC(=NN1C1=CC=C(C=C1)S(N)(=O)=O)C(F)(F)F"
	fexofenadine = "CC(C)(C(=O)O)c1ccc(cc1)C(O)CCCN2CCC(CC2)C(O)(c3ccccc3)c4ccccc4"
	menthol      = "CC(C)C1CCC(C)CC1O"
	mestranol    = "COc1ccc2[C@H]3CC[C@@]4(C)[C@@H](CC[C@@]4(O)C#C)[C@@H]3CCc2c1"
	osimertinib  = "COc1cc(N(C)CCN(C)C)c(NC(=O)C=C)cc1Nc2nccc(n2)c3cn(C)c4ccccc34"
	perindopril  = "O=C(OCC)C(NC(C(=O)N1C(C(=O)O)CC2CCCCC12)C)CCC"
	ranolazine   = "COc1ccccc1OCC(O)CN2CCN(CC(=O)Nc3c(C)cccc3C)CC2"
	sildenafil   = "CCCC1=NN(C2=C1N=C(NC2=O)C3=C(C=CC(=C3)S(=O)(=O)N4CCN(CC4)C)OCC)C"
	sitagliptin  = "Fc1cc(c(F)cc1F)CC(N)CC(=O)N3Cc2nnc(n2CC3)C(F)(F)F"
	tadalafil    = "O=C1N(CC(N2C1CC3=C(C2C4=CC5=C(OCO5)C=C4)NC6=C3C=CC=C6)=O)C"
	thiothixene  = "CN(C)S(=O)(=O)c1ccc2Sc3ccccc3C(=CCCN4CCN(C)CC4)c2c1"
	troglitazone = "Cc1c(C)c2OC(C)(COc3ccc(CC4SC(=O)NC4=O)cc3)CCc2c(C)c1O"
	zaleplon     = "O=C(C)N(CC)C1=CC=CC(C2=CC=NC3=C(C=NN23)C#N)=C1"

	// sitagliptinIsomer is the molecule that GuacaMol's Valsartan SMARTS uses in place of sitagliptin.
	sitagliptinIsomer = "NC(CC(=O)N1CCn2c(nnc2C(F)(F)F)C1)Cc1cc(F)c(F)cc1F"

	// hopStart is the reference of the hop tasks, a kinase inhibitor with a quinazoline scaffold and decorations.
	hopStart       = "CCCOc1cc2ncnc(Nc3ccc4ncsc4c3)c2cc1S(=O)(=O)C(C)(C)C"
	hopScaffold    = "[#7]-c1n[c;h1]nc2[c;h1]c(-[#8])[c;h0][c;h1]c12"
	hopSulfone     = "CS([#6])(=O)=O"
	hopThiazole    = "[#7]-c1ccc2ncsc2c1"
	hopDecorations = "[#6]-[#6]-[#6]-[#8]-[#6]~[#6]~[#6]~[#6]~[#6]-[#7]-c1ccc2ncsc2c1"
)

// Tasks returns all tasks: the 20 of GuacaMol's goal-directed suite, version 2, in its order (Brown et al. 2019), then
// qed, the isomers that PMO has in place of C11H24 (Gao et al. 2022), sa and logp. Targets, queries and constants are
// those of BenevolentAI's guacamol (MIT licence).
func Tasks() []Task {
	suite := []Task{
		{Name: "celecoxib_rediscovery", Title: "Celecoxib rediscovery", About: "celecoxib itself", score: func() measure { return similarity(ecfp4, celecoxib) }},
		{Name: "troglitazone_rediscovery", Title: "Troglitazone rediscovery", About: "troglitazone itself", score: func() measure { return similarity(ecfp4, troglitazone) }},
		{Name: "thiothixene_rediscovery", Title: "Thiothixene rediscovery", About: "thiothixene itself", score: func() measure { return similarity(ecfp4, thiothixene) }},
		{Name: "aripiprazole_similarity", Title: "Aripiprazole similarity", About: "like aripiprazole", score: func() measure { return upTo(0.75, similarity(ecfp4, aripiprazole)) }},
		{Name: "albuterol_similarity", Title: "Albuterol similarity", About: "like albuterol in its pharmacophores", score: func() measure { return upTo(0.75, similarity(fcfp4, albuterol)) }},
		{Name: "mestranol_similarity", Title: "Mestranol similarity", About: "like mestranol in its atom pairs", score: func() measure { return upTo(0.75, similarity(atomPairs, mestranol)) }},
		{Name: "isomers_c11h24", Title: "C11H24", About: "an isomer of C11H24", score: func() measure { return isomer("C11H24") }},
		{Name: "isomers_c9h10n2o2pf2cl", Title: "C9H10N2O2PF2Cl", About: "an isomer of C9H10N2O2PF2Cl", score: func() measure { return isomer("C9H10N2O2PF2Cl") }},
		{Name: "med1", Title: "Median molecules 1", About: "like camphor and menthol at once", score: func() measure { return similarity(ecfp4, menthol, camphor) }},
		{Name: "med2", Title: "Median molecules 2", About: "like tadalafil and sildenafil at once", score: func() measure { return similarity(ecfp6, tadalafil, sildenafil) }},
		{
			Name: "osmb", Title: "Osimertinib MPO", About: "like osimertinib in its pharmacophores but not otherwise, more polar",
			Components: []string{"similarity_FCFP4", "similarity_ECFP6", "tpsa", "logp"},
			parts: func() []measure {
				return []measure{
					upTo(0.8, similarity(fcfp4, osimertinib)),
					atMost(0.85, 0.1, similarity(ecfp6, osimertinib)),
					atLeast(100, 10, tpsa),
					atMost(1, 1, logP),
				}
			},
		},
		{
			Name: "fexo", Title: "Fexofenadine MPO", About: "like fexofenadine, more polar",
			Components: []string{"similarity_AP", "tpsa", "logp"},
			parts: func() []measure {
				return []measure{
					upTo(0.8, similarity(atomPairs, fexofenadine)),
					atLeast(90, 10, tpsa),
					atMost(4, 1, logP),
				}
			},
		},
		{
			Name: "rano", Title: "Ranolazine MPO", About: "like ranolazine, with higher logP, more polar, and with a fluorine",
			Components: []string{"similarity_AP", "logp", "fluorines", "tpsa"},
			parts: func() []measure {
				return []measure{
					upTo(0.7, similarity(atomPairs, ranolazine)),
					atLeast(7, 1, logP),
					near(1, 1, fluorines),
					atLeast(95, 20, tpsa),
				}
			},
		},
		{Name: "pdop", Title: "Perindopril MPO", About: "like perindopril, with two aromatic rings", Components: []string{"similarity_ECFP4", "aromatic_rings"}, parts: func() []measure { return []measure{similarity(ecfp4, perindopril), near(2, 0.5, aromaticRings)} }},
		{Name: "adip", Title: "Amlodipine MPO", About: "like amlodipine, with three rings", Components: []string{"similarity_ECFP4", "rings"}, parts: func() []measure { return []measure{similarity(ecfp4, amlodipine), near(3, 0.5, rings)} }},
		{
			Name: "siga", Title: "Sitagliptin MPO", About: "with sitagliptin's formula, logP and polarity, but unlike it",
			Components: []string{"similarity_ECFP4", "logp", "tpsa", "formula"},
			parts: func() []measure {
				return []measure{
					near(0, 0.1, similarity(ecfp4, sitagliptin)),
					nearThatOf(sitagliptin, 0.2, logP),
					nearThatOf(sitagliptin, 5, tpsa),
					isomer("C16H15F6N5O"),
				}
			},
		},
		{Name: "zale", Title: "Zaleplon MPO", About: "like zaleplon, with the formula C19H17N3O2", Components: []string{"similarity_ECFP4", "formula"}, parts: func() []measure { return []measure{similarity(ecfp4, zaleplon), isomer("C19H17N3O2")} }},
		{
			Name: "valt", Title: "Valsartan SMARTS", About: "with valsartan's core, and sitagliptin's logP, polarity and complexity",
			Components: []string{"core", "logp", "tpsa", "complexity"},
			parts: func() []measure {
				return []measure{
					has("CN(C=O)Cc1ccc(c2ccccc2)cc1"),
					nearThatOf(sitagliptinIsomer, 0.2, logP),
					nearThatOf(sitagliptinIsomer, 5, tpsa),
					nearThatOf(sitagliptinIsomer, 30, bertz),
				}
			},
		},
		{
			Name: "dhop", Title: "Deco Hop", About: "a quinazoline with other decorations but the same pharmacophore",
			score: func() measure {
				return arithmetic(
					upTo(0.85, similarity(pharmacophore, hopStart)),
					lacks(hopSulfone),
					lacks(hopThiazole),
					has(hopScaffold),
				)
			},
		},
		{
			Name: "shop", Title: "Scaffold Hop", About: "a quinazoline's decorations and pharmacophore on another scaffold",
			score: func() measure {
				return arithmetic(
					upTo(0.75, similarity(pharmacophore, hopStart)),
					has(hopDecorations),
					lacks(hopScaffold),
				)
			},
		},
		{Name: "qed", Title: "QED", About: "drug-like (Bickerton et al. 2012)", score: func() measure { return qed }},
		{Name: "isomers_c7h8n2o2", Title: "C7H8N2O2", About: "an isomer of C7H8N2O2", score: func() measure { return isomer("C7H8N2O2") }},
	}
	for i := range suite {
		suite[i].Max = 1
	}
	return append(suite, Task{
		Name: "sa", Title: "SA score", About: "easy to make, by the synthetic accessibility score (Ertl & Schuffenhauer 2009): lower is better", Lower: true,
		Min: 1, Max: 10,
		score: func() measure { return access.Score },
	}, Task{
		Name: "logp", Title: "logP", About: "lipophilic, by Crippen's logP (without penalties)",
		Min: math.Inf(-1), Max: math.Inf(1),
		score: func() measure { return logP },
	})
}
