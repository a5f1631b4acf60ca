package codons_test

import (
	"fmt"
	"testing"

	"github.com/invbo/invbo/space/codons"
)

func Example() {
	fmt.Println(codons.Translate("ATGAAAACTTGA"), codons.Encoded("NDT"))
	// Output: MKT* NSIHRLDGVYCF
}

func TestTranslate(t *testing.T) {
	for dna, want := range map[string]string{
		"ATGAAAACTTGA": "MKT*", "AUGAAAACUUGA": "MKT*", "TGGTATCATCGT": "WYHR", "ATGAA": "", "ATGANA": "", "": "", "TAATAG": "**",
	} {
		if got := codons.Translate(dna); got != want {
			t.Errorf("%s: %q, want %q", dna, got, want)
		}
	}
}

func TestStops(t *testing.T) {
	for protein, want := range map[string][2]bool{"MKT*": {true, false}, "MKT": {true, false}, "M*T": {false, true}, "": {false, false}} {
		if got := [2]bool{codons.IsOpen(protein), codons.HasStop(protein)}; got != want {
			t.Errorf("%q is open, and has a stop: %t, want %t", protein, got, want)
		}
	}
}

// Three letters that may be residues are a codon if libraries are made with it, or no residues would be written so.
func TestIsDegenerate(t *testing.T) {
	for text, want := range map[string]bool{"NNK": true, "NDT": true, "TNK": false, "ANB": true, "AAG": true, "AVI": false, "NN": false, "TAA": false} {
		if got := codons.IsDegenerate(text); got != want {
			t.Errorf("%s is a codon: %t, want %t", text, got, want)
		}
	}
}

func TestLongest(t *testing.T) {
	for x, want := range map[string]string{
		"AGGAGGTAAATAATGAAAACTTGA": "ATGAAAACTTGA", "CATGAAAACTTGACC": "ATGAAAACTTGA", "CAUGAAAACUUGACC": "AUGAAAACUUGA", "ATGAAAATGTAA": "ATGAAAATGTAA",
		"CCATGAAAAC": "ATGAAA", "ATGTAACATGCCCCCCTAA": "ATGCCCCCCTAA", "CCCCCC": "", "AT": "", "": "",
	} {
		from, to := codons.Longest(x)
		if got := x[from:to]; got != want {
			t.Errorf("%s: %s, want %s", x, got, want)
		}
	}
}
