package notation_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/notation"
)

func TestHaveWords(t *testing.T) {
	for text, want := range map[string]bool{
		"Ac-Nle-Asp-D-Phe-Arg-NH2": true, "Ala-Gly": true, "H-Ala-OH": true, "well-known-state": false, "Ac-Nle-Aib-Asp-NH2": false, "KWKL": false, "a-b": false,
	} {
		if got := notation.HaveWords([]string{text, text}); got != want {
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
		words := notation.Words(test.text)
		if got := strings.Join(words, " "); got != test.want || words != nil && notation.JoinWords(words) != test.text {
			t.Errorf("%s: %q, joined %s; want %q", test.text, got, notation.JoinWords(words), test.want)
		}
	}
}
