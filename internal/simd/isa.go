// Package simd provides the numeric kernels of neural networks and linear algebra: matrix products (Gemm),
// attention, element-wise functions, reductions, fused steps of layer normalization, GRU and Adam, and sums of counts.
//
// Each kernel exists in AVX-512, AVX2, NEON and portable Go; one of them is selected at start-up (ISA). Each file has
// the exported function and the portable version of its kernel: Add calls add, which jumps to the assembly or to addGo.
// _asm generates the kernels (go generate).
//
// In element-wise functions dst may be one of the operands, without other overlap. All functions panic if
// lengths do not match. Only matrix products, attention and KVCache allocate memory, which they reuse. Stated
// error bounds hold for all instruction sets; eps is 2⁻²³ and an ulp is the distance to the next float32.
//
// For a given instruction set, results are a function of the operands; see Gemm for more.
package simd

import (
	"fmt"
	"slices"
)

//go:generate go -C _asm run . -out ../kernels_amd64.s -arm64 ../kernels_arm64.s -go ../kernels.go -other ../kernels_other.go -pkg simd

// set is a set of kernels.
type set uint8

const (
	portable set = iota
	avx2         // with FMA and BMI2
	avx512       // F, DQ, BW and VL
	neon         // of arm64; two registers of it for one of AVX2, with the same results
)

var setNames = [...]string{portable: "go", avx2: "avx2", avx512: "avx512", neon: "neon"}

// ISA returns the instruction set in use: "avx512", "avx2", "neon" or "go". It is the best that the processor supports,
// unless the environment variable INVBO_SIMD selects another.
func ISA() string { return setNames[isa] }

// ISAError returns an error if INVBO_SIMD could not be followed because its value is unknown, or not supported by
// this processor or build.
func ISAError() error { return isaError }

// choose returns the set called name, or the last one of those that can be used if name is empty or none of them.
func choose(name string, can []set) (set, error) {
	best := can[len(can)-1]
	if name == "" {
		return best, nil
	}
	i := slices.Index(setNames[:], name)
	if i < 0 {
		return best, fmt.Errorf("INVBO_SIMD=%s: want avx512, avx2, neon or go; using %s", name, setNames[best])
	}
	if !slices.Contains(can, set(i)) {
		return best, fmt.Errorf("INVBO_SIMD=%s: not supported here, using %s", name, setNames[best])
	}
	return set(i), nil
}

// mustMatch panics unless all of xs have length n.
func mustMatch[T any](op string, n int, xs ...[]T) {
	for _, x := range xs {
		if len(x) != n {
			panic(fmt.Sprintf("simd: %s: lengths %d and %d differ", op, n, len(x)))
		}
	}
}
