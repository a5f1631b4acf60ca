package notation_test

import (
	"testing"

	"github.com/invbo/invbo/internal/table/notation"
)

func TestAminoAcid(t *testing.T) {
	for code, want := range map[string]byte{"K": 'K', "k": 'K', "Lys": 'K', "LYS": 'K', "Ter": '*', "*": '*', "Xaa": 'X', "Foo": 0, "Ly": 0, "": 0} {
		if got := notation.AminoAcid(code); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func TestIsMixed(t *testing.T) {
	for letters, want := range map[string]bool{"KWKl": true, "KWkl": false, "KWKlfk": true, "KWKL": false, "kwkl": false, "KWKx": false, "KWKſ": false, "": false} {
		if got := notation.IsMixed(letters); got != want {
			t.Errorf("%s: %t", letters, got)
		}
	}
}

func TestOneLetter(t *testing.T) {
	for text, want := range map[string]string{
		"Ala-Lys-Gly": "AKG", "AlaLysGly": "AKG", "ALA-LYS": "AK", "H-Ala-Lys-OH": "AK", "Ac-Ala-Lys-NH2": "Ac-AK-NH2", "H-KWKL-OH": "KWKL", "KWKL-OH": "KWKL",
		"H-KWKL": "H-KWKL", // may be aligned
		"Ala":    "Ala", "Ala-Nle-Gly": "Ala-Nle-Gly", "MKTAYI": "MKTAYI", "two words": "two words",
	} {
		if got := notation.OneLetter(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestResidues(t *testing.T) {
	for word, want := range map[string]struct{ is, names bool }{
		"Phe": {true, true}, "D-Phe": {true, true}, "Lys(Ac)": {true, true}, "Nle": {false, true}, "hPhe": {false, true}, "Boc": {false, false}, "NH2": {false, false}, "K": {false, false},
	} {
		if is, names := notation.IsResidue(word), notation.NamesResidue(word); is != want.is || names != want.names {
			t.Errorf("%s: is a residue %t, is named as one %t", word, is, names)
		}
	}
	for text, want := range map[string]string{"Ala-Nle-Trp": "Nle", "Ala-His-Trp": "", "Nle-Nle": "", "KWKL": ""} {
		if got := notation.OtherResidue(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
