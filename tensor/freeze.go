package tensor

import (
	"sync"

	"github.com/invbo/invbo/internal/simd"
)

// Freeze promises that Data stays as it is until the next Freeze. Linear then arranges v, as its weights, for
// products once, at their first use, and not at each call; the tapes of several goroutines may use v at once.
func (v *Var) Freeze() { v.frozen = new(frozen) }

// frozen is a matrix in the orders in which products read it.
type frozen struct {
	once   [2]sync.Once
	packed [2]simd.Packed // the matrix and its transpose
}

// pack returns w, or its transpose.
func (f *frozen) pack(w *Var, transposed bool) *simd.Packed {
	k, n, which := w.Rows, w.Cols, 0
	if transposed {
		k, n, which = n, k, 1
	}
	f.once[which].Do(func() { f.packed[which].Pack(transposed, k, n, w.Data, w.Cols) })
	return &f.packed[which]
}
