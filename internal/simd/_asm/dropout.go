package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// dropout generates Dropout; see hash in ../dropout.go.
func dropout(v vector) {
	v.function("dropout", "(dst, x []float32, limit uint32, scale float32, first, second uint32)")
	dst, x := base("dst"), base("x")
	limit, scale := v.argument("limit", float32s), v.argument("scale", float32s)
	number, second := v.argument("first", float32s), v.argument("second", float32s)
	lanes := make([]Constant, avx512.lanes())
	for i := range lanes {
		lanes[i] = U32(i)
	}
	VPADDD(data("laneNumbers", lanes...), number, number)
	step := v.pattern("lanes"+v.name, float32s, uint64(v.lanes()))
	factors := []Op{v.pattern("mix1", float32s, 0x7feb352d), v.pattern("mix2", float32s, 0x846ca68b)}
	v.loop(length("dst"), 1, func(p place, _ int) {
		h := v.copyOf(number)
		VPADDD(step, number, number)
		v.foldUpper(h, 16)
		VPMULLD(factors[0], h, h)
		VPADDD(second, h, h)
		v.foldUpper(h, 15)
		VPMULLD(factors[1], h, h)
		v.foldUpper(h, 16)
		larger, r := v.new(), p.load(x)
		VMULPS(scale, r, r)
		VPMAXUD(limit, h, larger)
		if v.bytes == 64 {
			kept := K()
			VPCMPEQD(h, larger, kept)
			VMOVAPS_Z(r, kept, r)
		} else {
			VPCMPEQD(h, larger, larger)
			VANDPS(larger, r, r)
		}
		p.store(r, dst)
	})
	end()
}

// foldUpper sets h to h ^ h>>n in each lane.
func (v vector) foldUpper(h VecVirtual, n int) {
	t := v.new()
	VPSRLD(U8(n), h, t)
	if v.bytes == 64 {
		VPXORD(t, h, h)
	} else {
		VPXOR(t, h, h)
	}
}
