package neon

import (
	"fmt"
	"log"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// writer writes functions for arm64.
type writer struct {
	text   strings.Builder
	p      *program
	at     line
	taken  []int        // NEON registers that this instruction uses beside its operands
	alike  map[int]bool // Y registers of which only the first half is there: it is a broadcast
	labels int
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

func (w *writer) emit(format string, args ...any) { w.printf("\t"+format+"\n", args...) }

func (w *writer) fail(why string) {
	log.Fatalf("%s: %s %s: %s", w.p.name, w.at.op, strings.Join(w.at.args, ", "), why)
}

// The general registers of amd64; R6 and R7 are for the translation.
var general = map[string]string{
	"AX": "R0", "CX": "R1", "DX": "R2", "BX": "R3", "SI": "R4", "DI": "R5", "BP": "R19", "AL": "R0",
	"R8": "R8", "R9": "R9", "R10": "R10", "R11": "R11", "R12": "R12", "R13": "R13", "R14": "R14", "R15": "R15",
}

// function translates a function.
func (w *writer) function(p *program) {
	w.p, w.alike = p, map[int]bool{}
	frame := 0
	if p.locals {
		frame = p.frame
	}
	private := "NEON<>"
	if p.single {
		private = ""
	}
	w.printf("\nTEXT ·%s%s(SB), NOSPLIT, $%d-%d\n", p.name, private, frame, p.arguments)
	for _, l := range p.code {
		w.at, w.taken = l, nil
		if l.label != "" {
			w.settle(l.before())
			w.printf("\n%s:\n", l.label)
			continue
		}
		if branches(l.op) {
			w.settle(l.live)
		}
		w.instruction()
	}
}

// entry writes the function that Go code calls: it jumps to the version that isa selects.
func (w *writer) entry(k Kernel, programs []*program) {
	i := slices.IndexFunc(programs, func(p *program) bool { return p.name == k.Name })
	w.printf("\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", k.Name, programs[i].arguments)
	if !k.Twin {
		w.emit("B ·%sNEON<>(SB)", k.Name)
		return
	}
	w.emit("MOVBU ·isa(SB), R6")
	w.emit("CBZ R6, portable")
	w.emit("B ·%sNEON<>(SB)", k.Name)
	w.printf("\nportable:\n")
	w.emit("B ·%sGo(SB)", k.Name)
}

// settle makes the second halves of broadcasts whose values are used later.
func (w *writer) settle(live registers) {
	for r := range 16 {
		if w.alike[r] && live.has(r) {
			w.move(2*r+1, 2*r)
		}
		delete(w.alike, r)
	}
}

// half returns the NEON register of a half of Yi.
func (w *writer) half(i, half int) int {
	if w.alike[i] {
		return 2 * i
	}
	return 2*i + half
}

// spare returns a NEON register whose value is not used any more.
func (w *writer) spare() int {
	for r := 15; r >= 0; r-- {
		busy := w.at.before() | w.at.live | w.at.reads | w.at.writes
		for half := range 2 {
			v := 2*r + half
			free := !busy.has(r) || w.alike[r] && half == 1 && !w.at.writes.has(r)
			if free && !slices.Contains(w.taken, v) {
				w.taken = append(w.taken, v)
				return v
			}
		}
	}
	w.fail("no register is free")
	return 0
}

// register returns the number of an operand that must be a Y or X register.
func (w *writer) register(arg string) int {
	r, ok := vectorRegister(arg)
	if !ok {
		w.fail("operand " + arg)
	}
	return r
}

// only fails unless a constant is the one that has a translation.
func (w *writer) only(arg string, want int64) {
	if w.constant(arg) != want {
		w.fail("constant " + arg)
	}
}

// constant returns the value of $….
func (w *writer) constant(arg string) int64 {
	v, err := strconv.ParseInt(strings.TrimPrefix(arg, "$"), 0, 64)
	if err != nil {
		u, err := strconv.ParseUint(strings.TrimPrefix(arg, "$"), 0, 64)
		if err != nil {
			w.fail("constant " + arg)
		}
		v = int64(u)
	}
	return v
}

var memory = regexp.MustCompile(`^(?:(\w+)(<>)?\+(\d+))?(-?\d+)?\((\w+)\)(?:\((\w+)\*(\d)\))?$`)

func isMemory(arg string) bool { return strings.HasSuffix(arg, ")") }

// address returns a register and a distance from it that make the address of an operand; temp is a general register for it.
func (w *writer) address(arg, temp string) (base string, disp int) {
	m := memory.FindStringSubmatch(arg)
	if m == nil {
		w.fail("operand " + arg)
	}
	disp, _ = strconv.Atoi(m[4])
	switch m[5] {
	case "SB":
		w.emit("MOVD $%s<>+%s(SB), %s", m[1], m[3], temp)
		return temp, 0
	case "FP":
		w.emit("MOVD $%s+%s(FP), %s", m[1], m[3], temp)
		return temp, 0
	case "SP":
		w.emit("MOVD $local-%d(SP), %s", w.p.frame-disp, temp)
		return temp, 0
	}
	base = general[m[5]]
	if m[6] != "" {
		shift := map[string]int{"1": 0, "2": 1, "4": 2, "8": 3}[m[7]]
		w.emit("ADD %s<<%d, %s, %s", general[m[6]], shift, base, temp)
		base = temp
	}
	return base, disp
}

// pointer is address without a distance.
func (w *writer) pointer(arg, temp string) string {
	base, disp := w.address(arg, temp)
	if disp != 0 {
		w.emit("ADD $%d, %s, %s", disp, base, temp)
		base = temp
	}
	return base
}

// scalar returns an operand in a general register.
func (w *writer) scalar(arg, temp string) string {
	switch {
	case strings.HasPrefix(arg, "$"):
		w.emit("MOVD $%d, %s", w.constant(arg), temp)
		return temp
	case strings.HasSuffix(arg, "(FP)"):
		w.emit("MOVD %s, %s", arg, temp)
		return temp
	case isMemory(arg):
		base, disp := w.address(arg, temp)
		w.emit("MOVD %d(%s), %s", disp, base, temp)
		return temp
	}
	return general[arg]
}

// word writes an instruction of three vector registers.
func (w *writer) word(code uint32, to, first, second int) {
	w.emit("WORD $0x%08x // %s V%d, V%d, V%d", code|uint32(second)<<16|uint32(first)<<5|uint32(to), name(code), to, first, second)
}

// word2 writes an instruction of two vector registers.
func (w *writer) word2(code uint32, to, from int) {
	w.emit("WORD $0x%08x // %s V%d, V%d", code|uint32(from)<<5|uint32(to), name(code), to, from)
}

func (w *writer) move(to, from int) {
	if to != from {
		w.word(orr, to, from, from)
	}
}

// Instructions, from the Arm Architecture Reference Manual. Those on all of a register of 16 bytes are the ones for float32 or
// int32, to which double is added for float64 and int64.
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

// both applies f to both halves of a result and of operands; it is told the registers. The result may be one of the operands: f
// must read a half before it writes that half.
func (w *writer) both(to string, from []string, f func(to int, from []int)) {
	d := w.register(to)
	if slices.Contains(from, to) {
		w.own(d)
	}
	var sources [][2]int
	for _, a := range from {
		if r, ok := vectorRegister(a); ok {
			sources = append(sources, [2]int{w.half(r, 0), w.half(r, 1)})
			continue
		}
		sources = append(sources, w.load(a, [2]int{w.spare(), w.spare()}))
	}
	for half := range 2 {
		regs := make([]int, len(sources))
		for k, s := range sources {
			regs[k] = s[half]
		}
		f(2*d+half, regs)
	}
	delete(w.alike, d)
}

// load loads 32 bytes.
func (w *writer) load(arg string, to [2]int) [2]int {
	base, disp := w.address(arg, "R6")
	if disp%16 == 0 && -1024 <= disp && disp < 1024 {
		w.emit("FLDPQ %d(%s), (F%d, F%d)", disp, base, to[0], to[1])
	} else {
		w.emit("FMOVQ %d(%s), F%d", disp, base, to[0])
		w.emit("FMOVQ %d(%s), F%d", disp+16, base, to[1])
	}
	return to
}

// own copies the first half of a Y register to its second if only the first is there.
func (w *writer) own(r int) {
	if w.alike[r] {
		w.move(2*r+1, 2*r)
		delete(w.alike, r)
	}
}

// three translates an instruction d = s1 op s2; in Go's order s2, s1, d.
func (w *writer) three(code uint32) {
	a := w.at.args
	w.both(a[2], []string{a[1], a[0]}, func(to int, from []int) { w.word(code, to, from[0], from[1]) })
}

// shift translates a shift by a constant.
func (w *writer) shift(code uint32, by int) {
	a := w.at.args
	w.both(a[2], []string{a[1]}, func(to int, from []int) { w.word2(code|uint32(by)<<16, to, from[0]) })
}

// extremum translates VMAX and VMIN: of equal numbers, and with a NaN, it is the second one.
func (w *writer) extremum(compare uint32, least bool) {
	a := w.at.args
	mask := w.spare()
	w.both(a[2], []string{a[1], a[0]}, func(to int, from []int) {
		if least {
			w.word(compare, mask, from[1], from[0])
		} else {
			w.word(compare, mask, from[0], from[1])
		}
		switch to {
		case from[1]:
			w.word(bit, to, from[0], mask)
		case from[0]:
			w.word(bif, to, from[1], mask)
		default:
			w.word(bsl, mask, from[0], from[1])
			w.move(to, mask)
		}
	})
}

// fused translates a fused multiply-add: d = sign·x·y + z.
func (w *writer) fused(code uint32, negate bool, x, y, z int) {
	a := w.at.args
	direct := z == 2 // d is the sum
	temp := 0
	if !direct {
		temp = w.spare()
	}
	w.both(a[2], []string{a[0], a[1], a[2]}, func(to int, from []int) {
		if direct {
			w.word(code, to, from[x], from[y])
			return
		}
		if negate {
			w.word2(fneg|code&double, temp, from[z])
		} else {
			w.move(temp, from[z])
		}
		w.word(code, temp, from[x], from[y])
		w.move(to, temp)
	})
}

// compare translates VCMPP.
func (w *writer) compare(size uint32) {
	a := w.at.args
	w.both(a[3], []string{a[2], a[1]}, func(to int, from []int) {
		switch w.constant(a[0]) {
		case 0x1e: // greater
			w.word(fcmgt|size, to, from[0], from[1])
		case 0x01: // less
			w.word(fcmgt|size, to, from[1], from[0])
		case 0x16: // not less or equal
			w.word(fcmge|size, to, from[1], from[0])
			w.word2(not, to, to)
		default:
			w.fail("predicate")
		}
	})
}

// blend translates VBLENDV: where the sign of the mask is set, the second source.
func (w *writer) blend(size uint32, by int) {
	a := w.at.args
	mask := w.spare()
	w.both(a[3], []string{a[0], a[1], a[2]}, func(to int, from []int) {
		w.word2(sshr|uint32(by)<<16, mask, from[0])
		w.word(bsl, mask, from[1], from[2])
		w.move(to, mask)
	})
}

// masked translates VMASKMOV, whose masks are the first elements of a vector: one after the other, up to the first that is not.
func (w *writer) masked(bytes int, kind string) {
	a := w.at.args
	store := isMemory(a[2])
	w.labels++
	done := fmt.Sprintf("masked%d", w.labels)
	mask := w.register(a[1])
	var v int
	if store {
		v = w.register(a[0])
		w.own(v)
	} else {
		v = w.register(a[2])
	}
	w.own(mask)
	delete(w.alike, v)
	side := a[0]
	if store {
		side = a[2]
	}
	base, disp := w.address(side, "R7")
	w.emit("ADD $%d, %s, R7", disp, base)
	masks := [2]int{2 * mask, 2*mask + 1}
	if !store && v == mask {
		for half, from := range masks {
			masks[half] = w.spare()
			w.move(masks[half], from)
		}
	}
	if !store {
		w.word2(movi, 2*v, 0)
		w.word2(movi, 2*v+1, 0)
	}
	for half := range 2 {
		for lane := range 16 / bytes {
			w.emit("VMOV V%d.%s[%d], R6", masks[half], kind, lane)
			w.emit("CBZ R6, %s", done)
			if store {
				w.emit("VST1.P V%d.%s[%d], %d(R7)", 2*v+half, kind, lane, bytes)
			} else {
				w.emit("VLD1.P %d(R7), V%d.%s[%d]", bytes, 2*v+half, kind, lane)
			}
		}
	}
	w.printf("\n%s:\n", done)
}

// broadcast translates VBROADCAST and its kin: the second half is made when it is needed.
func (w *writer) broadcast(load, dup uint32) {
	a := w.at.args
	d := w.register(a[1])
	if s, ok := vectorRegister(a[0]); ok && dup != 0 {
		w.word2(dup, 2*d, 2*s)
	} else {
		base := w.pointer(a[0], "R6")
		r, _ := strconv.Atoi(base[1:])
		w.emit("WORD $0x%08x // %s V%d", load|uint32(r)<<5|uint32(2*d), name(load), 2*d)
	}
	w.alike[d] = true
}

// cross translates VPERM2F128: a half of each source.
func (w *writer) cross() {
	a := w.at.args
	s2 := w.register(a[1])
	s1 := w.register(a[2])
	d := w.register(a[3])
	w.own(d)
	switch w.constant(a[0]) {
	case 0x20:
		first, second := w.half(s1, 0), w.half(s2, 0)
		w.move(2*d+1, second)
		w.move(2*d, first)
	case 0x31:
		first, second := w.half(s1, 1), w.half(s2, 1)
		w.move(2*d, first)
		w.move(2*d+1, second)
	default:
		w.fail("selection")
	}
	delete(w.alike, d)
}

// arithmetic translates an instruction of general registers with the result in the last operand, which may be in memory.
func (w *writer) arithmetic(op string) {
	a := w.at.args
	if w.at.flags {
		op += "S"
	}
	to := a[len(a)-1]
	if !isMemory(to) {
		if strings.HasPrefix(a[0], "$") {
			w.emit("%s $%d, %s, %s", op, w.constant(a[0]), general[to], general[to])
			return
		}
		w.emit("%s %s, %s, %s", op, w.scalar(a[0], "R6"), general[to], general[to])
		return
	}
	if !strings.HasSuffix(to, "(FP)") {
		w.fail("result in memory")
	}
	w.emit("MOVD %s, R7", to)
	if strings.HasPrefix(a[0], "$") {
		w.emit("%s $%d, R7, R7", op, w.constant(a[0]))
	} else {
		w.emit("%s %s, R7, R7", op, w.scalar(a[0], "R6"))
	}
	w.emit("MOVD R7, %s", to)
}

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
		w.fail("this instruction has no translation")
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
