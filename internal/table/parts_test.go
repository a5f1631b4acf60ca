package table

import (
	"slices"
	"strings"
	"testing"
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
		{"[C][C][N]", "???", "", "[C] [C] [N]", false}, // no letters
		{"[C][=O]", "", "[C][=O]", "", false},
		{"two words", "", "two words", "", false},
	} {
		_, more, _ := readParts(test.text)
		p := PartsOf(test.text)
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
	p := PartsOf("Ac-KW/RA-NH2")
	if got := p.With([][]string{{"[Aib]"}, {"R", "R", "A"}}); got != "Ac-[Aib]/RRA-NH2" || !slices.Equal(p.Letters(), []string{"K", "W", "R", "A"}) {
		t.Errorf("with other chains it is %s; letters %s", got, p.Letters())
	}
}

// Modified nucleic acids are split into nucleotides, whose modifications stay with them; other strings are none.
func TestModified(t *testing.T) {
	for text, want := range map[string]string{
		"mUfUmCfGmA": "mU fU mC fG mA", "mUsfUmC*fGmA": "mUs fU mC* fG mA", "usUfsgcAfadT": "us Ufs g c Af a dT", "asAfsugL96Af": "as Afs u g L96 Af",
		"moeUmoeCmoeGmoeAmoeA": "moeU moeC moeG moeA moeA",
		"ACGUAC":               "", "acguac": "", "KWKLFKK": "", "cuffs": "", "mUfU": "", "apple": "",
	} {
		got := ""
		if split := Modified([]string{text, text}); split != nil {
			got = strings.Join(split(text), " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Sequences with codes among their letters are told from SMILES and other strings.
func TestCoded(t *testing.T) {
	for text, want := range map[string]bool{
		"CLVISGSC (disulfide)": true, "QLHpTPTNY": true, "Biotin-YMNCIPDWH-amide": true, "+T+A+Gtgttaaatct+T+C+T": true, "K(Ac)RGDfK": true, "GATTACA": false, "gattaca": false,
		"Ac-DT(R8)FEQYWA-NH2": true, "H-(Aib)-EGTFTSDVSSYLEGQ-OH": true, "/5BiosG/ACGTACGT": true, "mUfUmCfGmA-chol": true, "(invAb)sasCfsaGfaAfL96": true,
		"KWKLFKK": false, "CC(C)CN": false, "CCN(CC)C(=O)NCC": false, "[C][C][N]": false, "x+sin(x)": false, "apple": false,
	} {
		if got := Coded([]string{text, text}) == text; got != want {
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
		if got := Coded(test.all); got != test.want {
			t.Errorf("%v: %q, want %q", test.all, got, test.want)
		}
	}
	for text, want := range map[string]bool{"PEPTIDE1{A.C.D}$$$$": true, "RNA1{R(A)P.R(C)P}$$$$V2.0": true, "PEPTIDE": false, "CHEM1": false} {
		if got := HaveHELM([]string{text, text, "KWKL"}); got != want {
			t.Errorf("%s is HELM: %t", text, got)
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
		if got := Phosphorylated(test.all); got != test.want {
			t.Errorf("%v: %q, want %q", test.all, got, test.want)
		}
	}
}

func TestHaveWords(t *testing.T) {
	for text, want := range map[string]bool{
		"Ac-Nle-Asp-D-Phe-Arg-NH2": true, "Ala-Gly": true, "H-Ala-OH": true, "well-known-state": false, "Ac-Nle-Aib-Asp-NH2": false, "KWKL": false, "a-b": false,
	} {
		if got := HaveWords([]string{text, text}); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestWords(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"H-D-Phe-Aib-Lys(Ac)-NH2", "H D-Phe Aib Lys(Ac) NH2"},
		{"cyclo(Arg-Gly-Asp-D-Phe-Lys)", "cyclo( Arg Gly Asp D-Phe Lys )"},
		{"cyclo[Arg-Gly-Asp]", "cyclo[ Arg Gly Asp ]"},
		{"cyclo-(Arg-Gly-Asp)", "cyclo-( Arg Gly Asp )"},
		{"cyclo(-Arg-Gly-Asp-)", "cyclo(- Arg Gly Asp -)"},
		{"H-Aib-Lys(C18-gGlu-2xOEG)-NH2", "H Aib Lys(C18-gGlu-2xOEG) NH2"},
		{"[dF]-A-E-G-am", "[dF] A E G am"},
		{"H-αMePhe-Thr-OH", "H αMePhe Thr OH"},
		{"H-Tyr-D", "H Tyr D"},
		{"H-Pro-L-Ala-N-Me-Val-Gly-D-Leu-OH", "H Pro L-Ala N-Me-Val Gly D-Leu OH"},
		{"Ac-β-Ala-γ-Glu-Aib-NH2", "Ac β-Ala γ-Glu Aib NH2"},
		{"cyclo[Leu-NMe-Phe-NMe-Phe-N-Me-D-Val]", "cyclo[ Leu NMe-Phe NMe-Phe N-Me-D-Val ]"},
		{"Ac-4-Cl-Phe-2-Nal-homo-Arg-beta-Ala-NH2", "Ac 4-Cl-Phe 2-Nal homo-Arg beta-Ala NH2"},
		{"H-A-D-L-N-F-OH", "H A D L N F OH"},
		{"Ac-Nle-c[Asp-His-D-Nal(2')-Arg-Trp-Orn]-NH2", "Ac Nle c[ Asp His D-Nal(2') Arg Trp Orn ] NH2"},
		{"H-D-2-Nal-cyclo(Cys-Tyr-D-Trp-Lys-Val-Cys)-Thr-NH2", "H D-2-Nal cyclo( Cys Tyr D-Trp Lys Val Cys ) Thr NH2"},
		{"Ac-c-(Cys-d-Phe-Cys-)-OH", "Ac c-( Cys d-Phe Cys -) OH"},
		{"Ac-[Asp-His-(D)-Phe-Lys]-NH2", "Ac [ Asp His (D)-Phe Lys ] NH2"},
		{"c[Asp-Lys]-c[Glu-Orn]-NH2", "c[ Asp Lys ] c[ Glu Orn ] NH2"},
		{"pGlu-h-Arg-beta-Ala-β-Ala-N-Me-Val-L-Ala-Aib-NH2", "pGlu h-Arg beta-Ala β-Ala N-Me-Val L-Ala Aib NH2"},
		{"H-Cys-Tyr-Cys-NH2 (disulfide)", "H Cys Tyr Cys NH2 (disulfide)"},
		{"H-Cys-Tyr-Cys (disulfide)", "H Cys Tyr Cys  (disulfide)"},
		{"Ac-Nle-c[Asp-His-NH2", ""},
		{"Ac-Nle-Asp-His]-NH2", ""},
		{"Ac-Nle-c[Asp-His]NH2", ""},
		{"Ac-Cys-NH2; cyclic (1-6)", ""},
		{"Lys(Ac-Arg", ""},
		{"Lys)-Arg", ""},
		{"Lys--Arg", ""},
		{"-Lys-Arg", ""},
		{"Lys", ""},
		{"cyclo(RGDfK)", ""},
	} {
		words := Words(test.text)
		if got := strings.Join(words, " "); got != test.want || words != nil && JoinWords(words) != test.text {
			t.Errorf("%s: %q, joined %s; want %q", test.text, got, JoinWords(words), test.want)
		}
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
		if got := HaveParts(test.xs); got != test.want {
			t.Errorf("%q: %t, want %t", test.xs, got, test.want)
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
		if words, codes := HaveWords(xs), HaveCodes(xs) != ""; words != test.words || codes != test.codes {
			t.Errorf("%s: words %t and codes %t, want %t and %t", test.text, words, codes, test.words, test.codes)
		}
	}
}

// Peptides with capped ends beside bare ones are one kind of strings; a slip among many bare ones is refused.
func TestCappedBesideBare(t *testing.T) {
	const bare = "KWKLFKKI,1\nRWKLFKKI,2\nKWKLFRKI,3\nKWKLFKRI,4\nKWKVFKKI,5\n"
	for _, test := range []struct {
		name, content string
		kind          Sequences
		invalid       int
	}{
		{"capped", bare + "Ac-KWKLFKKI-NH2,6\nAc-RWKLFKKI-NH2,7\n", NoSequences, 0},
		{"amides", bare + "KWKLFKKI-NH2,6\nRWKLFKKI-NH2,7\n", NoSequences, 0},
		{"with other residues", bare + "KWKLF[Orn]KI,6\nKWKLF[Aib]KI,7\n", NoSequences, 0},
		{"a slip", bare + "Ac-KWKLFKKI-NH2,6\n", Protein, 1},
		{"bare", bare, Protein, 0},
	} {
		tab, err := Read(t.Context(), strings.NewReader("sequence,score\n"+test.content), Options{Sequences: Detect})
		if err != nil {
			t.Fatal(err)
		}
		if n := tab.Counts()[Invalid]; tab.Sequences != test.kind || n != test.invalid {
			t.Errorf("%s: kind %v, want %v; %d invalid rows, want %d", test.name, tab.Sequences, test.kind, n, test.invalid)
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
		{[]string{"cyclo(RGDfK)", "cyclo(RGDXK)"}, "cyclo(RGDXK)", "X"},
		{[]string{"Ac-GLFDIVK-NH2", "Ac-GLF[Orn]VK-NH2"}, "", ""},
		{[]string{"KWKL", "KW(Orn)L"}, "", ""},
	} {
		if x, residue := Unread(test.all); x != test.x || residue != test.residue {
			t.Errorf("%s: %q in %q, want %q in %q", test.all, residue, x, test.residue, test.x)
		}
	}
}
