//go:build !purego

package simd

import "testing"

// eachISA runs f with each set of kernels that this processor can run.
func eachISA(tb testing.TB, f func(name string)) {
	tb.Helper()
	chosen := isa
	defer func() { isa = chosen }()
	for isa = portable; isa <= best(); isa++ {
		f(ISA())
	}
}
