package main

import . "github.com/mmcloughlin/avo/build"

// arithmetic generates the element-wise functions of one operation.
func arithmetic(v vector) {
	v.function("add", "(dst, x, y []float32)")
	dst, x, y := base("dst"), base("x"), base("y")
	v.loop(length("dst"), 4, func(p place, _ int) {
		r := p.load(x)
		VADDPS(p.load(y), r, r)
		p.store(r, dst)
	})
	end()

	v.function("mulAdd", "(dst, x, y []float32)")
	dst, x, y = base("dst"), base("x"), base("y")
	v.loop(length("dst"), 4, func(p place, _ int) {
		r := p.load(dst)
		VFMADD231PS(p.load(y), p.load(x), r)
		p.store(r, dst)
	})
	end()

	v.function("axpy", "(alpha float32, x, y []float32)")
	alpha, x, y := v.argument("alpha", float32s), base("x"), base("y")
	v.loop(length("y"), 4, func(p place, _ int) {
		r := p.load(y)
		VFMADD231PS(p.load(x), alpha, r)
		p.store(r, y)
	})
	end()

	v.function("scale", "(alpha float32, x []float32)")
	alpha, x = v.argument("alpha", float32s), base("x")
	v.loop(length("x"), 4, func(p place, _ int) {
		r := p.load(x)
		VMULPS(alpha, r, r)
		p.store(r, x)
	})
	end()
}
