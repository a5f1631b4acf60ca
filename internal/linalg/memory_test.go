package linalg_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/internal/linalg"
)

// Memory is zero and can be written to from end to end, in large pages or not.
func TestFloats(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 1<<19 - 1, 1 << 19, 1<<20 + 3} {
		s := linalg.Floats(n)
		if len(s) != n || slices.ContainsFunc(s, func(v float64) bool { return v != 0 }) {
			t.Fatalf("%d numbers: %d, or not all are 0", n, len(s))
		}
		for i := range s {
			s[i] = float64(i)
		}
		if n > 0 && (s[0] != 0 || s[n-1] != float64(n-1)) {
			t.Errorf("%d numbers: %g and %g at the ends", n, s[0], s[n-1])
		}
	}
}
