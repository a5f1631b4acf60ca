package selfies_test

import (
	"strconv"
	"testing"

	"github.com/invbo/invbo/selfies"
)

func TestDefaultConstraints(t *testing.T) {
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
			if got := selfies.DefaultConstraints(element, charge); got != want {
				t.Errorf("DefaultConstraints(%s, %d) = %d, want %d", element, charge, got, want)
			}
		}
	}
}

func TestConstraints(t *testing.T) {
	const smiles = "C#N#C#S"
	if s, err := selfies.Encode(smiles); err == nil {
		t.Errorf("Encode(%s) = %s under the default constraints, want an error", smiles, s)
	}
	loose := selfies.Constraints(func(string, int) int { return 1000 })
	s, err := loose.Encode(smiles)
	if want := "[C][#N][#C][#S]"; err != nil || s != want {
		t.Errorf("Encode(%s) = %s, %v under loose constraints, want %s", smiles, s, err, want)
	}
	if got, err := loose.Decode(s); err != nil || got != smiles {
		t.Errorf("Decode(%s) = %s, %v under loose constraints, want %s", s, got, err, smiles)
	}
	tight := selfies.Constraints(func(string, int) int { return 1 })
	if got, err := tight.Decode(s); err != nil || got != "CN" {
		t.Errorf("Decode(%s) = %s, %v under tight constraints, want CN", s, got, err)
	}
}
