//go:build !purego

package simd

import (
	"os"

	"golang.org/x/sys/cpu"
)

var isa, isaError = choose(os.Getenv("INVBO_SIMD"), best())

// best returns the best set that processor and operating system support.
func best() set {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasBMI2:
		return avx512
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI2:
		return avx2
	}
	return portable
}
