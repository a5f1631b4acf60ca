package tensor

import (
	"sync"

	"github.com/invbo/invbo/internal/simd"
)

// Freeze promises that Data stays as it is until the next Freeze. Linear then arranges v, as its weights, for
// products once, at their first use, and not at each call; the tapes of several goroutines may use v at once, but not
// while Freeze runs, which reuses the memory of the last.
func (v *Var) Freeze() {
	if v.frozen == nil {
		v.frozen = new(frozen)
	}
	v.frozen.straight.Once, v.frozen.transposed.Once = sync.Once{}, sync.Once{}
}

// FreezeAs is Freeze for a v with the Data of o, which is frozen: they share what is arranged, and o's next Freeze
// is v's.
func (v *Var) FreezeAs(o *Var) { v.frozen = o.frozen }

// frozen is a matrix in the orders in which products read it.
type frozen struct{ straight, transposed once }

type once struct {
	sync.Once
	simd.Packed
}

// pack returns w or its transpose as a product reads it, to be used until the next call.
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
