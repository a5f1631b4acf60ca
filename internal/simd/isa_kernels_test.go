//go:build (amd64 || arm64) && !purego

package simd

import "testing"

// eachISA runs f with each set of kernels that this processor can run.
func eachISA(tb testing.TB, f func(name string)) {
	tb.Helper()
	chosen := isa
	defer func() { isa = chosen }()
	for _, isa = range supported() {
		f(ISA())
	}
}
