package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// Dropout sets each element of x to 0 with probability p and divides the others by 1 − p (Srivastava et al.
// 2014). The mask is a function of seed, row and column only. With p = 0 it returns x itself. It panics unless
// 0 ≤ p < 1.
func (t *Tape) Dropout(x *Var, p float32, seed uint64) *Var {
	mustDrop("Dropout", p)
	if p == 0 {
		return x
	}
	y := t.passing(x.Rows, x.Cols, x)
	parallel.For(x.Rows, spanBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			simd.Dropout(y.Row(i), x.Row(i), dropOf(p, seed, i))
		}
	})
	t.record(y, func() {
		c := y.Cols
		parallel.For(x.Rows, spanBlock, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				dy := y.Grad[i*c:][:c]
				simd.Dropout(dy, dy, dropOf(p, seed, i))
			}
			simd.Add(x.Grad[lo*c:hi*c], x.Grad[lo*c:hi*c], y.Grad[lo*c:hi*c])
		})
	})
	return y
}

// dropOf returns the mask for part i of an operation: a row, or one head of a sequence.
func dropOf(p float32, seed uint64, i int) simd.Drop {
	if p == 0 {
		return simd.Drop{}
	}
	return simd.Drop{Limit: uint32(float64(p) * (1 << 32)), Scale: 1 / (1 - p), Key: mix(seed + uint64(i)*0x9e3779b97f4a7c15)}
}

func mustDrop(op string, p float32) {
	if !(0 <= p && p < 1) {
		panic(fmt.Sprintf("tensor: %s: dropout probability %g is not in [0, 1)", op, p))
	}
}

// mix is the finalizer of SplitMix64 (Steele et al. 2014), a bijection that decorrelates consecutive numbers.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
