// Package tensor differentiates programs over float32 matrices: a tape of fused operations.
//
// In: Vars, row major. A Tape's methods compute new Vars and record how to go back; the caller then
// writes the gradient of its loss into the gradients of the results it minimizes (Tape.Grad), and Backward
// adds the gradient of everything else. There is one operation per file, its forward and backward together.
//
// A Tape owns the memory of its results and reuses it after Reset, so that a training step in a loop
// allocates next to nothing. Results do not depend on the number of processors, and a row of a result
// does not depend on the other rows of the batch (except, by its nature, in BatchNorm).
package tensor

import (
	"fmt"
	"slices"

	"github.com/invbo/invbo/internal/simd"
)

// Var is a matrix and, if it is wanted, the gradient of the loss with respect to it.
type Var struct {
	Data       []float32 // (Rows, Cols)
	Grad       []float32 // as Data; nil if no gradient is wanted, and then no work is done for it. See Tape.Grad for results
	Rows, Cols int

	lent   bool // Grad is lent by the tape while Backward needs it; it is empty before and after
	frozen *frozen
}

// Row returns row i of Data.
func (v *Var) Row(i int) []float32 { return v.Data[i*v.Cols : (i+1)*v.Cols] }

// Tape computes operations and records them. The zero Tape is ready. It serves one goroutine.
type Tape struct {
	records []record
	vars    slab
	floats  arena

	spare  [][]float32    // gradients that were lent and came back
	packed [3]simd.Packed // the weights of the operation at hand
}

// record is what one operation keeps for its way back. Each operation uses the fields that it needs;
// one type for all lets a Tape reuse their memory.
type record struct {
	backward func(*Tape, *record)
	y        *Var
	x        [4]*Var   // operands that may want a gradient
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

// passing is result for a Var that is seldom the end of a computation: memory for its gradient is lent to it, and soon
// serves the next, so that it stays in the cache. Callers who write to its Grad get it from Tape.Grad.
func (t *Tape) passing(rows, cols int, operands ...*Var) *Var {
	v := t.New(rows, cols, false)
	for _, x := range operands {
		v.lent = v.lent || x != nil && x.Grad != nil
	}
	if v.lent {
		v.Grad = v.Data[:0:0]
	}
	return v
}

// Grad returns the gradient of a result of an operation, for the caller to write that of its loss to before Backward:
// results that are only passed on have none of their own. After Backward it holds nothing of use, as operations work
// in it. It is nil if nothing that v was computed from has one.
func (t *Tape) Grad(v *Var) []float32 {
	if v.lent {
		v.lent = false
		v.Grad = t.floats.take(len(v.Data))
		clear(v.Grad)
	}
	return v.Grad
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
		r := &t.records[i]
		if r.y.lent && len(r.y.Grad) == 0 {
			continue // the loss does not depend on it
		}
		for _, x := range r.x {
			if x != nil && x.lent && len(x.Grad) == 0 {
				x.Grad = t.lend(len(x.Data))
			}
		}
		r.backward(t, r)
		if r.y.lent {
			t.spare = append(t.spare, r.y.Grad)
			r.y.Grad = r.y.Data[:0:0]
		}
	}
	t.records = t.records[:0]
}

// lend returns n zeros: the smallest spare gradient that is large enough, or new memory.
func (t *Tape) lend(n int) []float32 {
	best := -1
	for i, g := range t.spare {
		if cap(g) >= n && (best < 0 || cap(g) < cap(t.spare[best])) {
			best = i
		}
	}
	if best < 0 {
		g := t.floats.take(n)
		clear(g)
		return g
	}
	g := t.spare[best][:n]
	t.spare = slices.Delete(t.spare, best, best+1)
	clear(g)
	return g
}

// Reset forgets all operations. Their Vars must not be used any more.
func (t *Tape) Reset() {
	t.records = t.records[:0]
	t.spare = t.spare[:0]
	t.vars.used = 0
	t.floats.chunk, t.floats.used = 0, 0
}

func mustShape(op, name string, v *Var, rows, cols int) {
	if v.Rows != rows || v.Cols != cols {
		panic(fmt.Sprintf("tensor: %s: %s is [%d %d], not [%d %d]", op, name, v.Rows, v.Cols, rows, cols))
	}
}
