package notation_test

import (
	"testing"

	"github.com/invbo/invbo/internal/table/notation"
)

// Sequences with codes among their letters are told from SMILES and other strings.
func TestCoded(t *testing.T) {
	for text, want := range map[string]bool{
		"CLVISGSC (disulfide)": true, "QLHpTPTNY": true, "Biotin-YMNCIPDWH-amide": true, "+T+A+Gtgttaaatct+T+C+T": true, "K(Ac)RGDfK": true, "GATTACA": false, "gattaca": false,
		"Ac-DT(R8)FEQYWA-NH2": true, "H-(Aib)-EGTFTSDVSSYLEGQ-OH": true, "/5BiosG/ACGTACGT": true, "mUfUmCfGmA-chol": true, "(invAb)sasCfsaGfaAfL96": true,
		"KWKLFKK": false, "CC(C)CN": false, "CCN(CC)C(=O)NCC": false, "[C][C][N]": false, "x+sin(x)": false, "apple": false,
	} {
		if got := notation.Coded([]string{text, text}) == text; got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
	for _, test := range []struct {
		all  []string
		want string
	}{
		{[]string{"QLHTPTNY", "QLHpTPTNY", "AVFYPCKC"}, "QLHpTPTNY"}, // a few
		{[]string{"FITC-Ahx-YPWAGVPHH", "Biotin-YMNCIPDWH-amide"}, "FITC-Ahx-YPWAGVPHH"},
		{[]string{"KWKLFKK", "KWKL"}, ""}, {[]string{"QLHpTPTNY", "x + y"}, ""}, {nil, ""},
	} {
		if got := notation.Coded(test.all); got != test.want {
			t.Errorf("%v: %q, want %q", test.all, got, test.want)
		}
	}
	for text, want := range map[string]bool{"PEPTIDE1{A.C.D}$$$$": true, "RNA1{R(A)P.R(C)P}$$$$V2.0": true, "PEPTIDE": false, "CHEM1": false} {
		if got := notation.HaveHELM([]string{text, text, "KWKL"}); got != want {
			t.Errorf("%s is HELM: %t", text, got)
		}
	}
}

func TestHaveWordsOrCodes(t *testing.T) {
	for _, test := range []struct {
		text         string
		words, codes bool
	}{
		{"H-Aib-Glu-Phe-Thr-αMePhe-Nle-Lys(C18-gGlu-2xOEG)-NH2", true, true},
		{"[dF]-A-E-G-V-am", true, false},
		{"H-Tyr-c[D-Pen-Gly-Phe-D-Cys]-OH", true, true},
		{"His1-Ala2-Glu3-Gly4", false, true},
		{"Ac-Cys-Tyr-Thr-Thr-NH2; cyclic (1-6)", false, true},
		{"H_A_E_G_T_Aib_D_D", false, true},
		{"H.A.E.G.T.Aib.D.D", false, true},
		{"lr-0.1-adam", false, false},
		{"blue-green-red-cyan", false, false},
		{"Arginine and Glycine", false, false},
	} {
		xs := []string{test.text, test.text}
		if words, codes := notation.HaveWords(xs), notation.HaveCodes(xs) != ""; words != test.words || codes != test.codes {
			t.Errorf("%s: words %t and codes %t, want %t and %t", test.text, words, codes, test.words, test.codes)
		}
	}
}

// HELM of other chains or bonds than most is told from HELM with other monomers.
func TestOddHELM(t *testing.T) {
	linear := []string{"PEPTIDE1{H.[Aib].E}$$$$", "PEPTIDE1{H.A.E}$$$$", "PEPTIDE1{H.[dA].E}$$$$"}
	const ring = "PEPTIDE1{C.A.C}$PEPTIDE1,PEPTIDE1,1:R3-3:R3$$$"
	for _, test := range []struct {
		xs   []string
		want string
	}{{linear, ""}, {append(linear, ring), ring}, {append([]string{ring}, linear...), ring}, {[]string{"KWKL", "KWKK"}, ""}, {nil, ""}} {
		if got := notation.OddHELM(test.xs); got != test.want {
			t.Errorf("%q: %q, want %q", test.xs, got, test.want)
		}
	}
	for x, want := range map[string]string{"PEPTIDE1{H.A.E}$$$$V2.0": "PEPTIDE1{H.A.E}$$$$", "PEPTIDE1{H.A.E}$$$$": "PEPTIDE1{H.A.E}$$$$", "A$V2.0": "A$V2.0"} {
		if got := notation.WithoutVersion(x); got != want {
			t.Errorf("%s without its version is %s, want %s", x, got, want)
		}
	}
}

// Repeats of residues are told from SMILES, formulas of other elements and sequences.
func TestRepeated(t *testing.T) {
	for text, want := range map[string]bool{
		"(GGGGS)3": true, "(G4S)2": true, "A(EAAAK)4A": true, "(GGS)2P(GGS)2": true,
		"GGGGSGGGGS": false, "CC(C)CN": false, "CC(=O)NC1CC1": false, "Al2(SO4)3": false, "K(ac)RGD": false, "(GGGGS)": false,
	} {
		if got := notation.Repeated([]string{text, text}) == text; got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
	if got := notation.Repeated([]string{"(GGGGS)3", "GGGGS", "GGSGGS"}); got != "" {
		t.Errorf("%s, where most are sequences", got)
	}
}
