package main

import (
	"math"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestDissimilarity(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	distance := dissimilarity(smiles())
	tests := []struct {
		name, a, b string
		want       float64
	}{
		{"the same", "[C][C][O]", "[C][C][O]", 0},
		{"the same molecule", "[C][C][O]", "[O][C][C]", 0},
		{"nothing in common", "[C]", "[O]", 1},
		{"no string", "[C]", "", 1},
	}
	for _, tt := range tests {
		if got := distance(tt.a, tt.b); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("%s: %g, want %g", tt.name, got, tt.want)
		}
	}
	near, far := distance("[C][C][C][C][O]", "[C][C][C][C][C][O]"), distance("[C][C][C][C][O]", "[F][C][F]")
	if !(0 < near && near < far && far <= 1) {
		t.Errorf("butanol is %g from pentanol and %g from difluoromethane", near, far)
	}
}
