// Package simd provides the numeric kernels of neural networks and linear algebra: matrix products (Gemm),
// attention, element-wise functions, reductions, fused steps of layer normalization, GRU and Adam, and sums of counts.
//
// Each kernel exists in AVX-512, AVX2 and portable Go, one of which is selected at start-up (ISA). Each file
// has the exported function and the portable version of its kernel: Add calls add, which jumps to the assembly or
// to addGo. _asm generates the kernels (go generate).
//
// In element-wise functions dst may be one of the operands, without other overlap. All functions panic if
// lengths do not match. Only matrix products, attention and KVCache allocate memory, which they reuse. Stated
// error bounds hold for all instruction sets; eps is 2⁻²³ and an ulp is the distance to the next float32.
//
// For a given instruction set, results are a function of the operands; see Gemm for more.
package simd

import "fmt"

//go:generate go -C _asm run . -out ../kernels_amd64.s -amd64 ../kernels_amd64.go -other ../kernels_other.go -pkg simd

// set is a set of kernels.
type set uint8

const (
	portable set = iota
	avx2         // with FMA and BMI2
	avx512       // F, DQ, BW and VL
)

var setNames = [...]string{portable: "go", avx2: "avx2", avx512: "avx512"}

// ISA returns the instruction set in use: "avx512", "avx2" or "go". It is the best that the processor supports,
// unless the environment variable INVBO_SIMD selects another.
func ISA() string { return setNames[isa] }

// ISAError returns an error if INVBO_SIMD could not be followed because its value is unknown, or not supported by
// this processor or build.
func ISAError() error { return isaError }

// choose returns the set called name, or best if name is empty or not possible.
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

// mustMatch panics unless all of xs have length n.
func mustMatch[T float](op string, n int, xs ...[]T) {
	for _, x := range xs {
		if len(x) != n {
			panic(fmt.Sprintf("simd: %s: lengths %d and %d differ", op, n, len(x)))
		}
	}
}
