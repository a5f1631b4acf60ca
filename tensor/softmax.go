package tensor

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// GroupSoftmax is the softmax of groups of columns. Each row of x (n, m·groups) holds m values of each group, value j
// of group g in column j·groups + g:
//
//	y[i, j·groups + g] = exp(scale·x[i, j·groups + g]) / Σₗ exp(scale·x[i, l·groups + g])
//
// Results below exp(−87) times the largest of their group are 0. It panics unless scale is positive and x has columns,
// which groups divides.
func (t *Tape) GroupSoftmax(x *Var, groups int, scale float32) *Var {
	if groups < 1 || x.Cols < 1 || x.Cols%groups != 0 || !(scale > 0) {
		panic(fmt.Sprintf("tensor: GroupSoftmax: %d groups of %d columns, scale %g", groups, x.Cols, scale))
	}
	y := t.passing(x.Rows, x.Cols, x)
	parallel.For(x.Rows, spanBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			belowLargest(y.Row(i), x.Row(i), groups, scale)
		}
		block := y.Data[lo*y.Cols : hi*y.Cols]
		simd.Exp(block, block)
		for i := lo; i < hi; i++ {
			normalize(y.Row(i), groups)
		}
	})
	t.record(y, func() { // ∂x = scale·y∘(∂y − Σ y·∂y), with the sum over the group
		parallel.For(x.Rows, spanBlock, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				y, dy, dx := y.Row(i), y.Grad[i*x.Cols:][:x.Cols], x.Grad[i*x.Cols:][:x.Cols]
				for g := range groups {
					var mean float32
					for j := g; j < len(y); j += groups {
						mean += y[j] * dy[j]
					}
					for j := g; j < len(y); j += groups {
						dx[j] += scale * y[j] * (dy[j] - mean)
					}
				}
			}
		})
	})
	return y
}

// belowLargest sets y to scale·x less the largest of the group, or to −Inf if that is so low that its exponential is
// denormal.
func belowLargest(y, x []float32, groups int, scale float32) {
	for g := range groups {
		largest := x[g]
		for j := g + groups; j < len(x); j += groups {
			largest = max(largest, x[j])
		}
		for j := g; j < len(x); j += groups {
			if y[j] = scale * (x[j] - largest); y[j] <= -87 {
				y[j] = float32(math.Inf(-1))
			}
		}
	}
}

// normalize divides y by the sums of its groups.
func normalize(y []float32, groups int) {
	for g := range groups {
		var sum float32
		for j := g; j < len(y); j += groups {
			sum += y[j]
		}
		for j := g; j < len(y); j += groups {
			y[j] /= sum
		}
	}
}
