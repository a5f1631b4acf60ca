package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// solve generates the forward substitution of SolveLower64 for four rows at a time; a register holds one column of them.
// AVX-512 uses it, too.
func solve() {
	declare("solve8", "(l *float64, ldl int, inverse *float64, x *float64, ldx, fours int)")
	inverse, fours := Load(Param("inverse"), GP64()), Load(Param("fours"), GP64())
	l := Load(Param("l"), GP64())
	ldl := Load(Param("ldl"), GP64())
	x := Load(Param("x"), GP64())
	ldx := Load(Param("ldx"), GP64())
	SHLQ(U8(3), ldl)
	SHLQ(U8(3), ldx)
	ldx3 := GP64()
	LEAQ(Mem{Base: ldx, Index: ldx, Scale: 2}, ldx3)
	at := func(row, column int) Mem { // of X
		m := rowAt(x, ldx, ldx3, row)
		m.Disp = 8 * column
		return m
	}

	Label("loop")
	TESTQ(fours, fours)
	JEQ(LabelRef("done"))
	columns := make([]VecVirtual, 8)
	for half := 0; half < 8; half += 4 {
		r := columns[half : half+4]
		for i := range r {
			r[i] = YMM()
			VMOVUPS(at(i, half), r[i])
		}
		transpose4(r)
	}
	row := GP64()
	MOVQ(l, row)
	for c := range columns {
		for p := range c {
			e := YMM()
			VBROADCASTSD(Mem{Base: row, Disp: 8 * p}, e)
			VFNMADD231PD(e, columns[p], columns[c])
		}
		e := YMM()
		VBROADCASTSD(Mem{Base: inverse, Disp: 8 * c}, e)
		VMULPD(e, columns[c], columns[c])
		ADDQ(ldl, row)
	}
	for half := 0; half < 8; half += 4 {
		r := columns[half : half+4]
		transpose4(r)
		for i := range r {
			VMOVUPS(r[i], at(i, half))
		}
	}
	LEAQ(Mem{Base: x, Index: ldx, Scale: 4}, x)
	DECQ(fours)
	JMP(LabelRef("loop"))
	Label("done")
	end()
}
