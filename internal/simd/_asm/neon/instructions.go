package neon

import "strings"

var jumps = map[string]string{"JMP": "JMP", "JEQ": "BEQ", "JNE": "BNE", "JLT": "BLT", "JLE": "BLE", "JG": "BGT", "JGE": "BGE"}

// sized are instructions d = s1 op s2 on float32 and float64.
var sized = map[string]uint32{"VADDP": fadd, "VSUBP": fsub, "VMULP": fmul, "VDIVP": fdiv}

// plain are other instructions d = s1 op s2.
var plain = map[string]uint32{
	"VXORPS": eor, "VXORPD": eor, "VPXOR": eor, "VANDPS": and, "VANDPD": and, "VORPS": orr,
	"VPADDB": addBytes, "VPADDD": add, "VPADDQ": add | double, "VPSUBD": sub, "VPMULLD": mul,
	"VPMINUB": uminBytes, "VPMAXUD": umax, "VPCMPEQD": cmeq,
	"VUNPCKLPS": zip1, "VUNPCKHPS": zip2, "VUNPCKLPD": zip1 | double, "VUNPCKHPD": zip2 | double,
}

// instruction translates w.at.
func (w *writer) instruction() {
	op, a := w.at.op, w.at.args
	last := len(op) - 1
	size := uint32(0)
	if op[last] == 'D' {
		size = double
	}
	if to, ok := jumps[op]; ok {
		w.emit("%s %s", to, a[0])
		return
	}
	if code, ok := sized[op[:last]]; ok {
		w.three(code | size)
		return
	}
	if clears(w.at) {
		d := w.register(a[2])
		w.word2(movi, 2*d, 0)
		w.word2(movi, 2*d+1, 0)
		delete(w.alike, d)
		return
	}
	if code, ok := plain[op]; ok {
		w.three(code)
		return
	}
	switch op {
	case "VFMADD231PS", "VFMADD231PD":
		w.fused(fmla|size, false, 1, 0, 2)
	case "VFNMADD231PS", "VFNMADD231PD":
		w.fused(fmls|size, false, 1, 0, 2)
	case "VFMADD213PS", "VFMADD213PD":
		w.fused(fmla|size, false, 1, 2, 0)
	case "VFMSUB132PS":
		w.fused(fmla, true, 0, 2, 1)
	case "VMAXPS", "VMAXPD":
		w.extremum(fcmgt|size, false)
	case "VMINPS", "VMINPD":
		w.extremum(fcmgt|size, true)
	case "VSQRTPS":
		w.both(a[1], a[:1], func(to int, from []int) { w.word2(fsqrt, to, from[0]) })
	case "VROUNDPS", "VROUNDPD":
		w.only(a[0], 0) // to nearest
		w.both(a[2], a[1:2], func(to int, from []int) { w.word2(frintn|size, to, from[0]) })
	case "VCVTPS2DQ":
		w.both(a[1], a[:1], func(to int, from []int) { w.word2(fcvtns, to, from[0]) })
	case "VCVTPS2PD":
		s := w.register(a[0])
		d := w.register(a[1])
		w.word2(fcvtl2, 2*d+1, 2*s)
		w.word2(fcvtl, 2*d, 2*s)
		delete(w.alike, d)
	case "VCVTDQ2PD":
		d := w.register(a[1])
		base, disp := w.address(a[0], "R6")
		w.emit("FMOVQ %d(%s), F%d", disp, base, 2*d)
		w.word2(sshll2, 2*d+1, 2*d)
		w.word2(sshll, 2*d, 2*d)
		w.word2(scvtf, 2*d, 2*d)
		w.word2(scvtf, 2*d+1, 2*d+1)
		delete(w.alike, d)
	case "VPMOVZXBD":
		d := w.register(a[1])
		base, disp := w.address(a[0], "R6")
		w.emit("FMOVD %d(%s), F%d", disp, base, 2*d)
		w.word2(uxtl8, 2*d, 2*d)
		w.word2(uxtl2, 2*d+1, 2*d)
		w.word2(uxtl, 2*d, 2*d)
		delete(w.alike, d)
	case "VCMPPS", "VCMPPD":
		w.compare(size)
	case "VBLENDVPS":
		w.blend(0, 64-31)
	case "VBLENDVPD":
		w.blend(double, 128-63)
	case "VPSLLD":
		w.shift(shl, intBits+int(w.constant(a[0])))
	case "VPSLLQ":
		w.shift(shl, longBits+int(w.constant(a[0])))
	case "VPSRLD":
		w.shift(ushr, 2*intBits-int(w.constant(a[0])))
	case "VPSRAD":
		w.shift(sshr, 2*intBits-int(w.constant(a[0])))
	case "VPERM2F128":
		w.cross()
	case "VEXTRACTF128":
		w.only(a[0], 1)
		s := w.register(a[1])
		d := w.register(a[2])
		w.move(2*d, w.half(s, 1))
		delete(w.alike, d)
	case "VPERMILPS", "VPERMILPD":
		s := w.register(a[1])
		d := w.register(a[2])
		switch {
		case a[1][0] != 'X':
			w.fail("permutation of 32 bytes")
		case op == "VPERMILPD" && w.constant(a[0]) == 1, op == "VPERMILPS" && w.constant(a[0]) == 0x4e:
			w.word(ext8, 2*d, 2*s, 2*s)
		case op == "VPERMILPS" && w.constant(a[0]) == 0xb1:
			w.word2(rev64, 2*d, 2*s)
		default:
			w.fail("permutation")
		}
		delete(w.alike, d)
	case "VMOVMSKPD":
		s := w.register(a[0])
		to := general[a[1]]
		w.emit("MOVD ZR, %s", to)
		for lane := range 4 {
			w.emit("VMOV V%d.D[%d], R6", w.half(s, lane/2), lane%2)
			w.emit("LSR $63, R6, R6")
			w.emit("ORR R6<<%d, %s, %s", lane, to, to)
		}
	case "VMOVUPS", "VMOVAPS", "VMOVUPD":
		w.moveVector()
	case "VMASKMOVPS":
		w.masked(4, "S")
	case "VMASKMOVPD":
		w.masked(8, "D")
	case "VBROADCASTSS":
		w.broadcast(ld1r32, dup32)
	case "VBROADCASTSD":
		w.broadcast(ld1r64, dup64)
	case "VPBROADCASTB":
		w.broadcast(ld1r8, 0)
	case "MOVSS", "VMOVSS", "MOVSD":
		s := w.register(a[0])
		width := "S"
		if op == "MOVSD" {
			width = "D"
		}
		if strings.HasSuffix(a[1], "(FP)") {
			w.emit("FMOV%s F%d, %s", width, 2*s, a[1])
		} else {
			w.emit("FMOV%s F%d, (%s)", width, 2*s, w.pointer(a[1], "R6"))
		}
	case "VDIVSS":
		s2 := w.register(a[0])
		s1 := w.register(a[1])
		d := w.register(a[2])
		w.word(fdivScalar, 2*d, 2*s1, 2*s2)
		delete(w.alike, d)
	case "VZEROUPPER":
	case "PREFETCHT0":
		w.emit("PRFM (%s), PLDL1KEEP", w.pointer(a[0], "R6"))
	case "RET":
		w.emit("RET")
	case "MOVQ":
		switch to := a[1]; {
		case strings.HasSuffix(to, "(FP)"):
			w.emit("MOVD %s, %s", w.scalar(a[0], "R6"), to)
		case isMemory(to):
			w.fail("result in memory")
		case strings.HasPrefix(a[0], "$"):
			w.emit("MOVD $%d, %s", w.constant(a[0]), general[to])
		default:
			if from := w.scalar(a[0], general[to]); from != general[to] {
				w.emit("MOVD %s, %s", from, general[to])
			}
		}
	case "MOVB":
		w.emit("MOVBU %s, %s", a[0], general[a[1]])
	case "LEAQ":
		to := general[a[1]]
		base, disp := w.address(a[0], to)
		if disp != 0 || base != to {
			w.emit("ADD $%d, %s, %s", disp, base, to)
		}
	case "ADDQ":
		w.arithmetic("ADD")
	case "SUBQ":
		w.arithmetic("SUB")
	case "INCQ", "DECQ":
		w.at.args = []string{"$1", a[0]}
		w.arithmetic(map[string]string{"INCQ": "ADD", "DECQ": "SUB"}[op])
	case "XORQ":
		if a[0] != a[1] || w.at.flags {
			w.fail("exclusive or")
		}
		w.emit("MOVD ZR, %s", general[a[1]])
	case "NEGQ", "SHLQ", "SHRQ", "IMULQ", "IMUL3Q":
		if w.at.flags {
			w.fail("flags")
		}
		w.unflagged()
	case "CMPQ":
		if strings.HasPrefix(a[1], "$") {
			w.emit("CMP $%d, %s", w.constant(a[1]), w.scalar(a[0], "R6"))
		} else {
			w.emit("CMP %s, %s", w.scalar(a[1], "R7"), w.scalar(a[0], "R6"))
		}
	case "TESTQ", "TESTL", "TESTB":
		w.emit("TST %s, %s", general[a[0]], general[a[1]])
	default:
		w.fail("instruction")
	}
}

// unflagged translates the instructions of general registers whose flags nobody looks at.
func (w *writer) unflagged() {
	a := w.at.args
	switch w.at.op {
	case "NEGQ":
		w.emit("NEG %s, %s", general[a[0]], general[a[0]])
	case "SHLQ":
		w.emit("LSL $%d, %s, %s", w.constant(a[0]), general[a[1]], general[a[1]])
	case "SHRQ":
		w.emit("LSR $%d, %s, %s", w.constant(a[0]), general[a[1]], general[a[1]])
	case "IMULQ":
		w.emit("MUL %s, %s, %s", general[a[0]], general[a[1]], general[a[1]])
	case "IMUL3Q":
		w.emit("MOVD $%d, R6", w.constant(a[0]))
		w.emit("MUL R6, %s, %s", general[a[1]], general[a[2]])
	}
}

// moveVector translates loads, stores and copies of all 32 bytes, or of 16.
func (w *writer) moveVector() {
	a := w.at.args
	s, fromRegister := vectorRegister(a[0])
	d, toRegister := vectorRegister(a[1])
	if (fromRegister && a[0][0] == 'X') || (toRegister && a[1][0] == 'X') {
		w.fail("16 bytes")
	}
	switch {
	case fromRegister && toRegister:
		w.own(s)
		w.move(2*d, 2*s)
		w.move(2*d+1, 2*s+1)
		delete(w.alike, d)
	case toRegister:
		delete(w.alike, d)
		w.load(a[0], [2]int{2 * d, 2*d + 1})
	default:
		w.own(s)
		base, disp := w.address(a[1], "R6")
		if disp%16 == 0 && -1024 <= disp && disp < 1024 {
			w.emit("FSTPQ (F%d, F%d), %d(%s)", 2*s, 2*s+1, disp, base)
		} else {
			w.emit("FMOVQ F%d, %d(%s)", 2*s, disp, base)
			w.emit("FMOVQ F%d, %d(%s)", 2*s+1, disp+16, base)
		}
	}
}
