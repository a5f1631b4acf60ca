package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// softmax generates expSum.
func softmax(v vector) {
	v.function("expSum", "(dst, x []float32, m float32) float32")
	dst, x, m := base("dst"), base("x"), v.argument("m", float32s)
	e := newExponential(v)
	least, most := v.constant("expLeast", -110), v.constant("expMost", 90)
	sum := v.zeros()
	v.loop(length("dst"), 1, func(p place, _ int) {
		r := p.load(x)
		VSUBPS(m, r, r)
		v.clamp(r, least, most)
		q, n := e.expm1(r)
		VADDPS(e.one, q, q)
		e.scale(q, n)
		p.store(q, dst)
		p.clearRest(q)
		VADDPS(q, sum, sum)
	})
	Store(v.reduce(sum, VADDPS), ReturnIndex(0))
	end()
}

// layerNorm generates layer normalization and its gradient, row by row.
func layerNorm(v vector) {
	v.function("addLayerNorm", "(dst, xhat, rstds, x, y, gamma, beta []float32, share, eps float32)")
	dst, xhat, x, y := base("dst"), base("xhat"), base("x"), base("y")
	gamma, beta := base("gamma"), base("beta")
	share, eps, one := v.argument("share", float32s), v.argument("eps", float32s), v.register(v.constant("one", 1))
	v.eachRow(func(rstd Mem) {
		sums := v.zeroChains()
		v.loopNamed("sum", float32s, length("gamma"), chains, func(p place, i int) {
			r := p.load(x)
			VADDPS(p.load(y), r, r)
			p.store(r, xhat)
			VADDPS(r, sums[i], sums[i])
		})
		mean := v.total(sums, share)
		sums = v.zeroChains()
		v.loopNamed("square", float32s, length("gamma"), chains, func(p place, i int) {
			r := p.load(xhat)
			VSUBPS(mean, r, r)
			p.clearRest(r)
			VFMADD231PS(r, r, sums[i])
		})
		deviation := v.total(sums, share)
		VADDPS(eps, deviation, deviation)
		VSQRTPS(deviation, deviation)
		VDIVPS(deviation, one, deviation)
		VMOVSS(deviation.AsX(), rstd)
		v.loopNamed("normalize", float32s, length("gamma"), 2, func(p place, _ int) {
			r := p.load(xhat)
			VSUBPS(mean, r, r)
			VMULPS(deviation, r, r)
			p.store(r, xhat)
			VFMADD213PS(p.load(beta), p.load(gamma), r)
			p.store(r, dst)
		})
	}, dst, xhat, x, y)
	end()

	v.function("layerNormGrad", "(ds, xhat, rstds, dy, gamma []float32, share float32)")
	ds, xhat, dy, gamma := base("ds"), base("xhat"), base("dy"), base("gamma")
	share = v.argument("share", float32s)
	v.eachRow(func(rstd Mem) {
		sums := v.zeroChains()
		v.loopNamed("sum", float32s, length("gamma"), chains/2, func(p place, i int) {
			g := p.load(dy) // 0 beyond the end
			VMULPS(p.load(gamma), g, g)
			VADDPS(g, sums[2*i], sums[2*i])
			VFMADD231PS(p.load(xhat), g, sums[2*i+1])
		})
		g := v.total([]VecVirtual{sums[0], sums[2]}, share)
		gx := v.total([]VecVirtual{sums[1], sums[3]}, share)
		r := v.new()
		VBROADCASTSS(rstd, r)
		v.loopNamed("grad", float32s, length("gamma"), 2, func(p place, _ int) {
			d := p.load(dy)
			VFMSUB132PS(p.load(gamma), g, d) // dy·gamma − g
			VFNMADD231PS(p.load(xhat), gx, d)
			VMULPS(r, d, d)
			p.store(d, ds)
		})
	}, ds, xhat, dy)
	end()
}

// eachRow generates a loop with body for each element of the slice rstds. After each it advances the bases, of matrices
// with one row per element and as many columns as gamma has elements, to the next row.
func (v vector) eachRow(body func(rstd Mem), bases ...Register) {
	rows, rstds := length("rstds"), base("rstds")
	Label("row")
	TESTQ(rows, rows)
	JEQ(LabelRef("end"))
	body(Mem{Base: rstds})
	bytes := length("gamma")
	SHLQ(U8(2), bytes)
	for _, base := range bases {
		ADDQ(bytes, base)
	}
	ADDQ(U8(4), rstds)
	DECQ(rows)
	JMP(LabelRef("row"))
	Label("end")
}

// total returns a vector with share times the sum of all lanes of rs in all lanes.
func (v vector) total(rs []VecVirtual, share VecVirtual) VecVirtual {
	r := v.new()
	VBROADCASTSS(v.reduceAll(rs, VADDPS), r)
	VMULPS(share, r, r)
	return r
}

// adam generates Adam.
func adam(v vector) {
	v.function("adam", "(w, g, m, v []float32, beta1, beta2, keep1, keep2, rate, scale, eps float32)")
	w, g, m, s := base("w"), base("g"), base("m"), base("v")
	beta1, beta2, keep1, keep2 := v.argument("beta1", float32s), v.argument("beta2", float32s), v.argument("keep1", float32s), v.argument("keep2", float32s)
	rate, scale, eps := v.argument("rate", float32s), v.argument("scale", float32s), v.argument("eps", float32s)
	v.loop(length("w"), 1, func(p place, _ int) {
		gradient, first, second := p.load(g), p.load(m), p.load(s)
		VMULPS(beta1, first, first)
		VFMADD231PS(keep1, gradient, first)
		p.store(first, m)

		VMULPS(gradient, gradient, gradient)
		VMULPS(beta2, second, second)
		VFMADD231PS(keep2, gradient, second)
		p.store(second, s)

		VSQRTPS(second, second)
		VFMADD213PS(eps, scale, second)
		VMULPS(rate, first, first)
		VDIVPS(second, first, first)
		r := p.load(w)
		VSUBPS(first, r, r)
		p.store(r, w)
	})
	end()
}
