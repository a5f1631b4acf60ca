package tensor

import "github.com/invbo/invbo/internal/parallel"

// Dropout sets each element of x to 0 with probability p, and divides the others by 1 − p (Srivastava et al.
// 2014). Which ones is a function of seed, the row and the column alone. With p = 0 it returns x itself.
func (t *Tape) Dropout(x *Var, p float32, seed uint64) *Var {
	if p == 0 {
		return x
	}
	y := t.passing(x.Rows, x.Cols, x)
	r := record{backward: dropoutBackward, y: y, x: [3]*Var{x}, seed: seed, p: p}
	parallel.For(x.Rows, spanBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(y.Row(i), x.Row(i))
			drop(y.Row(i), p, seed, i)
		}
	})
	t.record(r)
	return y
}

func dropoutBackward(_ *Tape, r *record) {
	x, c := r.x[0], r.y.Cols
	parallel.For(x.Rows, spanBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			dy := r.y.Grad[i*c:][:c]
			drop(dy, r.p, r.seed, i)
			for j, g := range dy {
				x.Grad[i*c+j] += g
			}
		}
	})
}

// drop applies the mask to a row.
func drop(x []float32, p float32, seed uint64, row int) {
	limit := uint32(float64(p) * (1 << 32))
	scale := 1 / (1 - p)
	state := mix(seed + uint64(row)*0x9e3779b97f4a7c15)
	for j := range x {
		if uint32(mix(state+uint64(j))>>32) < limit {
			x[j] = 0
		} else {
			x[j] *= scale
		}
	}
}

// mix is the finalizer of SplitMix64 (Steele et al. 2014): a bijection after which close numbers have nothing in common.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
