// Package tensor is reverse-mode automatic differentiation of float32 matrices: a tape of fused operations.
//
// The methods of a Tape compute new Vars (row-major matrices) and record their backward passes. The caller
// then writes the gradient of its loss with respect to the final results (Tape.Grad), and Backward adds the
// gradients of all other Vars. The forward and the backward pass of an operation stand together.
//
// Batches of sequences of different lengths are not padded: Spans and Ragged are their layouts. A Tape owns
// the memory of its results and reuses it after Reset, so a training loop hardly allocates. Results do not
// depend on the number of processors, nor do rows depend on other rows of the batch (except in BatchNorm).
//
// Operations panic if the shapes of their operands do not match.
package tensor

import (
	"fmt"
	"slices"

	"github.com/invbo/invbo/internal/simd"
)

// Var is a matrix with an optional gradient of the loss with respect to it.
type Var struct {
	Data       []float32 // (Rows, Cols)
	Grad       []float32 // as Data; nil disables its computation. Use Tape.Grad for results of operations
	Rows, Cols int

	operands [4]*Var // of the operation with this result that may want a gradient
	lent     bool    // Grad is lent by the tape during Backward, and empty before and after
	frozen   *frozen
}

// Row returns row i of Data.
func (v *Var) Row(i int) []float32 { return v.Data[i*v.Cols : (i+1)*v.Cols] }

// Tape computes operations and records them. The zero Tape is ready to use, by one goroutine at a time.
type Tape struct {
	records []record
	vars    []*Var // of results; those after the first used ones are of operations before Reset
	used    int
	floats  arena

	spare  [][]float32    // returned gradients, for the next lend
	packed [3]simd.Packed // weights of the current operation
}

// record is an operation.
type record struct {
	y        *Var
	backward func() // adds to the gradients of y's operands
}

// New returns a Var in the tape's memory, with undefined Data, and with a Grad of zeros if grad is set.
func (t *Tape) New(rows, cols int, grad bool) *Var {
	v := t.next()
	*v = Var{Data: t.floats.take(rows * cols), Rows: rows, Cols: cols}
	if grad {
		v.Grad = t.floats.take(rows * cols)
		clear(v.Grad)
	}
	return v
}

// next returns a Var to be overwritten.
func (t *Tape) next() *Var {
	if t.used == len(t.vars) {
		t.vars = append(t.vars, new(Var))
	}
	t.used++
	return t.vars[t.used-1]
}

// result returns a Var for the result of an operation, with a gradient if any operand has one. Operands may be nil.
func (t *Tape) result(rows, cols int, operands ...*Var) *Var {
	v := t.passing(rows, cols, operands...)
	t.Grad(v)
	return v
}

// passing is result for Vars that are usually intermediate: their gradients are lent memory that is soon
// reused and so stays in the cache. Callers that write to such a gradient get it from Tape.Grad.
func (t *Tape) passing(rows, cols int, operands ...*Var) *Var {
	v := t.New(rows, cols, false)
	copy(v.operands[:], operands)
	v.lent = slices.ContainsFunc(operands, func(x *Var) bool { return x != nil && x.Grad != nil })
	if v.lent {
		v.Grad = v.Data[:0:0]
	}
	return v
}

// Grad returns the gradient of an operation's result v, to which the caller writes the gradient of its loss
// before Backward. It allocates the gradient if needed: intermediate results have none of their own. The
// values are undefined after Backward. It returns nil if no Var that v was computed from has a gradient.
func (t *Tape) Grad(v *Var) []float32 {
	if v.lent {
		v.lent = false
		v.Grad = t.floats.take(len(v.Data))
		clear(v.Grad)
	}
	return v.Grad
}

// record appends the operation with result y unless that needs no gradient.
func (t *Tape) record(y *Var, backward func()) {
	if y.Grad != nil {
		t.records = append(t.records, record{y, backward})
	}
}

// Backward adds the gradient of the loss to the Grad of every Var that has one, given the gradients of the
// final results. It overwrites the values saved by the forward pass: only Reset may follow.
func (t *Tape) Backward() {
	for i := len(t.records) - 1; i >= 0; i-- {
		r := t.records[i]
		if r.y.lent && len(r.y.Grad) == 0 {
			continue // the loss does not depend on this result
		}
		for _, x := range r.y.operands {
			if x != nil && x.lent && len(x.Grad) == 0 {
				x.Grad = t.lend(len(x.Data))
			}
		}
		r.backward()
		if r.y.lent {
			t.spare = append(t.spare, r.y.Grad)
			r.y.Grad = r.y.Data[:0:0]
		}
	}
	t.records = t.records[:0]
}

// lend returns n zeros in the smallest spare gradient that is large enough, or in new memory.
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

// Reset removes all operations. Their results must not be used afterwards.
func (t *Tape) Reset() {
	t.records = t.records[:0]
	t.spare = t.spare[:0]
	t.used = 0
	t.floats.chunk, t.floats.used = 0, 0
}

func mustShape(op, name string, v *Var, rows, cols int) {
	if v.Rows != rows || v.Cols != cols {
		panic(fmt.Sprintf("tensor: %s: shape of %s is [%d %d], want [%d %d]", op, name, v.Rows, v.Cols, rows, cols))
	}
}

const chunkFloats = 1 << 20

// arena allocates float32 slices that are freed all at once; its chunks are reused.
type arena struct {
	chunks      [][]float32
	chunk, used int // start of the free memory
}

// take returns n floats with undefined values.
func (a *arena) take(n int) []float32 {
	for ; a.chunk < len(a.chunks); a.chunk, a.used = a.chunk+1, 0 {
		if c := a.chunks[a.chunk]; a.used+n <= len(c) {
			s := c[a.used : a.used+n : a.used+n]
			a.used += (n + 15) &^ 15 // the next slice starts on a cache line
			return s
		}
	}
	a.chunks = append(a.chunks, make([]float32, max(n, chunkFloats)))
	return a.take(n)
}
