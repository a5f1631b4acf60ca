package docking_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/oracle/docking"
)

// The affinity is the energy between ligand and protein, shrunk by torsions, whatever Vina 1.2 takes for the energy of
// the ligand on its own.
func TestAffinity(t *testing.T) {
	const later = "MODEL 2\nREMARK VINA RESULT:   -19.872      5.483      9.129\nREMARK INTER + INTRA:         -16.345\nREMARK INTER:                 -14.000\nREMARK INTRA:                  -2.345\nREMARK UNBOUND:                15.725\n"
	for _, test := range []struct {
		name, poses string
		want        float64
	}{
		{"Vina 1.1", "MODEL 1\nREMARK VINA RESULT:    -9.1      0.000      0.000\nMODEL 2\nREMARK VINA RESULT:    -8.0      1.000      2.000\n", -9.1},
		{"the ligand on its own clashes", "MODEL 1\nREMARK VINA RESULT:   -20.413      0.000      0.000\nREMARK INTER + INTRA:         -17.218\nREMARK INTER:                 -14.671\nREMARK INTRA:                  -2.548\nREMARK UNBOUND:                15.725\n" + later, -9.091},
		{"it does not", "MODEL 1\nREMARK VINA RESULT:    -8.750      0.000      0.000\nREMARK INTER + INTRA:         -17.037\nREMARK INTER:                 -14.121\nREMARK INTRA:                  -2.916\nREMARK UNBOUND:                -2.916\n", -8.75},
		{"a rigid ligand", "REMARK VINA RESULT:    -4.000      0.000      0.000\nREMARK INTER + INTRA:          -4.000\nREMARK INTER:                  -4.000\nREMARK INTRA:                   0.000\nREMARK UNBOUND:                 0.000\n", -4},
		{"it hardly binds", "REMARK VINA RESULT:    -0.028      0.000      0.000\nREMARK INTER + INTRA:          -0.030\nREMARK INTER:                  -0.030\nREMARK UNBOUND:                 0.000\n", -0.028},
		{"it does not fit", "REMARK VINA RESULT:    20.000      0.000      0.000\nREMARK INTER + INTRA:          25.000\nREMARK INTER:                  27.000\nREMARK UNBOUND:                -5.000\n", 18},
	} {
		if got, err := docking.Affinity(test.poses); err != nil || math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %g, %v; want %g", test.name, got, err, test.want)
		}
	}
	for _, poses := range []string{"", "MODEL 1\n", "REMARK VINA RESULT:\n", "REMARK VINA RESULT: nan 0 0\n", "REMARK VINA RESULT: -5 0 0\nREMARK INTER: inf\n"} {
		if y, err := docking.Affinity(poses); err == nil {
			t.Errorf("%q: %g, want an error", poses, y)
		}
	}
}

func FuzzAffinity(f *testing.F) {
	f.Add("MODEL 1\nREMARK VINA RESULT:    -9.1      0.000      0.000\n")
	f.Add("REMARK VINA RESULT: 1e999 0 0\n")
	f.Add("REMARK VINA RESULT:")
	f.Add("REMARK VINA RESULT: -5 0 0\nREMARK INTER + INTRA: -1e300\nREMARK INTER: 1e300\nREMARK UNBOUND: -1e300\n")
	f.Fuzz(func(t *testing.T, poses string) {
		y, err := docking.Affinity(poses)
		if err == nil && (math.IsNaN(y) || math.IsInf(y, 0)) {
			t.Errorf("affinity %g without an error", y)
		}
	})
}
