package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// place is the position of one vector in each slice of a loop.
type place struct {
	vector
	index Register // of its first element, without disp
	num   number
	disp  int // bytes
	mask  Op  // of the elements before the end of the slices; nil for all
}

// loop generates a loop over slices of n float32s: groups of unroll vectors, then single vectors, then the remaining
// elements. body receives the index i of the vector in its group. loop consumes n.
func (v vector) loop(n Register, unroll int, body func(p place, i int)) {
	v.loopOver(float32s, n, unroll, body)
}

// loopOver is loop for slices of either type.
func (v vector) loopOver(num number, n Register, unroll int, body func(p place, i int)) {
	v.loopNamed("", num, n, unroll, body)
}

// loopNamed is loopOver for functions with several loops, whose labels start with name.
func (v vector) loopNamed(name string, num number, n Register, unroll int, body func(p place, i int)) {
	index := v.loopWhole(name, num, n, unroll, body)
	TESTQ(n, n)
	JEQ(LabelRef(name + "done"))
	body(place{v, index, num, 0, v.mask(n, num)}, 0)
	Label(name + "done")
}

// loopWhole is loopNamed without the remaining elements: n becomes their number, and index is that of the first.
func (v vector) loopWhole(name string, num number, n Register, unroll int, body func(p place, i int)) (index Register) {
	lanes := v.bytes / num.bytes()
	index = GP64()
	XORQ(index, index)
	whole := func(label, next string, vectors int) {
		Label(label)
		CMPQ(n, U32(vectors*lanes))
		JLT(LabelRef(next))
		for i := range vectors {
			body(place{v, index, num, i * v.bytes, nil}, i)
		}
		ADDQ(U32(vectors*lanes), index)
		SUBQ(U32(vectors*lanes), n)
		JMP(LabelRef(label))
	}
	if unroll > 1 {
		whole(name+"several", name+"one", unroll)
	}
	whole(name+"one", name+"rest", 1)
	Label(name + "rest")
	return index
}

func (p place) mem(base Register) Mem {
	return Mem{Base: base, Index: p.index, Scale: uint8(p.num.bytes()), Disp: p.disp}
}

// load returns the vector of the slice at base, with zeros beyond its end.
func (p place) load(base Register) VecVirtual { return p.loadAt(p.mem(base)) }

// loadAt is load at another place in memory.
func (p place) loadAt(m Mem) VecVirtual {
	r := p.new()
	if p.mask == nil {
		VMOVUPS(m, r)
	} else {
		p.loadMasked(m, p.mask, r, p.num)
	}
	return r
}

// store writes the vector of the slice at base.
func (p place) store(r VecVirtual, base Register) {
	if p.mask == nil {
		VMOVUPS(r, p.mem(base))
	} else {
		p.storeMasked(r, p.mask, p.mem(base), p.num)
	}
}

// clearRest sets the lanes of r beyond the end of the slices to zero.
func (p place) clearRest(r VecVirtual) {
	switch {
	case p.mask == nil:
	case p.bytes == 64:
		VMOVAPS_Z(r, p.mask, r)
	default:
		VANDPS(p.mask, r, r)
	}
}

// fillRest sets the lanes of r beyond the end of the slices to those of fill.
func (p place) fillRest(r, fill VecVirtual) {
	switch {
	case p.mask == nil:
	case p.bytes == 64:
		VBLENDMPS(r, fill, p.mask, r)
	default:
		VBLENDVPS(p.mask, r, fill, r)
	}
}

// base loads the address of a slice.
func base(slice string) Register { return Load(Param(slice).Base(), GP64()) }

// length loads the length of a slice.
func length(slice string) Register { return Load(Param(slice).Len(), GP64()) }

// argument returns a vector with a parameter in all lanes.
func (v vector) argument(name string, num number) VecVirtual {
	r := v.new()
	num.broadcast(parameter(name), r)
	return r
}

// constant returns x in all lanes as a first operand: a register, or memory in AVX2, which has fewer registers.
func (v vector) constant(name string, x float32) Op {
	return v.pattern(name, float32s, uint64(math.Float32bits(x)))
}

// constant64 is constant in float64.
func (v vector) constant64(name string, x float64) Op {
	return v.pattern(name, float64s, math.Float64bits(x))
}

// pattern is constant for the bits of a number.
func (v vector) pattern(name string, num number, x uint64) Op {
	m := lanes(name, num, x)
	if v.bytes == 32 {
		return m
	}
	r := v.new()
	num.broadcast(m, r)
	return r
}

// lanes returns an AVX2 vector in memory with the bits x in all lanes.
func lanes(name string, num number, x uint64) Mem {
	values := make([]Constant, avx2.bytes/num.bytes())
	for i := range values {
		values[i] = U64(x)
		if num.bits == 32 {
			values[i] = U32(x)
		}
	}
	return data(name, values...)
}

// register returns x in a new register.
func (v vector) register(x Op) VecVirtual {
	r := v.new()
	VMOVUPS(x, r)
	return r
}

// zeros returns a new zero vector.
func (v vector) zeros() VecVirtual {
	r := v.new()
	v.zero(r)
	return r
}

// reduce combines all lanes of r pairwise with the commutative op and returns the float32.
func (v vector) reduce(r VecVirtual, op func(ops ...Op)) Register {
	other := XMM()
	if v.bytes == 64 {
		upper := YMM()
		VEXTRACTF32X8(U8(1), r, upper)
		op(upper, r.AsY(), r.AsY())
		VEXTRACTF32X4(U8(1), r.AsY(), other) // can encode all registers
	} else {
		VEXTRACTF128(U8(1), r.AsY(), other)
	}
	op(other, r.AsX(), r.AsX())
	VPERMILPS(U8(0x4e), r.AsX(), other)
	op(other, r.AsX(), r.AsX())
	VPERMILPS(U8(0xb1), r.AsX(), other)
	op(other, r.AsX(), r.AsX())
	return r.AsX()
}

// reduceAll combines all lanes of rs.
func (v vector) reduceAll(rs []VecVirtual, op func(ops ...Op)) Register {
	return v.reduce(combine(rs, op), op)
}

// combine combines rs lane by lane, in the first of them.
func combine(rs []VecVirtual, op func(ops ...Op)) VecVirtual {
	for len(rs) > 1 {
		half := len(rs) / 2
		for i := range half {
			op(rs[i+half], rs[i], rs[i])
		}
		rs = rs[:half]
	}
	return rs[0]
}

// end ends a function that uses vectors.
func end() {
	VZEROUPPER()
	RET()
}
