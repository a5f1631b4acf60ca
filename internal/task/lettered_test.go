package task

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Tokens have a letter each, and those of one letter their own.
func TestLettered(t *testing.T) {
	symbols := append(strings.Split("ACDEFGHIKLMNPQRSTVWYk/", ""), "[Aib]", "mU")
	l := newLettered(symbols, func(x string) []string { return strings.Split(x, " ") }, func(tokens []string) string { return strings.Join(tokens, " ") })
	for _, x := range []string{"A C k / [Aib] mU", "mU", "[Aib] [Aib] W"} {
		if got := l.decode(l.encode(x)); got != x || len(l.encode(x)) != len(strings.Fields(x)) {
			t.Errorf("%q is %q, and that %q", x, l.encode(x), got)
		}
	}
	if got := l.encode("A C k W"); got != "ACkW" {
		t.Errorf("letters are %q", got)
	}
	if got := l.encode("A [Nle]"); got != "" {
		t.Errorf("with a token that is none it is %q", got)
	}
	var many []string
	for i := range 200 {
		many = append(many, "["+strings.Repeat("x", i+1)+"]")
	}
	if newLettered(many, nil, nil) != nil {
		t.Error("there are letters for 200 tokens")
	}
}

// Strings of tokens that are residues are aligned if most have one number of them; others keep what all begin and end with.
func TestResidueTokens(t *testing.T) {
	const residues = "A C D E F G H I K L M N P Q R S T V W Y [Aib] [Nle]"
	for _, test := range []struct {
		name, alphabet string
		xs             []string
		want           string
	}{
		{"brackets", residues, []string{"H[Aib]EGTF", "HGEGTF", "H[Aib]EGT[Nle]", "HGEGTFG"}, `^H([A-Y]|\[...\])EGT([A-Y]|\[...\])$`},
		{"parentheses", "A C D E F G H I K L M N P Q R S T V W Y (Aib)", []string{"H(Aib)EGTF", "HGEGTF", "H(Aib)EGTW"}, `^H([A-Y]|\(...\))EGT([A-Y]|\(...\))$`},
		{"three-letter codes", "Ala Gly Cys Trp", []string{"AlaGlyCys", "AlaTrpCys"}, `^Ala(Ala|Gly|Cys|Trp)Cys$`},
		{"of varying length", residues, []string{"H[Aib]EGTF", "H[Aib]WF", "H[Aib]WWWWWF", "H[Aib]ATWF", "H[Aib]SSSTTTAF", "H[Aib]F"}, `^H\[Aib\]`},
		{"other tokens vary", "[C] [O] [N]", []string{"[C][O][N]", "[C][C][N]"}, `^(\[.\]){3}$`},
		{"modified RNA", "", []string{"mUfUmCfGmA", "mUfUmCmGmA", "mUsfUmCfGmA"}, `^(mU|mUs|fU|mC|fG|mG|mA)fUmC(mU|mUs|fU|mC|fG|mG|mA)mA$`},
		{"RNA in lower case for 2'-methoxy", "", []string{"usUfsgcAf", "usUfsgca", "usUfsgcA"}, `^usUfsgc`},
	} {
		p, err := buildStrings(t.Context(), Task{}, Options{External: External{OracleCmd: "true"}, Alphabet: test.alphabet})
		if err != nil {
			t.Fatal(err)
		}
		space, err := p.Space(designOf(test.xs))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		made, want := childrenOf(t, space, test.xs), regexp.MustCompile(test.want)
		if i := slices.IndexFunc(made, func(x string) bool { return !want.MatchString(x) }); i >= 0 {
			t.Errorf("%s: %s is proposed, want %s", test.name, made[i], test.want)
		}
		if len(made) < 50 {
			t.Errorf("%s: only %d children", test.name, len(made))
		}
	}
}

func TestNameResidues(t *testing.T) {
	for text, want := range map[string]bool{
		"A C D E [Aib]": true, "Ala Gly Cys": true, "mA mC fU fG": true, "A C k": true, "[C] [=O] [N]": false, "x + 1 sin(": false,
		"a p l e": false, "(Aib) (Nle) A": false, "A C D -": false,
	} {
		if got := nameResidues(strings.Fields(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
