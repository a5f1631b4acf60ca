// Package simd holds the numeric kernels of the networks and of the linear algebra: matrix products,
// elementwise functions, reductions and the fused steps of softmax, layer normalization and Adam.
//
// Each kernel exists in AVX-512, AVX2 and portable Go; one set is chosen at start-up (ISA). In elementwise
// functions dst may be one of the operands, but may not overlap it otherwise. Every function panics if
// lengths do not fit. Products of matrices, attention and KVCache allocate memory and keep it; nothing else
// allocates. Accuracy, where a function states it, is a bound for all three sets; eps is 2⁻²³, and an ulp
// the distance to the next float32.
//
// On one set a result depends on nothing but the operands. Gemm promises more: see there.
package simd

import "fmt"

//go:generate go -C _asm run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -other ../kernels_other.go -pkg simd

// set is a set of kernels.
type set uint8

const (
	portable set = iota
	avx2         // with FMA and BMI2
	avx512       // F, DQ, BW and VL
)

var setNames = [...]string{portable: "go", avx2: "avx2", avx512: "avx512"}

// ISA returns the instruction set in use: "avx512", "avx2" or "go". It is the best that the processor
// has, unless the environment variable INVBO_SIMD names a lesser one.
func ISA() string { return setNames[isa] }

// ISAError says why INVBO_SIMD was not followed: it names no instruction set, or one that this processor
// or this build lacks. It is nil if INVBO_SIMD was followed or is not set.
func ISAError() error { return isaError }

// choose returns the set called name, or best if that is not possible or name is empty.
func choose(name string, best set) (set, error) {
	if name == "" {
		return best, nil
	}
	for s, n := range setNames {
		switch {
		case n != name:
		case set(s) > best:
			return best, fmt.Errorf("INVBO_SIMD=%s: not supported here, using %s", name, setNames[best])
		default:
			return set(s), nil
		}
	}
	return best, fmt.Errorf("INVBO_SIMD=%s: want avx512, avx2 or go; using %s", name, setNames[best])
}

// mustMatch panics unless n is the length of all of xs.
func mustMatch[T float](op string, n int, xs ...[]T) {
	for _, x := range xs {
		if len(x) != n {
			panic(fmt.Sprintf("simd: %s: lengths %d and %d differ", op, n, len(x)))
		}
	}
}
