package quantity_test

import (
	"testing"

	"github.com/invbo/invbo/internal/table/quantity"
)

// The unit of a column is part of its name, however it is written there.
func TestUnitOfAName(t *testing.T) {
	for _, test := range []struct{ name, unit string }{
		{"IC50 (nM)", "nM"},
		{"IC50 [nM]", "nM"},
		{"IC50(nM)", "nM"},
		{"IC50_nM", "nM"},
		{"IC50/nM", "nM"},
		{"IC50 / nM", "nM"},
		{"IC50 in nM", "nM"},
		{"IC50, nM", "nM"},
		{"IC50 nM", "nM"},
		{"IC50-nM", "nM"},
		{"IC50nM", "nM"},
		{"# nM", "nM"},
		{"! nM", "nM"}, // a mark alone is no word
		{"IC50..nM.", "nM"},
		{"IC50 (nM, mean of 2)", "nM"},
		{"IC50_nM_mean", "nM"},
		{"ic50_nm", "nM"},
		{"IC50 (NM)", "nM"},
		{"IC50 (uM)", "µM"},
		{"IC50 (μM)", "µM"}, // Greek mu
		{"IC50 (µM)", "µM"}, // micro sign
		{"IC50 (micromolar)", "µM"},
		{"Ki (mol/L)", "mol/L"},
		{"Ki (mol L-1)", "mol/L"},
		{"Ki [M]", "M"},
		{"Kd_M", "M"},
		{"EC50 (pM)", "pM"},
		{"MIC (ug/mL)", "µg/mL"},
		{"MIC_ug_per_mL", "µg/mL"},
		{"MIC (ug.mL-1)", "µg/mL"},
		{"MIC (mcg/ml)", "µg/mL"},
		{"titre_ng/mL", "ng/mL"},
		{"Inhibition (%)", "%"},
		{"% inhibition", "%"},
		{"%Inh", "%"},
		{"Inhibition %", "%"},
		{"inhibition_pct", "%"},
		{"Percent yield", "%"},
		{"% inhibition at 10 uM", "%"},
		{"dG (kcal/mol)", "kcal/mol"},
		{"dG_kcal_mol", "kcal/mol"},
		{"dG kJ mol-1", "kJ/mol"},
		{"Tm (°C)", "°C"},
		{"Tm_C", "°C"},
		{"t1/2 (min)", "min"},
		{"half_life_h", "h"},
		{"CLint (µL/min/mg)", "µL/min/mg"},
		{"Papp (10-6 cm/s)", "10^-6 cm/s"},
		{"kon (M-1 s-1)", "1/M/s"},
		{"measured log solubility in mols per litre", "log mol/L"},
		{"emission (nm)", "nm"},

		{"pIC50", ""},
		{"IC50", ""},
		{"inhibition at 10 uM", ""},
		{"inhibition (10 µM)", ""},
		{"IC50_min", ""},
		{"IC50 (min)", ""},
		{"IC50 (mean)", ""},
		{"score_h", ""},
		{"logS_cal", ""},
		{"Ki_app_7", ""},
		{"bound_fraction", ""},
	} {
		if got := quantity.ParseHeading(test.name).Unit.String(); got != test.unit {
			t.Errorf("%s: the unit is %q, want %q", test.name, got, test.unit)
		}
	}
}

// Numbers are converted in decimals where units differ by powers of ten. A difference of temperatures has no zero.
func TestConversions(t *testing.T) {
	for _, test := range []struct {
		x                float64
		from, to         string
		want, difference float64
	}{
		{0.07, "mM", "µM", 70, 70},
		{3, "nmol/L", "nM", 3, 3},
		{8, "mg/L", "ug/mL", 8, 8},
		{-4.184, "kJ/mol", "kcal/mol", -1, -1},
		{90, "min", "h", 1.5, 1.5},
		{310.15, "K", "°C", 37, 310.15},
		{99.5, "°F", "degC", 37.5, 55.2777777778},
		{0.42, "fraction", "%", 42, 42},
		{2, "log nM", "log nmol/L", 2, 2},
	} {
		from, _ := quantity.ParseStated(test.from)
		to, _ := quantity.ParseStated(test.to)
		if !from.ConvertsTo(to) || !to.ConvertsTo(from) {
			t.Errorf("%s and %s are not converted", test.from, test.to)
		}
		if got, difference := from.To(to, test.x), from.DifferenceTo(to, test.x); got != test.want || difference != test.difference {
			t.Errorf("%g %s is %g %s, and %g of a difference; want %g and %g", test.x, test.from, got, test.to, difference, test.want, test.difference)
		}
	}
	for _, test := range [][2]string{{"%", "µM"}, {"µg/mL", "µM"}, {"min", "°C"}, {"log nM", "log µM"}, {"mL/min/kg", "mL/min/mg"}, {"", "nM"}} {
		from, _ := quantity.ParseStated(test[0])
		if to, _ := quantity.ParseStated(test[1]); from.ConvertsTo(to) {
			t.Errorf("%q is converted to %q", test[0], test[1])
		}
	}
}

// A unit reads back from how it is written.
func TestStatedUnits(t *testing.T) {
	for _, name := range []string{"IC50 (nM)", "log IC50 (µM)", "pIC50 (M)", "Papp (10-6 cm/s)", "kon (M-1 s-1)", "Tm (°F)", "yield %", "dG_kcal_mol"} {
		u := quantity.ParseHeading(name).Unit
		if back, ok := quantity.ParseStated(u.String()); !ok || !back.Equal(u) || back.String() != u.String() {
			t.Errorf("%s: %q is read as %q (%v)", name, u, back, ok)
		}
	}
	for _, text := range []string{"", "log ", "IC50", "mean"} {
		if u, ok := quantity.ParseStated(text); ok || u.IsSet() {
			t.Errorf("%q is read as %q", text, u)
		}
	}
}
