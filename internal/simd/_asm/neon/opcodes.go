package neon

import "fmt"

// Instructions, from the Arm Architecture Reference Manual. Those on all of a register of 16 bytes are the ones for
// float32 or int32, to which double is added for float64 and int64.
const (
	and, orr, eor, not      = 0x4e201c00, 0x4ea01c00, 0x6e201c00, 0x6e205800
	bsl, bit, bif           = 0x6e601c00, 0x6ea01c00, 0x6ee01c00
	fadd, fsub, fmul, fdiv  = 0x4e20d400, 0x4ea0d400, 0x6e20dc00, 0x6e20fc00
	fmla, fmls, fneg, fsqrt = 0x4e20cc00, 0x4ea0cc00, 0x6ea0f800, 0x6ea1f800
	fcmgt, fcmge            = 0x6ea0e400, 0x6e20e400
	frintn, fcvtns          = 0x4e218800, 0x4e21a800
	add, sub, mul           = 0x4ea08400, 0x6ea08400, 0x4ea09c00
	umax, cmeq              = 0x6ea06400, 0x6ea08c00
	zip1, zip2              = 0x4e803800, 0x4e807800
	shl, ushr, sshr         = 0x4f005400, 0x6f000400, 0x4f000400 // by a constant in bits 16 to 22
	double                  = 0x00400000

	addBytes, uminBytes   = 0x4e208400, 0x6e206c00
	fcvtl, fcvtl2         = 0x0e617800, 0x4e617800 // float32 to float64, of the lower and the upper half
	sshll, sshll2, scvtf  = 0x0f20a400, 0x4f20a400, 0x4e61d800
	uxtl8, uxtl, uxtl2    = 0x2f08a400, 0x2f10a400, 0x6f10a400
	movi, rev64, ext8     = 0x6f00e400, 0x4ea00800, 0x6e004000 // 0; float32s and float64s in turn
	dup32, dup64          = 0x4e040400, 0x4e080400
	ld1r8, ld1r32, ld1r64 = 0x4d40c000, 0x4d40c800, 0x4d40cc00
	fdivScalar            = 0x1e201800
	intBits, longBits     = 32, 64
)

var names = map[uint32]string{
	and: "and", orr: "orr", eor: "eor", not: "not", bsl: "bsl", bit: "bit", bif: "bif", fadd: "fadd", fsub: "fsub", fmul: "fmul", fdiv: "fdiv",
	fmla: "fmla", fmls: "fmls", fneg: "fneg", fsqrt: "fsqrt", fcmgt: "fcmgt", fcmge: "fcmge", frintn: "frintn", fcvtns: "fcvtns",
	add: "add", sub: "sub", mul: "mul", umax: "umax", cmeq: "cmeq", zip1: "zip1", zip2: "zip2", addBytes: "add.b", uminBytes: "umin.b",
	fcvtl: "fcvtl", fcvtl2: "fcvtl2", sshll: "sshll", sshll2: "sshll2", scvtf: "scvtf.d", uxtl8: "uxtl.b", uxtl: "uxtl.h", uxtl2: "uxtl2.h",
	movi: "movi 0,", rev64: "rev64", ext8: "ext 8,", dup32: "dup", dup64: "dup.d", ld1r8: "ld1r.b", ld1r32: "ld1r", ld1r64: "ld1r.d", fdivScalar: "fdiv.1",
}

// name returns the name of an instruction, for readers of the assembly.
func name(code uint32) string {
	if n, ok := names[code]; ok {
		return n
	}
	if n, ok := names[code&^double]; ok {
		return n + ".d"
	}
	for shift, n := range map[uint32]string{shl: "shl", ushr: "ushr", sshr: "sshr"} {
		if code&^(0x7f<<16) == shift {
			return fmt.Sprintf("%s %d,", n, code>>16&0x7f)
		}
	}
	return ""
}
