// Package tensor differentiates programs over float32 matrices: a tape of fused operations.
//
// In: Vars, row major. A Tape's methods compute new Vars and record how to go back; the caller then
// writes the gradient of its loss into the Grad of the results it minimizes, and Backward adds the
// gradient of everything else. There is one operation per file, its forward and backward together.
//
// A Tape owns the memory of its results and reuses it after Reset, so that a training step in a loop
// allocates next to nothing. Results do not depend on the number of processors, and a row of a result
// does not depend on the other rows of the batch (except, by its nature, in BatchNorm).
package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/simd"
)

// Var is a matrix and, if it is wanted, the gradient of the loss with respect to it.
type Var struct {
	Data       []float32 // (Rows, Cols)
	Grad       []float32 // as Data; nil if no gradient is wanted, and then no work is done for it
	Rows, Cols int

	frozen *frozen
}

// Row returns row i of Data.
func (v *Var) Row(i int) []float32 { return v.Data[i*v.Cols : (i+1)*v.Cols] }

// Tape computes operations and records them. The zero Tape is ready. It serves one goroutine.
type Tape struct {
	records []record
	vars    slab
	floats  arena

	packed [3]simd.Packed // the weights of the operation at hand
}

// record is what one operation keeps for its way back. Each operation uses the fields that it needs;
// one type for all lets a Tape reuse their memory.
type record struct {
	backward func(*Tape, *record)
	y        *Var
	x        [3]*Var // operands that may want a gradient
	bias     *Var
	kept     []float32 // values of the forward pass, or factors of the gradient
	index    []int32
	seq      *Ragged
	spans    *Spans
	length   int // of a sequence
	width    int // of a window, or how many rows
	heads    int
	causal   bool
	relu     bool
	p        float32 // probability
	seed     uint64
}

// New returns a Var of the tape's memory with undefined Data, and with a Grad of zeros if grad is set.
func (t *Tape) New(rows, cols int, grad bool) *Var {
	v := t.vars.next()
	*v = Var{Data: t.floats.take(rows * cols), Rows: rows, Cols: cols}
	if grad {
		v.Grad = t.floats.take(rows * cols)
		clear(v.Grad)
	}
	return v
}

// result returns the Var for an operation's result: it has a gradient if an operand has. Operands may be nil.
func (t *Tape) result(rows, cols int, operands ...*Var) *Var {
	grad := false
	for _, x := range operands {
		grad = grad || x != nil && x.Grad != nil
	}
	return t.New(rows, cols, grad)
}

// record notes the way back of r, unless nobody wants it.
func (t *Tape) record(r record) {
	if r.y.Grad != nil {
		t.records = append(t.records, r)
	}
}

// Backward adds to the Grad of every Var that has one, given those of the results that the loss was
// made of. It uses up what the forward pass kept: only Reset may follow.
func (t *Tape) Backward() {
	for i := len(t.records) - 1; i >= 0; i-- {
		t.records[i].backward(t, &t.records[i])
	}
	t.records = t.records[:0]
}

// Reset forgets all operations. Their Vars must not be used any more.
func (t *Tape) Reset() {
	t.records = t.records[:0]
	t.vars.used = 0
	t.floats.chunk, t.floats.used = 0, 0
}

func mustShape(op, name string, v *Var, rows, cols int) {
	if v.Rows != rows || v.Cols != cols {
		panic(fmt.Sprintf("tensor: %s: %s is [%d %d], not [%d %d]", op, name, v.Rows, v.Cols, rows, cols))
	}
}
