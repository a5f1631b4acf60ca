package notation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/notation"
)

func TestParts(t *testing.T) {
	for _, test := range []struct {
		text, frame, kept string
		chains            string // with blanks between residues
		more              bool
	}{
		{"KWKL", "????", "", "K W K L", false},
		{"Ac-KWkL-NH2", "????", "Ac--NH2", "K W k L", true},
		{"EVQL/DIQMT", "????/?????", "/", "E V Q L|D I Q M T", true},
		{"FGGW[β-Ala]I-NH2", "??????", "-NH2", "F G G W [β-Ala] I", true},
		{"H[Aib]EGT[K(PEG2-PEG2-gGlu-C18-OH)]S", "???????", "", "H [Aib] E G T [K(PEG2-PEG2-gGlu-C18-OH)] S", true},
		{"cyclo(RGDf[NMe]V)", "?????", "cyclo()", "R G D f [NMe]V", true},
		{"c[RGDfK]", "?????", "c[]", "R G D f K", true},
		{"H[Aib]EGT[Lys(Ac)]-NH2", "??????", "-NH2", "H [Aib] E G T [Lys(Ac)]", true},
		{"H[Aib]EGT/DIQMT", "?????/?????", "/", "H [Aib] E G T|D I Q M T", true},
		{"FITC-Ahx-RRRA-NH2", "????", "FITC-Ahx--NH2", "R R R A", true},
		{"5(6)-FAM-RQIKIW-CONH2", "??????", "5(6)-FAM--CONH2", "R Q I K I W", true},
		{"5,6-Carboxyfluorescein-Ahx-rrrr-OH", "????", "5,6-Carboxyfluorescein-Ahx--OH", "r r r r", true},
		{"FITC-(β-Ala)-KWKL-NH2", "????", "FITC-(β-Ala)--NH2", "K W K L", true},
		{"FITC-β-Ala-KWKL-NH2", "????", "FITC-β-Ala--NH2", "K W K L", true},
		{"Biotin-(PEG)4-KWKL", "????", "Biotin-(PEG)4-", "K W K L", true},
		{"Biotin-GSGSGS-RGDK-OH", "????", "Biotin-GSGSGS--OH", "R G D K", true}, // a linker, though longer
		{"FAM-KRRR-K(TAMRA)-NH2", "????", "FAM--K(TAMRA)-NH2", "K R R R", true},
		{"KRRR-Ahx-C(5-FAM)-NH2", "????", "-Ahx-C(5-FAM)-NH2", "K R R R", true},
		{"GRKKRRQRRRPPQ-GSC-NH2", "?????????????", "-GSC-NH2", "G R K K R R Q R R R P P Q", true},
		{"TAMRA-RGD-NH2", "???", "TAMRA--NH2", "R G D", true}, // a label, though of letters of amino acids and longer
		{"Biotin-Ahx-c(RGDfK)", "?????", "Biotin-Ahx-c()", "R G D f K", true},
		{"cyclo-(RGDfK)", "?????", "cyclo-()", "R G D f K", true},
		{"H2N-KWKL-COOH", "????", "H2N--COOH", "K W K L", true},
		{"NH2-[Aib]WKL-CO2H", "????", "NH2--CO2H", "[Aib] W K L", true},
		{"Ac-KWKL-Cys-Ahx-Lys(FITC)-NH2", "????", "Ac--Cys-Ahx-Lys(FITC)-NH2", "K W K L", true},
		{"H-Tyr-D-Ala-Gly-Phe-Met-NH2", "", "H-Tyr-D-Ala-Gly-Phe-Met-NH2", "", false}, // words
		{"H-A-[Aib]-G-K-NH2", "", "H-A-[Aib]-G-K-NH2", "", false},
		{"ACDEF-GHIKL-MNPQR", "", "ACDEF-GHIKL-MNPQR", "", false}, // a list
		{"[C][C][N]", "???", "", "[C] [C] [N]", false},            // no letters
		{"[C][=O]", "", "[C][=O]", "", false},
		{"two words", "", "two words", "", false},
		{"5(6)-FAM-Ahx-RRLRR-CONH2", "?????", "5(6)-FAM-Ahx--CONH2", "R R L R R", true},
		{"FAM-GSG-RRLRRR-K(TAMRA)-NH2", "??????", "FAM-GSG--K(TAMRA)-NH2", "R R L R R R", true},
		{"RRLRR-GSG-Biotin-NH2", "?????", "-GSG-Biotin-NH2", "R R L R R", true},
		{"H-(Aib)-EGTFTSD-OH", "", "H-(Aib)-EGTFTSD-OH", "", false}, // a residue
		{"FAM-one thing-RRLRR-NH2", "", "FAM-one thing-RRLRR-NH2", "", false},
	} {
		_, more, _ := notation.ReadParts(test.text)
		p := notation.PartsOf(test.text)
		var chains []string
		for _, c := range p.Chains() {
			chains = append(chains, strings.Join(c, " "))
		}
		if got := strings.Join(chains, "|"); p.Frame() != test.frame || p.Kept() != test.kept || got != test.chains || more != test.more {
			t.Errorf("%s: frame %s, kept %s, chains %s, more than letters: %t; want %s, %s, %s, %t", test.text, p.Frame(), p.Kept(), got, more, test.frame, test.kept, test.chains, test.more)
		}
		if got := p.With(p.Chains()); got != test.text {
			t.Errorf("%s with its own chains is %s", test.text, got)
		}
	}
	p := notation.PartsOf("Ac-KW/RA-NH2")
	if got := p.With([][]string{{"[Aib]"}, {"R", "R", "A"}}); got != "Ac-[Aib]/RRA-NH2" || !slices.Equal(p.Letters(), []string{"K", "W", "R", "A"}) {
		t.Errorf("with other chains it is %s; letters %s", got, p.Letters())
	}
}

// Lower case is that of D residues among the letters of peptides, and not in any alphabet.
func TestHavePartsOfMixedCase(t *testing.T) {
	for _, test := range []struct {
		xs   []string
		want bool
	}{
		{[]string{"RrWQWRMKKLG", "RRWQWRMKKLG"}, true},
		{[]string{"RRWQWRMKKLG", "RRWQWRMKALG"}, false},
		{[]string{"AaCcDD", "AaCCDD", "AACcDF"}, false},
		{[]string{"AACCtGGA", "AACCTGGA"}, false},
		{[]string{"Parts", "Words"}, false},
	} {
		if got := notation.HaveParts(test.xs); got != test.want {
			t.Errorf("%q: %t, want %t", test.xs, got, test.want)
		}
	}
}

// Phosphorylated residues are told from D-proline.
func TestPhosphorylated(t *testing.T) {
	for _, test := range []struct {
		all  []string
		want string
	}{
		{[]string{"Ac-RRASLPA-NH2", "Ac-RRApSLPA-NH2"}, "Ac-RRApSLPA-NH2"}, {[]string{"Ac-RRApSLpA-NH2"}, ""}, {[]string{"Ac-RR[pS]LPA-NH2"}, ""},
		{[]string{"Ac-RrApSLPA-NH2"}, ""}, {[]string{"KWKL"}, ""}, {nil, ""},
	} {
		if got := notation.Phosphorylated(test.all); got != test.want {
			t.Errorf("%v: %q, want %q", test.all, got, test.want)
		}
	}
}

// Of sequences with ends those that are not read are told from the others.
func TestUnread(t *testing.T) {
	for _, test := range []struct {
		all        []string
		x, residue string
	}{
		{[]string{"Ac-GLFDIVK-NH2", "Ac-GLFDIVO-NH2"}, "Ac-GLFDIVO-NH2", "O"},
		{[]string{"Ac-GLFDIVK-NH2", "Ac-GLF(Orn)VK-NH2"}, "Ac-GLF(Orn)VK-NH2", "(Orn)"},
		{[]string{"Ac-GLFDIVK-NH2", "Ac-GLF{Orn}VK-NH2"}, "Ac-GLF{Orn}VK-NH2", "{Orn}"},
		{[]string{"FITC-Ahx-GLFDIVK-NH2", "FITC-Ahx-GLF(Orn)VK-NH2"}, "FITC-Ahx-GLF(Orn)VK-NH2", "(Orn)"},
		{[]string{"cyclo(RGDfK)", "cyclo(RGDXK)"}, "cyclo(RGDXK)", "X"},
		{[]string{"Ac-GLFDIVK-NH2", "Ac-GLF[Orn]VK-NH2"}, "", ""},
		{[]string{"KWKL", "KW(Orn)L"}, "", ""},
	} {
		if x, residue := notation.Unread(test.all); x != test.x || residue != test.residue {
			t.Errorf("%s: %q in %q, want %q in %q", test.all, residue, x, test.residue, test.x)
		}
	}
}

// Blanks around what separates chains are no part of them; other lists with blanks stay.
func TestJoinChains(t *testing.T) {
	for text, want := range map[string]struct {
		joined string
		chains int
	}{
		"EVQLVESGG / DIQMTQS": {"EVQLVESGG/DIQMTQS", 2}, "EVQLVESGG :DIQMTQS: KWKLFKK": {"EVQLVESGG:DIQMTQS:KWKLFKK", 3}, "EVQLVESGG/DIQMTQS": {"EVQLVESGG/DIQMTQS", 2},
		"HEAT / SPIN": {"HEAT / SPIN", 0}, "EVQLVESGG": {"EVQLVESGG", 0}, "two / words": {"two / words", 0},
	} {
		joined := notation.JoinChains(text)
		if n := notation.ChainsOf(joined); joined != want.joined || n != want.chains {
			t.Errorf("%s: %s of %d chains, want %s of %d", text, joined, n, want.joined, want.chains)
		}
	}
}
