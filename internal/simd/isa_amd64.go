//go:build !purego

package simd

import (
	"os"

	"golang.org/x/sys/cpu"
)

var isa, isaError = choose(os.Getenv("INVBO_SIMD"), supported())

// supported returns the sets that processor and operating system support, the best one last.
func supported() []set {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasBMI2:
		return []set{portable, avx2, avx512}
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI2:
		return []set{portable, avx2}
	}
	return []set{portable}
}
