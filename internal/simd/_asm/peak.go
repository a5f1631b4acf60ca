package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// peak generates a loop of multiply-adds in registers, with enough independent chains to hide their latency.
func peak(v vector, num number) {
	v.function(fmt.Sprint("peak", num.bits), "(n int) int")
	const chains, rounds = 12, 4
	sums := v.regs[:chains]
	for _, r := range sums {
		v.zero(r)
	}
	n := Load(Param("n"), GP64())
	IMUL3Q(U32(2*chains*rounds*v.bytes/num.bytes()), n, n)
	Store(n, ReturnIndex(0))
	Load(Param("n"), n)
	Label("loop")
	for range rounds {
		for _, r := range sums {
			num.fma(v.regs[chains], v.regs[chains+1], r)
		}
	}
	DECQ(n)
	JNE(LabelRef("loop"))
	end()
}
