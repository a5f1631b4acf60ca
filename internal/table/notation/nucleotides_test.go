package notation_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/notation"
)

// Modified nucleic acids are split into nucleotides, whose modifications stay with them; other strings are none.
func TestModified(t *testing.T) {
	for text, want := range map[string]string{
		"mUfUmCfGmA": "mU fU mC fG mA", "mUsfUmC*fGmA": "mUs fU mC* fG mA", "usUfsgcAfadT": "us Ufs g c Af a dT", "asAfsugL96Af": "as Afs u g L96 Af",
		"moeUmoeCmoeGmoeAmoeA": "moeU moeC moeG moeA moeA",
		"ACGUAC":               "", "acguac": "", "KWKLFKK": "", "cuffs": "", "mUfU": "", "apple": "",
	} {
		got := ""
		if split := notation.Modified([]string{text, text}); split != nil {
			got = strings.Join(split(text), " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
