package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// exponential holds the constants of exp; see expm1 in ../exp.go.
type exponential struct {
	vector
	log2e, ln2Upper, ln2Lower Op // ln2Upper is short, so that its multiples are exact
	terms                     []Op
	one, bias                 Op // bias of the exponent of a float32
}

func newExponential(v vector) exponential {
	return exponential{
		vector:   v,
		log2e:    v.constant("log2e", 1.44269504),
		ln2Upper: v.constant("ln2Upper", 355./512),
		ln2Lower: v.constant("ln2Lower", -2.12194440e-4),
		terms: []Op{
			v.constant("term7", 1./5040), v.constant("term6", 1./720), v.constant("term5", 1./120),
			v.constant("term4", 1./24), v.constant("term3", 1./6), v.constant("term2", 1./2),
		},
		one:  v.constant("one", 1),
		bias: v.pattern("bias", float32s, 127),
	}
}

// clamp clamps x to [lo, hi]; NaN stays NaN.
func (v vector) clamp(x VecVirtual, lo, hi Op) {
	r := v.register(lo)
	VMAXPS(x, r, x) // with a NaN, returns the first operand
	r = v.register(hi)
	VMINPS(x, r, x)
}

// expm1 returns n and q such that eˣ = (1 + q)·2ⁿ. It consumes x, which must be clamped.
func (e exponential) expm1(x VecVirtual) (q, n VecVirtual) {
	n = e.new()
	VMULPS(e.log2e, x, n)
	if e.bytes == 64 {
		VRNDSCALEPS(U8(0), n, n)
	} else {
		VROUNDPS(U8(0), n, n)
	}
	r := x
	VFNMADD231PS(e.ln2Upper, n, r)
	VFNMADD231PS(e.ln2Lower, n, r)
	q = e.register(e.terms[0])
	for _, term := range e.terms[1:] {
		VFMADD213PS(term, r, q)
	}
	square := e.new()
	VMULPS(r, r, square)
	VFMADD213PS(r, square, q)
	return q, n
}

// scale multiplies p by 2ⁿ with one rounding. AVX2 uses two factors, because 2ⁿ may not be a normal float32.
func (e exponential) scale(p, n VecVirtual) {
	if e.bytes == 64 {
		VSCALEFPS(n, p, p)
		return
	}
	half := e.new()
	VCVTPS2DQ(n, n)
	VPSRAD(U8(1), n, half)
	VPSUBD(half, n, n)
	for _, f := range []VecVirtual{half, n} {
		VPADDD(e.bias, f, f)
		VPSLLD(U8(23), f, f)
		VMULPS(f, p, p)
	}
}

// power returns 2ⁿ, a normal float32.
func (e exponential) power(n VecVirtual) VecVirtual {
	if e.bytes == 64 {
		r := e.register(e.one)
		VSCALEFPS(n, r, r)
		return r
	}
	VCVTPS2DQ(n, n)
	VPADDD(e.bias, n, n)
	VPSLLD(U8(23), n, n)
	return n
}

// hyperbolic holds the constants of tanh; see tanhGo in ../gru.go.
type hyperbolic struct {
	exponential
	sign, twenty, two Op
}

func newTanh(v vector) hyperbolic {
	return hyperbolic{newExponential(v), v.pattern("sign", float32s, 1<<31), v.constant("twenty", 20), v.constant("two", 2)}
}

// apply returns tanh x. It consumes x.
func (h hyperbolic) apply(x VecVirtual) VecVirtual {
	s := h.new()
	VANDPS(h.sign, x, s)
	VXORPS(s, x, x)
	VADDPS(x, x, x)
	limit := h.register(h.twenty) // tanh 20 rounds to 1
	VMINPS(x, limit, x)
	q, n := h.expm1(x)
	power := h.power(n)
	t := h.register(power)
	VSUBPS(h.register(h.one), t, t)
	VFMADD231PS(power, q, t) // t = q·2ⁿ + (2ⁿ − 1)
	VADDPS(h.two, t, q)
	VDIVPS(q, t, t)
	VORPS(s, t, t)
	return t
}

// hardSigmoid holds the constants of the hard sigmoid.
type hardSigmoid struct{ slope, half, zero, one VecVirtual }

func newHardSigmoid(v vector) hardSigmoid {
	return hardSigmoid{v.register(v.constant("fifth", 0.2)), v.register(v.constant("term2", 0.5)), v.zeros(), v.register(v.constant("one", 1))}
}

// apply replaces x by its hard sigmoid.
func (h hardSigmoid) apply(x VecVirtual) {
	VFMADD213PS(h.half, h.slope, x)
	VMAXPS(x, h.zero, x) // with a NaN, returns the first operand
	VMINPS(x, h.one, x)
}

// reluGrad generates the gradient of ReLU.
func reluGrad(v vector) {
	v.function("reluGrad", "(dy, y []float32)")
	dy, y := base("dy"), base("y")
	zero := v.zeros()
	v.loop(length("dy"), 4, func(p place, _ int) {
		d := p.load(dy)
		v.keep(d, p.load(y), zero, greaterThan)
		p.store(d, dy)
	})
	end()
}

// copyOf returns a copy of x in a new register.
func (v vector) copyOf(x VecVirtual) VecVirtual {
	r := v.new()
	VMOVAPS(x, r)
	return r
}

// Predicates of a comparison.
const (
	lessThan    = U8(0x01)
	greaterThan = U8(0x1e)
)

// keep sets r to 0 where the comparison of y with limit is false.
func (v vector) keep(r, y, limit VecVirtual, predicate U8) {
	if v.bytes == 64 {
		k := K()
		VCMPPS(predicate, limit, y, k)
		VMOVAPS_Z(r, k, r)
		return
	}
	holds := v.new()
	VCMPPS(predicate, limit, y, holds)
	VANDPS(holds, r, r)
}
