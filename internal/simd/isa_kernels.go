//go:build (amd64 || arm64) && !purego

package simd

import (
	"os"
	"runtime"

	"golang.org/x/sys/cpu"
)

var isa, isaError = choose(os.Getenv("INVBO_SIMD"), supported())

// supported returns the sets that processor and operating system support, the best one last.
func supported() []set {
	switch x := &cpu.X86; {
	case runtime.GOARCH == "arm64": // all of these have NEON
		return []set{portable, neon}
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512VL && x.HasBMI2:
		return []set{portable, avx2, avx512}
	case x.HasAVX2 && x.HasFMA && x.HasBMI2:
		return []set{portable, avx2}
	}
	return []set{portable}
}
