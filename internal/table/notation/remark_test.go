package notation_test

import (
	"testing"

	"github.com/invbo/invbo/internal/table/notation"
)

func TestCutRemark(t *testing.T) {
	for _, test := range []struct{ text, sequence, remark string }{
		{"Ala-His-Trp (TFA salt)", "Ala-His-Trp", "(TFA salt)"},
		{"AHWKK [batch 2]", "AHWKK", "[batch 2]"},
		{"Ac-KWKL-NH2 {crude}", "Ac-KWKL-NH2", "{crude}"},
		{"Cys-Nle-Cys (disulfide)", "Cys-Nle-Cys (disulfide)", ""}, // on the structure
		{"AHWK (crude)", "AHWK (crude)", ""},                       // too short
		{"steel (AISI 304)", "steel (AISI 304)", ""},
		{"AHWKK", "AHWKK", ""},
		{"", "", ""},
	} {
		if sequence, remark := notation.CutRemark(test.text); sequence != test.sequence || remark != test.remark {
			t.Errorf("%q: %q and %q, want %q and %q", test.text, sequence, remark, test.sequence, test.remark)
		}
	}
}
