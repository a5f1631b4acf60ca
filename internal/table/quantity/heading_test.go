package quantity_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/internal/table/quantity"
)

// What names say in brackets tells columns of different things apart.
func TestDiffers(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"pIC50 (JAK1)", "pIC50 (JAK2)", true},
		{"pIC50 (JAK1)", "pIC50", false},
		{"pIC50 (human JAK1)", "pIC50 (JAK1, mean)", false},
		{"pIC50 (CA II)", "pIC50 (II CA)", false},
		{"pIC50 (predicted)", "pIC50", true},
		{"IC50 (nM)", "IC50 (foo)", true},
		{"IC50 (nM)", "IC50 (µM)", false},
		{"-ddG", "ddG", true},
		{"log IC50", "IC50", true},
	} {
		a, b := quantity.ParseHeading(test.a), quantity.ParseHeading(test.b)
		if a.Differs(b) != test.want || b.Differs(a) != test.want {
			t.Errorf("%s and %s differ: %v and %v, want %v", test.a, test.b, a.Differs(b), b.Differs(a), test.want)
		}
	}
}

func TestErrorsOfAName(t *testing.T) {
	for _, test := range []struct {
		name, base, unit string
		deviations, ok   bool
	}{
		{"IC50 ± SD (nM)", "ic50", "nM", true, true},
		{"pKi (± SEM)", "pki", "", false, true},
		{"pKi (mean ± stdev of 4)", "pki", "", true, true},
		{"IC50 (nM)", "", "", false, false},
	} {
		h, ok := quantity.ParseWithError(test.name)
		if h.Base != test.base || h.Unit.String() != test.unit || h.Deviations != test.deviations || ok != test.ok {
			t.Errorf("%s: %+v, %v", test.name, h, ok)
		}
	}
}

// The words of a name are those in brackets too, but for the unit.
func TestAllWords(t *testing.T) {
	const name = "Tm (rel, mean) [°C]"
	if got, want := quantity.ParseHeading(name).AllWords(name), []string{"tm", "rel", "mean"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
