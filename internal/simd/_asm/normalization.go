package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// softmax writes the pass of Softmax that exponentiates and sums.
func softmax(v vector) {
	function("expSum"+v.name, "(dst, x []float32, m float32) float32")
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

// layerNorm writes the passes of LayerNorm and LayerNormGrad.
func layerNorm(v vector) {
	function("centeredSquares"+v.name, "(x []float32, mean float32) float32")
	x, mean, sums := base("x"), v.argument("mean", float32s), v.zeroChains()
	v.loop(length("x"), chains, func(p place, i int) {
		r := p.load(x)
		VSUBPS(mean, r, r)
		p.clearRest(r)
		VFMADD231PS(r, r, sums[i])
	})
	Store(v.reduceAll(sums, VADDPS), ReturnIndex(0))
	end()

	function("normalize"+v.name, "(dst, x, gamma, beta []float32, mean, rstd float32)")
	dst, x, gamma, beta := base("dst"), base("x"), base("gamma"), base("beta")
	mean, rstd := v.argument("mean", float32s), v.argument("rstd", float32s)
	v.loop(length("dst"), 2, func(p place, _ int) {
		r := p.load(x)
		VSUBPS(mean, r, r)
		VMULPS(rstd, r, r)
		VFMADD213PS(p.load(beta), p.load(gamma), r)
		p.store(r, dst)
	})
	end()

	function("layerNormSums"+v.name, "(dy, x, gamma []float32, mean, rstd float32) (sum, dot float32)")
	dy, x, gamma := base("dy"), base("x"), base("gamma")
	mean, rstd = v.argument("mean", float32s), v.argument("rstd", float32s)
	sums = v.zeroChains()
	v.loop(length("dy"), chains/2, func(p place, i int) {
		g := p.load(dy) // 0 past the end
		VMULPS(p.load(gamma), g, g)
		xhat := p.load(x)
		VSUBPS(mean, xhat, xhat)
		VMULPS(rstd, xhat, xhat)
		VADDPS(g, sums[2*i], sums[2*i])
		VFMADD231PS(g, xhat, sums[2*i+1])
	})
	for i := range 2 {
		VADDPS(sums[2+i], sums[i], sums[i])
		Store(v.reduce(sums[i], VADDPS), ReturnIndex(i))
	}
	end()

	function("layerNormGrad"+v.name, "(dx, dgamma, dbeta, dy, x, gamma []float32, mean, rstd, meanG, meanGX float32)")
	dx, dgamma, dbeta := base("dx"), base("dgamma"), base("dbeta")
	dy, x, gamma = base("dy"), base("x"), base("gamma")
	mean, rstd = v.argument("mean", float32s), v.argument("rstd", float32s)
	meanG, meanGX := v.argument("meanG", float32s), v.argument("meanGX", float32s)
	v.loop(length("dx"), 1, func(p place, _ int) {
		xhat := p.load(x)
		VSUBPS(mean, xhat, xhat)
		VMULPS(rstd, xhat, xhat)
		d := p.load(dy)

		sum := p.load(dgamma)
		VFMADD231PS(xhat, d, sum)
		p.store(sum, dgamma)

		sum = p.load(dbeta)
		VADDPS(d, sum, sum)
		p.store(sum, dbeta)

		VFMSUB132PS(p.load(gamma), meanG, d) // dy·gamma − g
		VFNMADD231PS(xhat, meanGX, d)
		sum = p.load(dx)
		VFMADD231PS(d, rstd, sum)
		p.store(sum, dx)
	})
	end()
}

// adam writes the step of Adam.
func adam(v vector) {
	function("adam"+v.name, "(w, g, m, v []float32, beta1, beta2, keep1, keep2, rate, scale, eps float32)")
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
