package simd

import (
	"fmt"

	"github.com/invbo/invbo/internal/parallel"
)

const (
	solveCols = 8   // columns that SolveLower64 solves at a time
	solveRows = 128 // rows of X per task of SolveLower64
)

// SolveLower64 overwrites X (m, n) with X·L⁻ᵀ, where L (n, n) is lower triangular, with no zeros on its diagonal, and n
// a multiple of
// 8. Rows of L and X are ldl and ldx apart. For eight columns J at a time, with those before as J′,
//
//	X[:, J] ← (X[:, J] − X[:, J′]·L[J, J′]ᵀ)·L[J, J]⁻ᵀ
//
// in a product with the sums of Gemm64, and forward substitution with multiplication by the reciprocals of the diagonal
// of L. Each row of the result solves a system with L perturbed by at most (n+2)·2⁻⁵²·|L| (Higham 2002, §8.1). The
// rounding depends on the position of a row, not on the number of processors.
func SolveLower64(l []float64, ldl, n int, x []float64, ldx, m int) {
	mustHold("L", l, ldl, n, n, false)
	mustHold("X", x, ldx, m, n, false)
	if n%solveCols != 0 {
		panic(fmt.Sprintf("simd: SolveLower64: %d columns, want a multiple of %d", n, solveCols))
	}
	if m == 0 || n == 0 {
		return
	}
	steps := n / solveCols
	p := pool64.Get().(*panels[float64])
	defer pool64.Put(p)
	if need := solveCols * solveCols * steps * (steps - 1) / 2; cap(p.memory) < need {
		p.memory = make([]float64, need)
	}
	packed := p.memory[:cap(p.memory)] // (columns before, 8) of each step
	start := func(step int) int { return solveCols * solveCols * step * (step - 1) / 2 }
	pack := func(lo, hi int) {
		for step := lo; step < hi; step++ {
			packPanel(packed[start(step):], solveCols, true, solveCols*step, solveCols, -1, l[solveCols*step*ldl:], ldl, 0)
		}
	}
	rows := func(lo, hi int) {
		x := x[lo*ldx:]
		for step := range steps {
			j := solveCols * step
			for k := 0; k < j; k += kBlock {
				t := tile[float64]{rows: hi - lo, cols: solveCols, k: min(kBlock, j-k), a: x[k:], ars: ldx, acs: 1,
					b: packed[start(step)+k*solveCols:], bs: solveCols, c: x[j:], ldc: ldx, base: x[j:], ldBase: ldx}
				t.mul()
			}
			solve8Rows(l[j*ldl+j:], ldl, x[j:], ldx, hi-lo)
		}
	}
	if m <= solveRows {
		pack(0, steps)
		rows(0, m)
		return
	}
	parallel.For(steps, max(1, steps/8), pack)
	parallel.For(m, solveRows, rows)
}

// solve8Rows is SolveLower64 for an L (8, 8).
func solve8Rows(l []float64, ldl int, x []float64, ldx, rows int) {
	var inverse [8]float64
	for i := range inverse {
		inverse[i] = 1 / l[i*ldl+i]
	}
	done := 0
	if isa != portable {
		done = rows / 4 * 4
		if done > 0 {
			solve8(&l[0], ldl, &inverse[0], &x[0], ldx, rows/4)
		}
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
