package selfies_test

import (
	"strconv"
	"testing"

	"github.com/invbo/invbo/selfies"
)

func TestMaxBonds(t *testing.T) {
	constraints := readVocabulary(t).Constraints
	for _, element := range []string{"H", "B", "C", "N", "O", "F", "Si", "P", "S", "Cl", "Se", "Br", "I", "Pt"} {
		for charge := -2; charge <= 2; charge++ {
			key := element
			if charge > 0 {
				key += "+"
			}
			if charge != 0 {
				key += strconv.Itoa(charge)
			}
			want, ok := constraints[key]
			if !ok {
				want = constraints["?"]
			}
			if got := selfies.MaxBonds(element, charge); got != want {
				t.Errorf("MaxBonds(%s, %d) = %d, want %d", element, charge, got, want)
			}
		}
	}
}
