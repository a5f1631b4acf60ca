package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// roundToInteger, added to a float64, leaves the nearest integer in the low bits in two's complement.
const roundToInteger = 3 << 51

// series returns the polynomial Σᵢ ±xⁱ/k!, with k = first + i·step up to last and the given signs for even and odd i.
func (v vector) series(x VecVirtual, first, step, last int, signs [2]float64) VecVirtual {
	term := func(k int) Mem {
		sign, factorial := signs[(k-first)/step%2], 1.
		for i := range k {
			factorial *= float64(i + 1)
		}
		name := "factorial"
		if sign < 0 {
			name = "minusFactorial"
		}
		return lanes(fmt.Sprint(name, k), float64s, math.Float64bits(sign/factorial))
	}
	r := v.new()
	VBROADCASTSD(term(last), r)
	for k := last - step; k >= first; k -= step {
		if v.bytes == 64 { // too many terms for registers
			VFMADD213PD_BCST(term(k), x, r)
		} else {
			VFMADD213PD(term(k), x, r)
		}
	}
	return r
}

// exp64 generates Exp64; see exp64Go for the steps.
func exp64(v vector) {
	v.function("exp64", "(dst, x []float64)")
	dst, x := base("dst"), base("x")
	least, most, one := v.constant64("exp64Least", -746), v.constant64("exp64Most", 710), v.constant64("one64", 1)
	log2e, ln2Upper, ln2Lower := v.constant64("log2e64", math.Log2E), v.constant64("ln2Upper64", 0x1.62e42fefa38p-1), v.constant64("ln2Lower64", 0x1.ef35793c7673p-45)
	v.loopOver(float64s, length("dst"), 1, func(p place, _ int) {
		r := p.load(x)
		limit := p.register(least)
		VMAXPD(r, limit, r) // with a NaN, returns the first operand
		limit = p.register(most)
		VMINPD(r, limit, r)
		n := p.new()
		VMULPD(log2e, r, n)
		if p.bytes == 64 {
			VRNDSCALEPD(U8(0), n, n)
		} else {
			VROUNDPD(U8(0), n, n)
		}
		VFNMADD231PD(ln2Upper, n, r)
		VFNMADD231PD(ln2Lower, n, r)
		q := p.series(r, 2, 1, 13, [2]float64{1, 1})
		square := p.new()
		VMULPD(r, r, square)
		VFMADD213PD(r, square, q)
		VADDPD(one, q, q)
		p.scale64(q, n)
		p.store(q, dst)
	})
	end()
}

// scale64 multiplies p by 2ⁿ with one rounding. AVX2 uses two factors, because 2ⁿ may not be a normal float64.
func (v vector) scale64(p, n VecVirtual) {
	if v.bytes == 64 {
		VSCALEFPD(n, p, p)
		return
	}
	half := v.new()
	VMULPD(v.constant64("half64", 0.5), n, half)
	VROUNDPD(U8(0), half, half)
	VSUBPD(half, n, n)
	for _, f := range []VecVirtual{half, n} {
		VADDPD(v.constant64("roundToExponent", roundToInteger+1023), f, f)
		VPSLLQ(U8(52), f, f)
		VMULPD(f, p, p)
	}
}

// sinCos64 generates sinCos64, which stops before the first vector with a NaN or a number beyond the bound and returns the
// number of elements processed; see sinCos64Go for the steps.
func sinCos64(v vector) {
	v.function("sinCos64", "(sin, cos, x []float64) int")
	sin, cos, x, done := base("sin"), base("cos"), base("x"), GP64()
	absolute, bound := v.pattern("absolute", float64s, 1<<63-1), v.constant64("sinCosBound", 8192)
	twoOverPi, round := v.constant64("twoOverPi", 2/math.Pi), v.constant64("roundToInteger", roundToInteger)
	upper, middle, lower := v.constant64("halfPiUpper", 0x1.921fb54442p+0), v.constant64("halfPiMiddle", 0x1.a308d31318p-41), v.constant64("halfPiLower", 0x1.8a2e03707344ap-81)
	one, sign := v.pattern("integerOne", float64s, 1), v.pattern("sign64", float64s, 1<<63)
	v.loopOver(float64s, length("x"), 1, func(p place, _ int) {
		MOVQ(p.index, done)
		r, abs := p.load(x), p.new()
		VANDPD(absolute, r, abs)
		p.jumpUnless(abs, bound, "stop")

		t, n := p.register(round), p.new()
		VFMADD231PD(twoOverPi, r, t)
		VSUBPD(round, t, n)
		VFNMADD231PD(upper, n, r)
		VFNMADD231PD(middle, n, r)
		VFNMADD231PD(lower, n, r)

		square, cube := p.new(), p.new()
		VMULPD(r, r, square)
		VMULPD(r, square, cube)
		s := p.series(square, 3, 2, 17, [2]float64{-1, 1})
		VFMADD213PD(r, cube, s)
		c := p.series(square, 0, 2, 16, [2]float64{1, -1})

		odd := p.new()
		VPSLLQ(U8(63), t, odd)
		sinOut, cosOut := p.swap(odd, s, c)
		p.negate(sinOut, t, sign)
		VPADDQ(one, t, t)
		p.negate(cosOut, t, sign)
		p.store(sinOut, sin)
		p.store(cosOut, cos)
	})
	Load(Param("x").Len(), done)
	Label("stop")
	Store(done, ReturnIndex(0))
	end()
}

// jumpUnless jumps to label unless all of x are at most bound. It consumes x.
func (v vector) jumpUnless(x VecVirtual, bound Op, label string) {
	const notAtMost = U8(0x16) // true for NaN
	if v.bytes == 64 {
		beyond := K()
		VCMPPD(notAtMost, bound, x, beyond)
		KORTESTB(beyond, beyond)
	} else {
		beyond := GP32()
		VCMPPD(notAtMost, bound, x, x)
		VMOVMSKPD(x, beyond)
		TESTL(beyond, beyond)
	}
	JNE(LabelRef(label))
}

// swap returns a and b, swapped in the lanes where which has its sign bit set.
func (v vector) swap(which, a, b VecVirtual) (first, second VecVirtual) {
	first, second = v.new(), v.new()
	if v.bytes == 64 {
		k := K()
		VPMOVQ2M(which, k)
		VBLENDMPD(b, a, k, first)
		VBLENDMPD(a, b, k, second)
	} else {
		VBLENDVPD(which, b, a, first)
		VBLENDVPD(which, a, b, second)
	}
	return first, second
}

// negate negates r where bit 1 of the integer n is set; sign is a vector of sign bits.
func (v vector) negate(r, n VecVirtual, sign Op) {
	bit := v.new()
	VPSLLQ(U8(62), n, bit)
	VANDPD(sign, bit, bit)
	VXORPD(bit, r, r)
}
