package tensor_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/invbo/invbo/tensor"
)

func TestHeadProducts(t *testing.T) {
	for _, tt := range []struct {
		rows, heads, c, n, col, rest int
		transposed                   bool
	}{
		{1, 1, 1, 1, 0, 0, false}, {3, 2, 3, 4, 0, 5, false}, {3, 2, 3, 4, 5, 0, false}, {120, 2, 4, 3, 1, 1, false},
		{3, 2, 3, 4, 0, 6, true}, {3, 2, 3, 1, 6, 0, true}, {120, 1, 4, 3, 0, 0, true},
	} {
		t.Run(fmt.Sprintf("%+v", tt), func(t *testing.T) {
			rng := newRand()
			d := tt.heads * tt.c
			x, w := randomVar(rng, tt.rows, tt.col+d+tt.rest), randomVar(rng, d, tt.n)
			if tt.transposed {
				w = randomVar(rng, tt.n, d)
			}
			at := func(row, col int) float64 {
				if tt.transposed {
					row, col = col, row
				}
				return float64(w.Row(row)[col])
			}
			var tape tensor.Tape
			y := tape.HeadProducts(x, tt.col, w, tt.transposed, tt.heads)
			for i := range y.Rows {
				row, h := i/tt.heads, i%tt.heads
				for j := range tt.n {
					want := 0.0
					for k := h * tt.c; k < (h+1)*tt.c; k++ {
						want += float64(x.Row(row)[tt.col+k]) * at(k, j)
					}
					if got := float64(y.Row(i)[j]); math.Abs(got-want) > 1e-5 {
						t.Errorf("[%d, %d] = %g, want %g", i, j, got, want)
					}
				}
			}
			if tt.rows < 100 {
				checkGrad(t, []*tensor.Var{x, w}, func(tape *tensor.Tape) *tensor.Var {
					return tape.HeadProducts(x, tt.col, w, tt.transposed, tt.heads)
				})
			}
		})
	}
}
