package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// chains is the number of partial sums of a reduction, enough to hide the latency of additions.
const chains = 4

func (v vector) zeroChains() []VecVirtual {
	sums := make([]VecVirtual, chains)
	for i := range sums {
		sums[i] = v.zeros()
	}
	return sums
}

// reductions generates the functions of slices that return a number.
func reductions(v vector) {
	v.function("dot", "(x, y []float32) float32")
	x, y, sums := base("x"), base("y"), v.zeroChains()
	v.loop(length("x"), chains, func(p place, i int) {
		VFMADD231PS(p.load(y), p.load(x), sums[i])
	})
	Store(v.reduceAll(sums, VADDPS), ReturnIndex(0))
	end()

	v.function("sumSquares", "(x []float32) float64")
	x, sums = base("x"), v.zeroChains()
	v.loop(length("x"), chains/2, func(p place, i int) {
		lower := p.load(x)
		upper := p.new()
		if p.bytes == 64 {
			VEXTRACTF32X8(U8(1), lower, upper.AsY())
			VCVTPS2PD(lower.AsY(), lower)
			VCVTPS2PD(upper.AsY(), upper)
		} else {
			VEXTRACTF128(U8(1), lower, upper.AsX())
			VCVTPS2PD(lower.AsX(), lower)
			VCVTPS2PD(upper.AsX(), upper)
		}
		VFMADD231PD(lower, lower, sums[2*i])
		VFMADD231PD(upper, upper, sums[2*i+1])
	})
	Store(v.reduceDoubles(sums), ReturnIndex(0))
	end()

	v.function("maximum", "(x []float32) float32")
	x = base("x")
	least := v.register(v.constant("minusInf", float32(math.Inf(-1))))
	most := make([]VecVirtual, chains)
	for i := range most {
		most[i] = v.register(least)
	}
	v.loop(length("x"), chains, func(p place, i int) {
		r := p.load(x)
		p.fillRest(r, least)
		VMAXPS(r, most[i], most[i])
	})
	Store(v.reduceAll(most, VMAXPS), ReturnIndex(0))
	end()
}

// reduceDoubles returns the sum of all float64 lanes of rs.
func (v vector) reduceDoubles(rs []VecVirtual) Register {
	VADDPD(rs[2], rs[0], rs[0])
	VADDPD(rs[3], rs[1], rs[1])
	r := rs[0]
	VADDPD(rs[1], r, r)
	if v.bytes == 64 {
		upper := YMM()
		VEXTRACTF64X4(U8(1), r, upper)
		VADDPD(upper, r.AsY(), r.AsY())
	}
	other := XMM()
	VEXTRACTF128(U8(1), r.AsY(), other)
	VADDPD(other, r.AsX(), r.AsX())
	VPERMILPD(U8(1), r.AsX(), other)
	VADDPD(other, r.AsX(), r.AsX())
	return r.AsX()
}
