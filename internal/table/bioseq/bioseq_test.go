package bioseq_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/bioseq"
)

func TestKindOver(t *testing.T) {
	for alphabet, want := range map[string]bioseq.Kind{
		"ACGT": bioseq.DNA, "GAT": bioseq.DNA, "ACGU": bioseq.RNA, "ACDEFGHIKLMNPQRSTVWY": bioseq.Protein, "KW": bioseq.Protein, "ACGTU": bioseq.None, "acgt": bioseq.None, "": bioseq.None,
	} {
		if got := bioseq.KindOver(alphabet); got != want {
			t.Errorf("%s: %q, want %q", alphabet, got, want)
		}
	}
	if got := bioseq.None.Letters(); got != "" {
		t.Errorf("other strings have the letters %s", got)
	}
}

func TestDetect(t *testing.T) {
	library := "ACD EFG HIK LMN PQR STV WYA CDE FGH IKL MNP QRS TVW YAC DEF GHI KLM NPQ RST VWY"
	for _, test := range []struct {
		name, texts string
		hint        bioseq.Hint
		want        bioseq.Kind
	}{
		{"called so", "MKTAYV MKTAYI", bioseq.CalledSequences, bioseq.Protein},
		{"perhaps", "MKTAYV MKTAYI", bioseq.OftenSequences, bioseq.Protein},
		{"short without a hint", "MKTAYV MKTAYI", bioseq.NoHint, bioseq.None},
		{"lower case that is called so", "mktayv mktayi", bioseq.CalledSequences, bioseq.Protein},
		{"words, perhaps", "lipase kinase", bioseq.OftenSequences, bioseq.None},
		{"long DNA without a hint", "ACGTACGTAC ACGTACGAAC", bioseq.NoHint, bioseq.DNA},
		{"long RNA without a hint", "ACGUACGUAC ACGUACGAAC", bioseq.NoHint, bioseq.RNA},
		{"a library without a hint", library, bioseq.NoHint, bioseq.Protein},
		{"variants without a hint", "KLAKLAKKLAKLAK KLAKLAKKLAKLAR KLAKLWKKLAKLAK RLAKLAKKLAKLAK", bioseq.NoHint, bioseq.Protein},
		{"variants, one of them without a letter", strings.Repeat("KLAKLAKKLAKLAK KLAKLAKKLAKLAR KLAKLWKKLAKLAK RLAKLAKKLAKLAK ", 4) + "KLAKLAKKLALAK", bioseq.NoHint, bioseq.Protein},
		{"codes of levels", "AACDEADE AACDEADA ACCDEADE AACDEACE", bioseq.NoHint, bioseq.None},
		{"a lattice", "HPHPPHHPHP HPHPPHHPPP HPHPPHHPHH", bioseq.NoHint, bioseq.None},
		{"words without a hint", "CHAPTERS STRANGER PLATFORM MAGNETIC", bioseq.NoHint, bioseq.None},
		{"degenerate primers", "ACGTNRYACGT ACGTNNNACGT", bioseq.CalledSequences, bioseq.None},
		{"strands with ends", "5'-ACGTACGT-3' 5'-ACGTACGA-3'", bioseq.CalledSequences, bioseq.DNA},
		{"nothing", "", bioseq.CalledSequences, bioseq.None},
	} {
		if got := bioseq.Detect(strings.Fields(test.texts), test.hint); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ text, want, err string }{
		{"mkt ayi\n", "MKTAYI", ""}, {"MKTAYI*", "MKTAYI", ""}, {"acgt acgt", "ACGTACGT", ""}, {"5'-ACGU-3'", "ACGU", ""}, {"H-Ala-Lys-Gly-OH", "AKG", ""},
		{"MKXA", "", "position 3 is X, any amino acid"}, {"ACGTNACG", "", "position 5 is N, any base"}, {"", "", "there is no sequence"},
	} {
		got, err := bioseq.Parse(test.text)
		if got != test.want || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%q: %s, error %v; want %s, %s", test.text, got, err, test.want, test.err)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"MKT AYI*": "MKTAYI", "MKTayI": "MKTAYI", "mktayi": "mktayi", "Ala-Lys-Gly": "AKG", "5'-ACGT-3'": "ACGT", "Ac-KWKL-NH2": "Ac-KWKL-NH2",
	} {
		if got := bioseq.Plain(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
