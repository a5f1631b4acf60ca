package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tile generates tile.mul. It processes up to tileRows rows at a time, with their tile of C in registers; there is a loop
// over k for each number of rows and of vectors (one or two). Each step loads the vectors of a row of B and multiplies
// them by each element of a column of A:
//
//	c[r][v] += a[r] · b[v]
//
// Registers are assigned by hand, because AVX2 has none to spare. Values that change between blocks are stored in the
// parameters.
func tile(v vector, num number) {
	v.function(fmt.Sprint("tile", num.bits), fmt.Sprintf(
		"(rows, cols, k int, a *%[1]s, ars, acs int, b *%[1]s, bs int, c *%[1]s, ldc int, base *%[1]s, ldBase int, relu bool)", num.name))
	Load(Param("ars"), ars)
	Load(Param("acs"), acs)
	Load(Param("bs"), bs)
	Load(Param("c"), c)
	Load(Param("ldc"), ldc)
	Load(Param("cols"), width)
	lanes := v.bytes / num.bytes()
	for _, stride := range []Register{ars, acs, bs, ldc} {
		SHLQ(U8(num.bits/32+1), stride)
	}
	LEAQ(Mem{Base: ars, Index: ars, Scale: 2}, ars3)
	CMPQ(width, U8(lanes))
	JG(LabelRef("two"))
	for vectors := 1; vectors <= 2; vectors++ {
		if vectors == 2 {
			Label("two")
			SUBQ(U8(lanes), width)
		}
		label := func(r int) LabelRef { return LabelRef(fmt.Sprintf("rows%dx%d", r, vectors)) }
		next := fmt.Sprintf("next%d", vectors)
		most := v.tileRows
		if vectors == 1 {
			most = 12 // so that there are enough independent sums
		}
		Label(next)
		Load(Param("a"), a[0])
		Load(Param("b"), b)
		Load(Param("k"), k)
		rows := GP64()
		Load(Param("rows"), rows)
		CMPQ(rows, U8(2*most))
		JGE(label(most))
		CMPQ(rows, U8(most))
		JLE(LabelRef(next + "last"))
		INCQ(rows) // the last two blocks have nearly equal heights
		SHRQ(U8(1), rows)
		Label(next + "last")
		for r := most; r > 1; r-- {
			CMPQ(rows, U8(r))
			JEQ(label(r))
		}
		for r := 1; r <= most; r++ {
			Label(string(label(r)))
			tileBody{v, num, r, vectors}.write()
			IMUL3Q(U8(r), ars, a[0])
			ADDQ(a[0], parameter("a"))
			SUBQ(U8(r), parameter("rows"))
			JNE(LabelRef(next))
			end()
		}
	}
}

// parameter returns the memory of a parameter.
func parameter(name string) Op {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// The general registers of a tile function. The strides are in bytes.
var (
	a     = [3]Register{RAX, RBX, RCX} // rows 0, 4 and 8 of the column of A
	ars   = Register(RDX)
	ars3  = Register(RSI) // 3·ars
	acs   = Register(RDI)
	b     = Register(R8)
	bs    = Register(R9)
	k     = Register(R10)
	c     = Register(R11)
	ldc   = Register(R12)
	width = Register(R13) // columns in the last vector
	ahead = Register(R14) // next row of A to prefetch
	turn  = Register(R15) // rows until ahead returns to the first
)

// prefetchA is the prefetch distance for A in bytes.
const prefetchA = 128

// tileBody is the part of a tile function for one number of rows and vectors.
type tileBody struct {
	vector
	number
	rows, vectors int
}

// sum returns the register of a vector of the tile of C.
func (t tileBody) sum(row, vector int) VecPhysical { return t.regs[row*t.vectors+vector] }

// row returns the register of a vector of the row of B.
func (t tileBody) row(vector int) VecPhysical { return t.regs[len(t.regs)-1-vector] }

// write generates the part. It advances c and base to the next block.
func (t tileBody) write() {
	label := func(name string) string { return fmt.Sprintf("%s%dx%d", name, t.rows, t.vectors) }
	last := t.vectors - 1 // may be partial

	// Initial sums: base, or zeros.
	walk := GP64()
	Load(Param("base"), walk)
	TESTQ(walk, walk)
	JEQ(LabelRef(label("zero")))
	step := GP64()
	Load(Param("ldBase"), step)
	SHLQ(U8(t.bits/32+1), step)
	t.unlessFull(label("load"), func(mask Op) {
		for r := range t.rows {
			for v := range last {
				VMOVUPS(t.at(walk, v), t.sum(r, v))
			}
			if mask == nil {
				VMOVUPS(t.at(walk, last), t.sum(r, last))
			} else {
				t.loadMasked(t.at(walk, last), mask, t.sum(r, last), t.number)
			}
			ADDQ(step, walk)
		}
	})
	MOVQ(walk, parameter("base"))
	JMP(LabelRef(label("start")))
	Label(label("zero"))
	for r := range t.rows {
		for v := range t.vectors {
			t.zero(t.sum(r, v))
		}
	}
	Label(label("start"))
	if t.vector.bytes == 32 { // with AVX-512 products take 2 to 4 % longer (Zen 5)
		t.prefetchC(label("below"))
	}
	TESTQ(k, k)
	JEQ(LabelRef(label("end")))
	for i := 1; i*4 < t.rows; i++ {
		LEAQ(Mem{Base: a[0], Index: ars, Scale: uint8(4 * i)}, a[i])
	}

	if t.vectors == 2 && t.prefetchesA() {
		t.restartA()
	}
	Label(label("loop"))
	if t.vectors == 2 {
		t.prefetch(label("prefetched"))
	}
	for v := range t.vectors {
		VMOVUPS(t.at(b, v), t.row(v))
	}
	spare := len(t.regs) - t.vectors - t.rows*t.vectors // registers for elements of A
	for r := range t.rows {
		element := rowAt(a[r/4], ars, ars3, r%4)
		if t.vectors == 1 && t.vector.bytes == 64 {
			t.fmaBroadcast(element, t.row(0), t.sum(r, 0))
			continue
		}
		e := t.regs[t.rows*t.vectors+r%min(spare, 4)]
		t.broadcast(element, e)
		for v := range t.vectors {
			t.fma(e, t.row(v), t.sum(r, v))
		}
	}
	for i := 0; i*4 < t.rows; i++ {
		ADDQ(acs, a[i])
	}
	ADDQ(bs, b)
	DECQ(k)
	JNE(LabelRef(label("loop")))

	Label(label("end"))
	relu := GP8()
	Load(Param("relu"), relu)
	TESTB(relu, relu)
	JEQ(LabelRef(label("store")))
	t.zero(t.row(0))
	for r := range t.rows {
		for v := range t.vectors {
			t.max(t.sum(r, v), t.row(0), t.sum(r, v)) // with a NaN, returns the first operand
		}
	}
	Label(label("store"))
	t.unlessFull(label("write"), func(mask Op) {
		for r := range t.rows {
			for v := range last {
				VMOVUPS(t.sum(r, v), t.at(c, v))
			}
			if mask == nil {
				VMOVUPS(t.sum(r, last), t.at(c, last))
			} else {
				t.storeMasked(t.sum(r, last), mask, t.at(c, last), t.number)
			}
			ADDQ(ldc, c)
		}
	})
}

// unlessFull generates body with a mask for the last vector and, for AVX2, where masked stores take some 20 cycles on some
// processors, without one (nil) for a vector of all lanes.
func (t tileBody) unlessFull(label string, body func(mask Op)) {
	if t.vector.bytes == 64 {
		body(t.mask(width, t.number))
		return
	}
	CMPQ(width, U8(t.vector.bytes/t.number.bytes()))
	JEQ(LabelRef(label + "full"))
	body(t.mask(width, t.number))
	JMP(LabelRef(label + "ed"))
	Label(label + "full")
	body(nil)
	Label(label + "ed")
}

// prefetchC prefetches the next block of C: the one below or, below the last, the first of the panel to the right.
// Hardware does not, since the rows of C are far apart, and with few steps over k the block would wait for up to a
// quarter of its time.
func (t tileBody) prefetchC(below string) {
	next := GP64()
	IMUL3Q(U8(t.rows), ldc, next)
	ADDQ(c, next)
	CMPQ(parameter("rows"), U8(t.rows))
	JNE(LabelRef(below))
	Load(Param("c"), next)
	ADDQ(U32(t.vectors*t.vector.bytes), next)
	Label(below)
	for range t.rows { // of at most a line, which may begin within one
		PREFETCHT0(Mem{Base: next})
		PREFETCHT0(Mem{Base: next, Disp: t.vectors*t.vector.bytes - 1})
		ADDQ(ldc, next)
	}
}

// prefetch prefetches the row of B eight steps ahead and, for the many rows of AVX-512, one row of A per step, in turn:
// all rows of A at each step would be more loads than the multiplications hide. Hardware prefetching keeps up with the
// six rows of AVX2.
func (t tileBody) prefetch(done string) {
	for line := 0; line < t.vectors*t.vector.bytes; line += 64 {
		PREFETCHT0(Mem{Base: b, Index: bs, Scale: 8, Disp: line})
	}
	if !t.prefetchesA() {
		return
	}
	PREFETCHT0(Mem{Base: ahead})
	ADDQ(ars, ahead)
	DECQ(turn)
	JNE(LabelRef(done))
	t.restartA()
	Label(done)
}

func (t tileBody) prefetchesA() bool { return t.vector.bytes == 64 }

// restartA makes the first row of A the next to prefetch.
func (t tileBody) restartA() {
	LEAQ(Mem{Base: a[0], Disp: prefetchA}, ahead)
	MOVQ(U32(t.rows), turn)
}

// at returns a vector of the row of B or C at base.
func (t tileBody) at(base Register, vector int) Mem {
	return Mem{Base: base, Disp: vector * t.vector.bytes}
}
