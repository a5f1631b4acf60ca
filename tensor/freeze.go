package tensor

import (
	"sync"

	"github.com/invbo/invbo/internal/simd"
)

// Freeze declares that Data will not change until the next Freeze, so Linear packs the weights v for the
// matrix product once, at first use, instead of at each call. The tapes of several goroutines may use v at
// the same time, but not during Freeze, which reuses the packed memory.
func (v *Var) Freeze() {
	if v.frozen == nil {
		v.frozen = new(frozen)
	}
	v.frozen.straight.Once, v.frozen.transposed.Once = sync.Once{}, sync.Once{}
}

// FreezeAs is Freeze for a v that has the Data of the frozen Var o: they share the packed weights, and the
// next Freeze of o applies to v as well.
func (v *Var) FreezeAs(o *Var) { v.frozen = o.frozen }

// frozen is a matrix, packed for products with it and with its transpose.
type frozen struct{ straight, transposed once }

type once struct {
	sync.Once
	simd.Packed
}

// pack returns w or its transpose packed for a product; valid until the next call.
func (t *Tape) pack(w *Var, transposed bool) *simd.Packed {
	k, n := w.Rows, w.Cols
	if transposed {
		k, n = n, k
	}
	if w.frozen == nil {
		t.packed[0].Pack(transposed, k, n, w.Data, w.Cols)
		return &t.packed[0]
	}
	o := &w.frozen.straight
	if transposed {
		o = &w.frozen.transposed
	}
	o.Do(func() { o.Pack(transposed, k, n, w.Data, w.Cols) })
	return &o.Packed
}
