package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// attention generates gather and the passes over the scores of a block of queries. Queries are the lanes of a vector,
// with one vector per key, so that no sum is over lanes.
func attention(v vector) {
	v.function("softmaxColumns", "(p, stats []float32)")
	p, stats := base("p"), base("stats")
	minusInf := v.register(v.constant("minusInf", float32(math.Inf(-1))))
	most := make([]VecVirtual, chains)
	for i := range most {
		most[i] = v.register(minusInf)
	}
	v.loopWhole("most", float32s, length("p"), chains, func(at place, i int) {
		VMAXPS(at.mem(p), most[i], most[i])
	})
	largest := combine(most, VMAXPS)
	VMOVUPS(largest, Mem{Base: stats})
	e := newExponential(v)
	least := v.constant("probabilityLeast", -87)
	sums := []VecVirtual{v.zeros(), v.zeros()}
	v.loopWhole("exp", float32s, length("p"), len(sums), func(at place, i int) {
		x := at.load(p)
		VSUBPS(largest, x, x)
		x = v.expOrZero(e, x, least)
		at.store(x, p)
		VADDPS(x, sums[i], sums[i])
	})
	VADDPS(sums[1], sums[0], sums[0])
	r := v.register(e.one)
	VDIVPS(sums[0], r, r)
	VMOVUPS(r, Mem{Base: stats, Disp: v.bytes})
	v.loopWhole("scale", float32s, length("p"), chains, func(at place, _ int) {
		x := v.new()
		VMULPS(at.mem(p), r, x)
		at.store(x, p)
	})
	end()

	v.function("softmaxColumnsGrad", "(p, dp, stats []float32, scale float32)")
	p, stats = base("p"), base("stats")
	dp := base("dp")
	largest = v.new()
	reciprocal := v.new()
	VMOVUPS(Mem{Base: stats}, largest)
	VMOVUPS(Mem{Base: stats, Disp: v.bytes}, reciprocal)
	e = newExponential(v)
	least = v.constant("probabilityLeast", -87)
	sums = []VecVirtual{v.zeros(), v.zeros()}
	v.loopWhole("exp", float32s, length("p"), len(sums), func(at place, i int) {
		x := at.load(p)
		VSUBPS(largest, x, x)
		x = v.expOrZero(e, x, least)
		VMULPS(reciprocal, x, x)
		at.store(x, p)
		VFMADD231PS(at.mem(dp), x, sums[i])
	})
	VADDPS(sums[1], sums[0], sums[0])
	scale := v.argument("scale", float32s)
	v.loopWhole("grad", float32s, length("p"), chains, func(at place, _ int) {
		d := at.load(dp)
		VSUBPS(sums[0], d, d)
		VMULPS(at.mem(p), d, d)
		VMULPS(scale, d, d)
		at.store(d, dp)
	})
	end()

	v.function("gatherRows", "(dst *float32, width int, src *float32, ld, rows, cols int)")
	dst, width := Load(Param("dst"), GP64()), Load(Param("width"), GP64())
	src, ld := Load(Param("src"), GP64()), Load(Param("ld"), GP64())
	rows, cols := Load(Param("rows"), GP64()), Load(Param("cols"), GP64())
	SHLQ(U8(2), width)
	SHLQ(U8(2), ld)
	v.loop(cols, 1, func(at place, _ int) {
		name := "whole"
		if at.mask != nil {
			name = "part"
		}
		from, to, left := GP64(), GP64(), GP64()
		LEAQ(at.mem(src), from)
		LEAQ(at.mem(dst), to)
		MOVQ(rows, left)
		Label(name)
		VMOVUPS(at.loadAt(Mem{Base: from}), Mem{Base: to})
		ADDQ(ld, from)
		ADDQ(width, to)
		DECQ(left)
		JNE(LabelRef(name))
	})
	end()
}

// expOrZero returns eˣ for x between least and 0, and 0 below least, to avoid denormals. It consumes x.
func (v vector) expOrZero(e exponential, x VecVirtual, least Op) VecVirtual {
	const notLessOrEqual = U8(0x16) // true for NaN
	limit := v.register(least)
	var above Register = v.new()
	if v.bytes == 64 {
		above = K()
	}
	VCMPPS(notLessOrEqual, limit, x, above)
	VMAXPS(x, limit, x) // with a NaN, returns the first operand
	q, n := e.expm1(x)
	VADDPS(e.one, q, q)
	e.scale(q, n)
	if v.bytes == 64 {
		VMOVAPS_Z(q, above, q)
	} else {
		VANDPS(above, q, q)
	}
	return q
}
