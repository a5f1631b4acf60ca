package neon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// both applies f to both halves of a result and of operands; it is told the registers. The result may be one of the
// operands: f must read a half before it writes that half.
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

// masked translates VMASKMOV, whose masks are the first elements of a vector: one after the other, up to the first that
// is not.
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
