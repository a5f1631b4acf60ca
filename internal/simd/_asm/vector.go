package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// vector describes the vectors of an instruction set.
type vector struct {
	name  string
	bytes int
	regs  []VecPhysical

	tileRows int // rows of C, of two vectors each, that fit in regs beside the operands
}

var (
	avx2   = vector{"AVX2", 32, []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}, 6}
	avx512 = vector{"AVX512", 64, []VecPhysical{
		Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
	}, 12}
)

// number is an element type with its instructions.
type number struct {
	name                                   string
	bits                                   int
	broadcast, fma, fmaBroadcast, mul, max func(ops ...Op)
	move                                   func(ops ...Op)
	moveZeroing, moveMasked                func(from, mask, to Op)
}

var (
	float32s = number{"float32", 32, VBROADCASTSS, VFMADD231PS, VFMADD231PS_BCST, VMULPS, VMAXPS, VMOVUPS, VMOVUPS_Z, VMASKMOVPS}
	float64s = number{"float64", 64, VBROADCASTSD, VFMADD231PD, VFMADD231PD_BCST, VMULPD, VMAXPD, VMOVUPD, VMOVUPD_Z, VMASKMOVPD}
)

func (n number) bytes() int { return n.bits / 8 }

// new returns a register chosen by the allocator.
func (v vector) new() VecVirtual {
	if v.bytes == 64 {
		return ZMM()
	}
	return YMM()
}

// lanes returns the number of float32s in a vector.
func (v vector) lanes() int { return v.bytes / 4 }

// zero sets r = 0.
func (v vector) zero(r Register) {
	if v.bytes == 64 {
		VPXORD(r, r, r)
	} else {
		VXORPS(r, r, r)
	}
}

// mask returns a mask of the first n elements of a vector.
func (v vector) mask(n Register, num number) Op {
	if v.bytes == 64 {
		bits, k := GP64(), K()
		MOVQ(I32(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVW(bits.As32(), k)
		return k
	}
	minus, table, m := GP64(), GP64(), YMM()
	MOVQ(n, minus)
	NEGQ(minus)
	LEAQ(onesThenZeros(), table)
	VMOVUPS(Mem{Base: table, Index: minus, Scale: uint8(num.bytes()), Disp: v.bytes}, m)
	return m
}

// loadMasked sets r to the masked elements at m, and to 0 elsewhere.
func (v vector) loadMasked(m Mem, mask Op, r Register, num number) {
	if v.bytes == 64 {
		num.moveZeroing(m, mask, r)
	} else {
		num.moveMasked(m, mask, r)
	}
}

// storeMasked stores the masked elements of r.
func (v vector) storeMasked(r Register, mask Op, m Mem, num number) {
	if v.bytes == 64 {
		num.move(r, mask, m)
	} else {
		num.moveMasked(r, mask, m)
	}
}

// rowAt returns the address of one of four rows from base, which are step apart; step3 is 3·step.
func rowAt(base, step, step3 Register, row int) Mem {
	switch row {
	case 1:
		return Mem{Base: base, Index: step, Scale: 1}
	case 2:
		return Mem{Base: base, Index: step, Scale: 2}
	case 3:
		return Mem{Base: base, Index: step3, Scale: 1}
	}
	return Mem{Base: base}
}

var constants = map[string]Mem{}

// data returns the memory of a constant, which is defined on first use.
func data(name string, values ...Constant) Mem {
	if m, ok := constants[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	offset := 0
	for _, x := range values {
		DATA(offset, x)
		offset += x.Bytes()
	}
	constants[name] = m
	return m
}

// onesThenZeros returns one vector of ones, then one of zeros.
func onesThenZeros() Mem {
	return data("onesThenZeros", U64(1<<64-1), U64(1<<64-1), U64(1<<64-1), U64(1<<64-1), U64(0), U64(0), U64(0), U64(0))
}
