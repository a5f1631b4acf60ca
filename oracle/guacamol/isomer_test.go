package guacamol

import (
	"slices"
	"testing"
)

func TestElements(t *testing.T) {
	tests := []struct {
		formula string
		want    []element
	}{
		{"", nil},
		{"CH4", []element{{"C", 1}, {"H", 4}}},
		{"C9H10ClF2N2O2P", []element{{"C", 9}, {"H", 10}, {"Cl", 1}, {"F", 2}, {"N", 2}, {"O", 2}, {"P", 1}}},
		{"C200H402", []element{{"C", 200}, {"H", 402}}},
		{"H2NO+2", []element{{"H", 2}, {"N", 1}, {"O", 1}}},
		{"Cl-", []element{{"Cl", 1}}},
		{"*CH3", []element{{"C", 1}, {"H", 3}}},
	}
	for _, test := range tests {
		if got := elements(test.formula); !slices.Equal(got, test.want) {
			t.Errorf("elements(%s) = %v, want %v", test.formula, got, test.want)
		}
	}
}
