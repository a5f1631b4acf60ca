package docking_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/oracle/docking"
)

func FuzzAffinity(f *testing.F) {
	f.Add("MODEL 1\nREMARK VINA RESULT:    -9.1      0.000      0.000\n")
	f.Add("REMARK VINA RESULT: 1e999 0 0\n")
	f.Add("REMARK VINA RESULT:")
	f.Fuzz(func(t *testing.T, poses string) {
		y, err := docking.Affinity(poses)
		if err == nil && (math.IsNaN(y) || math.IsInf(y, 0)) {
			t.Errorf("affinity %g without an error", y)
		}
	})
}
