package neon

import (
	"fmt"
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
	alike  map[int]bool // Y registers with a first half only: they are broadcasts
	labels int
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

func (w *writer) emit(format string, args ...any) { w.printf("\t"+format+"\n", args...) }

// refusal says what has no translation. Translate returns it.
type refusal struct{ error }

func (w *writer) fail(why string) {
	panic(refusal{fmt.Errorf("neon: %s: %s %s: %s: has no translation, add it to instructions.go", w.p.name, w.at.op, strings.Join(w.at.args, ", "), why)})
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
