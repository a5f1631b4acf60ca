package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// transpose generates the functions that pack a transposed matrix in n register squares, read rightwards from src and
// written downwards, times alpha, to dst. AVX-512 uses them, too.
func transpose() {
	declare("transpose32", "(dst *float32, width int, src *float32, ld, n int, alpha float32)")
	squares(float32s, func(r []VecVirtual) {
		t := make([]VecVirtual, 8)
		for i := 0; i < 8; i += 2 {
			t[i], t[i+1] = interleave(r[i], r[i+1], VUNPCKLPS, VUNPCKHPS)
		}
		for i := 0; i < 8; i += 4 {
			r[i], r[i+1] = interleave(t[i], t[i+2], VUNPCKLPD, VUNPCKHPD)
			r[i+2], r[i+3] = interleave(t[i+1], t[i+3], VUNPCKLPD, VUNPCKHPD)
		}
		swapHalves(r)
	})

	declare("transpose64", "(dst *float64, width int, src *float64, ld, n int, alpha float64)")
	squares(float64s, transpose4)
}

// transpose4 transposes a square of float64s.
func transpose4(r []VecVirtual) {
	for i := 0; i < 4; i += 2 {
		r[i], r[i+1] = interleave(r[i], r[i+1], VUNPCKLPD, VUNPCKHPD)
	}
	swapHalves(r)
}

// interleave returns the interleaved lower and upper lanes of x and y.
func interleave(x, y VecVirtual, lower, upper func(ops ...Op)) (VecVirtual, VecVirtual) {
	lo, hi := YMM(), YMM()
	lower(y, x, lo)
	upper(y, x, hi)
	return lo, hi
}

// swapHalves swaps the upper halves of the first half of r with the lower halves of the second half.
func swapHalves(r []VecVirtual) {
	for i := range len(r) / 2 {
		j := i + len(r)/2
		lo, hi := YMM(), YMM()
		VPERM2F128(U8(0x20), r[j], r[i], lo)
		VPERM2F128(U8(0x31), r[j], r[i], hi)
		r[i], r[j] = lo, hi
	}
}

// squares generates the loop over n squares, each transposed by transpose.
func squares(num number, transpose func(r []VecVirtual)) {
	side := avx2.bytes / num.bytes()
	rows := func(address, stride string) (at func(i int) Mem, move func(by int)) {
		base, step, step3 := Load(Param(address), GP64()), Load(Param(stride), GP64()), GP64()
		SHLQ(U8(num.bits/32+1), step)
		LEAQ(Mem{Base: step, Index: step, Scale: 2}, step3)
		bases := []Register{base}
		if side == 8 {
			bases = append(bases, GP64())
			LEAQ(Mem{Base: base, Index: step, Scale: 4}, bases[1])
		}
		at = func(i int) Mem { return rowAt(bases[i/4], step, step3, i%4) }
		move = func(by int) {
			for _, b := range bases {
				if by > 0 {
					ADDQ(U8(by), b)
				} else {
					LEAQ(Mem{Base: b, Index: step, Scale: uint8(side)}, b)
				}
			}
		}
		return at, move
	}
	src, right := rows("src", "ld")
	dst, down := rows("dst", "width")
	n := Load(Param("n"), GP64())
	alpha := avx2.argument("alpha", num)
	Label("loop")
	TESTQ(n, n)
	JEQ(LabelRef("done"))
	r := make([]VecVirtual, side)
	for i := range r {
		r[i] = YMM()
		VMOVUPS(src(i), r[i])
	}
	transpose(r)
	for i := range r {
		num.mul(alpha, r[i], r[i])
		VMOVUPS(r[i], dst(i))
	}
	right(avx2.bytes)
	down(0)
	DECQ(n)
	JMP(LabelRef("loop"))
	Label("done")
	end()
}
