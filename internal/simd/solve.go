package simd

import "fmt"

// Solve8 overwrites X (rows, 8) with X·L⁻ᵀ, where L (8, 8) is lower triangular: the innermost step of a Cholesky
// factorization. Rows of L and X are ldl and ldx apart. It is forward substitution, with multiplication by the
// reciprocals of the diagonal of L, which must not be 0. Each row of the result solves a system with L perturbed by at
// most 10·2⁻⁵²·|L| (Higham 2002, §8.1). Rounding depends on the position of a row.
func Solve8(l []float64, ldl int, x []float64, ldx, rows int) {
	if rows == 0 {
		return
	}
	if len(l) < 7*ldl+8 || len(x) < (rows-1)*ldx+8 {
		panic(fmt.Sprintf("simd: Solve8: %d and %d elements, rows %d and %d apart, are too few for 8 and %d rows", len(l), len(x), ldl, ldx, rows))
	}
	var inverse [8]float64
	for i := range inverse {
		inverse[i] = 1 / l[i*ldl+i]
	}
	done := 0
	if isa != portable {
		done = rows / 4 * 4
		solve8(&l[0], ldl, &inverse[0], &x[0], ldx, rows/4)
	}
	for i := done; i < rows; i++ {
		solve8Go(l, ldl, &inverse, (*[8]float64)(x[i*ldx:]))
	}
}

func solve8Go(l []float64, ldl int, inverse, x *[8]float64) {
	for c := range x {
		s := x[c]
		for p, v := range l[c*ldl:][:c] {
			s -= v * x[p]
		}
		x[c] = s * inverse[c]
	}
}
