package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// pack generates packRows: k rows of a matrix, ld apart, times alpha, are split into panels of two vectors, step apart.
// It prefetches eight rows ahead: each row is on another page, which hardware prefetching does not follow.
func pack(v vector, num number) {
	v.function(fmt.Sprint("pack", num.bits), fmt.Sprintf(
		"(dst *%[1]s, step int, src *%[1]s, ld, k, panels int, alpha %[1]s)", num.name))
	dst, step := Load(Param("dst"), GP64()), Load(Param("step"), GP64())
	src, ld := Load(Param("src"), GP64()), Load(Param("ld"), GP64())
	k, panels := Load(Param("k"), GP64()), Load(Param("panels"), GP64())
	alpha := v.argument("alpha", num)
	SHLQ(U8(num.bits/32+1), step)
	SHLQ(U8(num.bits/32+1), ld)

	Label("row")
	TESTQ(k, k)
	JEQ(LabelRef("done"))
	to, from, left := GP64(), GP64(), GP64()
	MOVQ(dst, to)
	MOVQ(src, from)
	MOVQ(panels, left)
	Label("panel")
	for line := 0; line < 2*v.bytes; line += 64 {
		PREFETCHT0(Mem{Base: from, Index: ld, Scale: 8, Disp: line})
	}
	for i := range 2 {
		r := v.new()
		num.mul(Mem{Base: from, Disp: i * v.bytes}, alpha, r)
		VMOVUPS(r, Mem{Base: to, Disp: i * v.bytes})
	}
	ADDQ(U32(2*v.bytes), from)
	ADDQ(step, to)
	DECQ(left)
	JNE(LabelRef("panel"))
	ADDQ(U32(2*v.bytes), dst)
	ADDQ(ld, src)
	DECQ(k)
	JMP(LabelRef("row"))
	Label("done")
	end()
}
