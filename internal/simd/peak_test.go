package simd

import (
	"testing"
	"time"
)

// TestPeakFlops checks the count of operations, not the time.
func TestPeakFlops(t *testing.T) {
	eachISA(t, func(name string) {
		for _, peak := range []func(int) int{peak32, peak64} {
			if one, ten := peak(1), peak(10); one <= 0 || ten != 10*one {
				t.Errorf("%s: %d operations in 10 rounds, %d in one", name, ten, one)
			}
		}
		if single, double := PeakFlops(time.Millisecond); !(single > 0 && double > 0) {
			t.Errorf("%s: peak = %g, %g", name, single, double)
		}
	})
}
