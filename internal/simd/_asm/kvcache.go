package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// kvCache generates the attention of one query. Each of its three passes goes over all heads, so that the processor can
// overlap their independent sums.
func kvCache(v vector) {
	v.function("attend", "(y, q, p, keys, values []float32, heads, columns, n, lanes, stride int, scale float32)")
	parameter := func(name string) Register { return Load(Param(name), GP64()) }
	bytes := func(name string) Register {
		r := parameter(name)
		SHLQ(U8(2), r)
		return r
	}

	// p = qᵀK·scale, one vector per block of keys, which are read sequentially.
	key, q, p, columns := base("keys"), base("q"), base("p"), parameter("columns")
	row, stride := bytes("lanes"), bytes("stride")
	scale := v.argument("scale", float32s)
	v.loopNamed("scores", float32s, parameter("n"), 1, func(at place, _ int) {
		name := at.label("score")
		query, score, heads := GP64(), GP64(), parameter("heads")
		MOVQ(q, query)
		LEAQ(at.mem(p), score)
		Label(name + "head")
		left := GP64()
		MOVQ(columns, left)
		sum := at.sumProducts(name+"column", left, query, key, row)
		VMULPS(scale, sum, sum)
		VMOVUPS(sum, Mem{Base: score})
		ADDQ(stride, score)
		DECQ(heads)
		JNE(LabelRef(name + "head"))
	})

	// p = softmax(p), row by row.
	p, heads := base("p"), parameter("heads")
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
	total, r := v.reduce(sum, VADDPS), v.register(e.one)
	VDIVSS(total, r.AsX(), r.AsX()) // several times faster than a whole vector
	VBROADCASTSS(r.AsX(), r)
	v.loopNamed("scale", float32s, parameter("n"), 1, func(at place, _ int) {
		s := at.load(p)
		VMULPS(r, s, s)
		at.store(s, p)
	})
	ADDQ(stride, p)
	DECQ(heads)
	JNE(LabelRef("softmax"))

	// y = Vᵀp, one vector of columns at a time.
	p, heads, columns = base("p"), parameter("heads"), bytes("columns")
	stride = bytes("stride")
	y, value, n, width := base("y"), base("values"), parameter("n"), GP64()
	MOVQ(columns, width)
	IMULQ(heads, width)
	Label("read")
	v.loopNamed("columns", float32s, parameter("columns"), 1, func(at place, _ int) {
		name := at.label("read")
		x, probability, left := GP64(), GP64(), GP64()
		LEAQ(at.mem(value), x)
		MOVQ(p, probability)
		MOVQ(n, left)
		sum := at.sumProducts(name+"token", left, probability, x, width)
		at.store(sum, y)
	})
	ADDQ(columns, y)
	ADDQ(columns, value)
	ADDQ(stride, p)
	DECQ(heads)
	JNE(LabelRef("read"))
	end()
}

// sumProducts returns Σaᵢxᵢ for n numbers at a and the vectors at x, which are step apart. It advances a and x, and
// consumes n.
func (p place) sumProducts(name string, n, a, x, step Register) VecVirtual {
	sums := p.zeroChains()
	product := func(sum VecVirtual) {
		element := p.new()
		VBROADCASTSS(Mem{Base: a}, element)
		if p.mask == nil {
			VFMADD231PS(Mem{Base: x}, element, sum)
		} else {
			r := p.new()
			p.loadMasked(Mem{Base: x}, p.mask, r, p.num)
			VFMADD231PS(r, element, sum)
		}
		ADDQ(U8(4), a)
		ADDQ(step, x)
	}
	Label(name)
	SUBQ(U8(len(sums)), n)
	JLT(LabelRef(name + "few"))
	for _, sum := range sums {
		product(sum)
	}
	JMP(LabelRef(name))
	Label(name + "few")
	ADDQ(U8(len(sums)), n)
	JEQ(LabelRef(name + "done"))
	Label(name + "one")
	product(sums[0])
	DECQ(n)
	JNE(LabelRef(name + "one"))
	Label(name + "done")
	for _, sum := range sums[1:] {
		VADDPS(sum, sums[0], sums[0])
	}
	return sums[0]
}

// label returns name, or another for a partial vector: the body of a loop is generated twice.
func (p place) label(name string) string {
	if p.mask != nil {
		return name + "Part"
	}
	return name
}
