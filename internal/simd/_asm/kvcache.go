package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// kvCache writes the attention of one query. Each of its three passes goes over all heads, so that the processor has
// those at hand that do not wait for each other's sums.
func kvCache(v vector) {
	function("attend"+v.name, "(y, q, p, keys, values *float32, heads, columns, n, lanes, stride int, scale float32)")
	parameter := func(name string) Register { return Load(Param(name), GP64()) }
	bytes := func(name string) Register {
		r := parameter(name)
		SHLQ(U8(2), r)
		return r
	}

	// p = qᵀK·scale, a vector for each block of keys, which are read from end to end.
	key, q, p, columns := parameter("keys"), parameter("q"), parameter("p"), parameter("columns")
	row, stride := bytes("lanes"), bytes("stride")
	scale := v.argument("scale", float32s)
	v.loopNamed("scores", float32s, parameter("n"), 1, func(at place, _ int) {
		name := at.label("score")
		query, score, heads := GP64(), GP64(), parameter("heads")
		MOVQ(q, query)
		LEAQ(at.mem(p), score)
		Label(name + "head")
		sum, left := v.zeros(), GP64()
		MOVQ(columns, left)
		Label(name + "column")
		element, k := v.new(), v.new()
		VBROADCASTSS(Mem{Base: query}, element)
		if at.mask == nil {
			VMOVUPS(Mem{Base: key}, k)
		} else {
			v.loadMasked(Mem{Base: key}, at.mask, k, 4)
		}
		VFMADD231PS(k, element, sum)
		ADDQ(U8(4), query)
		ADDQ(row, key)
		DECQ(left)
		JNE(LabelRef(name + "column"))
		VMULPS(scale, sum, sum)
		VMOVUPS(sum, Mem{Base: score})
		ADDQ(stride, score)
		DECQ(heads)
		JNE(LabelRef(name + "head"))
	})

	// p = softmax(p), row by row.
	p, heads := parameter("p"), parameter("heads")
	stride = bytes("stride")
	minusInf := v.register(v.constant("minusInf", float32(math.Inf(-1))))
	e := newExponential(v)
	least := v.constant("probabilityLeast", -87)
	Label("softmax")
	most := v.copyOf(minusInf)
	v.loopNamed("most", float32s, parameter("n"), 1, func(at place, _ int) {
		s := at.load(p)
		at.fillRest(s, minusInf)
		VMAXPS(s, most, most)
	})
	largest := v.new()
	VBROADCASTSS(v.reduce(most, VMAXPS), largest)
	sum := v.zeros()
	v.loopNamed("exp", float32s, parameter("n"), 1, func(at place, _ int) {
		s := at.load(p)
		VSUBPS(largest, s, s)
		s = v.expOrZero(e, s, least)
		at.clearRest(s)
		VADDPS(s, sum, sum)
		at.store(s, p)
	})
	total, r := v.new(), v.register(e.one)
	VBROADCASTSS(v.reduce(sum, VADDPS), total)
	VDIVPS(total, r, r)
	v.loopNamed("scale", float32s, parameter("n"), 1, func(at place, _ int) {
		s := at.load(p)
		VMULPS(r, s, s)
		at.store(s, p)
	})
	ADDQ(stride, p)
	DECQ(heads)
	JNE(LabelRef("softmax"))

	// y = Vᵀp, the columns of a vector at a time.
	p, heads, columns = parameter("p"), parameter("heads"), bytes("columns")
	stride = bytes("stride")
	y, value, n, width := parameter("y"), parameter("values"), parameter("n"), GP64()
	MOVQ(columns, width)
	IMULQ(heads, width)
	Label("read")
	v.loopNamed("columns", float32s, parameter("columns"), 1, func(at place, _ int) {
		name := at.label("read")
		x, probability, left, sum := GP64(), GP64(), GP64(), v.zeros()
		LEAQ(at.mem(value), x)
		MOVQ(p, probability)
		MOVQ(n, left)
		Label(name + "token")
		element, r := v.new(), v.new()
		VBROADCASTSS(Mem{Base: probability}, element)
		if at.mask == nil {
			VMOVUPS(Mem{Base: x}, r)
		} else {
			v.loadMasked(Mem{Base: x}, at.mask, r, 4)
		}
		VFMADD231PS(r, element, sum)
		ADDQ(U8(4), probability)
		ADDQ(width, x)
		DECQ(left)
		JNE(LabelRef(name + "token"))
		at.store(sum, y)
	})
	ADDQ(columns, y)
	ADDQ(columns, value)
	ADDQ(stride, p)
	DECQ(heads)
	JNE(LabelRef("read"))
	end()
}

// label returns name, or another where a vector is partial: a loop's body is written twice.
func (p place) label(name string) string {
	if p.mask != nil {
		return name + "Part"
	}
	return name
}
