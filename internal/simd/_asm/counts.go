package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// counts generates the functions of counts of features.
func counts(v vector) {
	const block = 64 // sums at a time

	v.function("addMinima", "(sums []uint32, table []uint8, at []int, most []uint8)")
	sums, n, table, at, most, rows := base("sums"), length("sums"), base("table"), base("at"), base("most"), length("at")
	parts := block / v.bytes
	Label("block")
	CMPQ(n, U8(0))
	JLE(LabelRef("done"))
	bytes := make([]VecVirtual, parts)
	for i := range bytes {
		bytes[i] = v.zeros()
	}
	k := GP64()
	XORQ(k, k)
	Label("row")
	row, limit := GP64(), v.new()
	MOVQ(Mem{Base: at, Index: k, Scale: 8}, row)
	VPBROADCASTB(Mem{Base: most, Index: k, Scale: 1}, limit)
	for i, sum := range bytes {
		least := v.new()
		VPMINUB(Mem{Base: table, Index: row, Scale: 1, Disp: i * v.bytes}, limit, least)
		VPADDB(least, sum, sum)
	}
	INCQ(k)
	CMPQ(k, rows)
	JLT(LabelRef("row"))
	// Bytes are widened from memory, where any eighth of a vector can be read.
	spill := AllocLocal(block)
	for i, sum := range bytes {
		VMOVUPS(sum, spill.Offset(i*v.bytes))
	}
	lanes := v.lanes()
	for i := range block / lanes {
		wide := v.new()
		VPMOVZXBD(spill.Offset(i*lanes), wide)
		to := Mem{Base: sums, Disp: 4 * i * lanes}
		VPADDD(to, wide, wide)
		VMOVUPS(wide, to)
	}
	ADDQ(U32(block), table)
	ADDQ(U32(4*block), sums)
	SUBQ(U32(block), n)
	JMP(LabelRef("block"))
	Label("done")
	end()

	v.function("addCounts", "(dst, x, y []uint32)")
	dst, x, y := base("dst"), base("x"), base("y")
	v.loop(length("dst"), 4, func(p place, _ int) {
		r := p.load(x)
		VPADDD(p.load(y), r, r)
		p.store(r, dst)
	})
	end()

	// The lengths are multiples of 8.
	v.function("addProducts", "(dst []float64, alpha float64, x []uint32, y []float64)")
	alpha := v.argument("alpha", float64s)
	dst, x, y = base("dst"), base("x"), base("y")
	v.loopWhole("", float64s, length("dst"), 8*8/v.bytes, func(p place, _ int) {
		r := v.new()
		count := p.mem(x)
		count.Scale, count.Disp = 4, p.disp/2
		VCVTDQ2PD(count, r)
		VMULPD(alpha, r, r)
		sum := p.load(dst)
		VFMADD231PD(p.load(y), r, sum)
		p.store(sum, dst)
	})
	end()
}
