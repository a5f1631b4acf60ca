package quantity_test

import (
	"testing"

	"github.com/invbo/invbo/internal/table/quantity"
)

// The name of an outcome may say that lower values are better.
func TestLowerIsBetter(t *testing.T) {
	for name, want := range map[string][2]bool{
		"IC50 (nM)": {true, false}, "k_inact/KI (M-1 s-1)": {}, "Ki": {true, false}, "logIC50": {true, false}, "log Ki": {true, false}, "pIC50": {}, "CC50": {}, "logP": {}, "activity": {},
		"docking score": {false, true}, "Vina (kcal/mol)": {false, true}, "ΔG": {false, true}, "dG": {false, true}, "glycine": {},
	} {
		if got := [2]bool{quantity.IsPotency(name), quantity.IsEnergy(name)}; got != want {
			t.Errorf("%s is a potency, an energy: %v, want %v", name, got, want)
		}
	}
}
