package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// blockQueries is the number of queries in a block, which are the columns of its scores: one or two vectors for each
// key, so that no sum is over lanes.
const blockQueries = 16

// attention generates gather and the passes over the scores of a block of queries. Loops take two vectors at a time.
// These are the queries of one key, or belong to two keys; their accumulators are then combined.
func attention(v vector) {
	one := blockQueries*4 == v.bytes // vector holds all queries
	halves := func(x []VecVirtual, combine func(ops ...Op)) []VecVirtual {
		if one {
			combine(x[1], x[0], x[0])
			return []VecVirtual{x[0], x[0]}
		}
		return x
	}
	load := func(from Register, disp int) []VecVirtual {
		x := []VecVirtual{v.new(), v.new()}
		for i := range x {
			if one && i == 1 {
				return []VecVirtual{x[0], x[0]}
			}
			VMOVUPS(Mem{Base: from, Disp: disp + i*v.bytes}, x[i])
		}
		return x
	}
	store := func(x []VecVirtual, to Register, disp int) {
		for i := range 4 * blockQueries / v.bytes {
			VMOVUPS(x[i], Mem{Base: to, Disp: disp + i*v.bytes})
		}
	}

	v.function("softmaxColumns", "(p, stats []float32)")
	p, stats := base("p"), base("stats")
	minusInf := v.register(v.constant("minusInf", float32(math.Inf(-1))))
	most := []VecVirtual{v.register(minusInf), v.register(minusInf)}
	v.loopWhole("most", float32s, length("p"), 2, func(at place, i int) {
		VMAXPS(at.mem(p), most[i], most[i])
	})
	largest := halves(most, VMAXPS)
	store(largest, stats, 0)
	e := newExponential(v)
	least := v.constant("probabilityLeast", -87)
	sums := []VecVirtual{v.zeros(), v.zeros()}
	v.loopWhole("exp", float32s, length("p"), 2, func(at place, i int) {
		x := at.load(p)
		VSUBPS(largest[i], x, x)
		x = v.expOrZero(e, x, least)
		at.store(x, p)
		VADDPS(x, sums[i], sums[i])
	})
	sums = halves(sums, VADDPS)
	r := []VecVirtual{v.register(e.one), v.register(e.one)}
	for i := range r {
		VDIVPS(sums[i], r[i], r[i])
	}
	store(r, stats, 4*blockQueries)
	v.loopWhole("scale", float32s, length("p"), 2, func(at place, i int) {
		x := v.new()
		VMULPS(at.mem(p), r[i], x)
		at.store(x, p)
	})
	end()

	v.function("softmaxColumnsGrad", "(p, dp, stats []float32, scale float32)")
	p, stats = base("p"), base("stats")
	dp := base("dp")
	largest = load(stats, 0)
	reciprocal := load(stats, 4*blockQueries)
	e = newExponential(v)
	least = v.constant("probabilityLeast", -87)
	sums = []VecVirtual{v.zeros(), v.zeros()}
	v.loopWhole("exp", float32s, length("p"), 2, func(at place, i int) {
		x := at.load(p)
		VSUBPS(largest[i], x, x)
		x = v.expOrZero(e, x, least)
		VMULPS(reciprocal[i], x, x)
		at.store(x, p)
		VFMADD231PS(at.mem(dp), x, sums[i])
	})
	sums = halves(sums, VADDPS)
	scale := v.argument("scale", float32s)
	v.loopWhole("grad", float32s, length("p"), 2, func(at place, i int) {
		d := at.load(dp)
		VSUBPS(sums[i], d, d)
		VMULPS(at.mem(p), d, d)
		VMULPS(scale, d, d)
		at.store(d, dp)
	})
	end()

	v.function("gather", "(dst []float32, width int, src []float32, ld, rows, cols int)")
	dst, width := base("dst"), Load(Param("width"), GP64())
	src, ld := base("src"), Load(Param("ld"), GP64())
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
