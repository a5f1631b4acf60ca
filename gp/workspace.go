package gp

// workspace is an arena of scratch memory for a repeated computation. A nil workspace allocates.
type workspace struct {
	slab []float64
	lent int // length of the part of slab in use
}

// reset frees all memory taken.
func (w *workspace) reset() { w.lent = 0 }

// take returns n numbers, not initialized.
func (w *workspace) take(n int) []float64 {
	if w == nil {
		return make([]float64, n)
	}
	if len(w.slab)-w.lent < n { // slices of the old slab stay valid
		w.slab, w.lent = make([]float64, max(n, 2*len(w.slab))), 0
	}
	s := w.slab[w.lent : w.lent+n : w.lent+n]
	w.lent += n
	return s
}

// zeros returns n zeros.
func (w *workspace) zeros(n int) []float64 {
	s := w.take(n)
	clear(s)
	return s
}

// copyOf returns a copy of x.
func (w *workspace) copyOf(x []float64) []float64 {
	s := w.take(len(x))
	copy(s, x)
	return s
}
