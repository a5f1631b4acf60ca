package tensor_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/invbo/invbo/tensor"
)

// SpanLinear is Linear for each sequence, bit for bit.
func TestSpanLinear(t *testing.T) {
	spans := tensor.NewSpans([]int{3, 1, 100, 5})
	for _, transposed := range []bool{false, true} {
		for _, shared := range []bool{false, true} {
			rng := newRand()
			const k, n = 4, 3
			x, w, b := randomVar(rng, spans.Rows(), k), randomVar(rng, spans.Len()*k, n), randomVar(rng, spans.Len(), n)
			stored := w
			if transposed {
				stored = randomVar(rng, spans.Len()*n, k)
				for s := range spans.Len() {
					for i := range k {
						for j := range n {
							w.Row(s*k + i)[j] = stored.Row(s*n + j)[i]
						}
					}
				}
			}
			if shared {
				b = randomVar(rng, 1, n)
			}
			var tape tensor.Tape
			y := tape.SpanLinear(x, stored, transposed, b, spans)
			for s := range spans.Len() {
				lo, hi := spans.Span(s)
				own := min(s, b.Rows-1)
				want := tape.Linear(rowsOf(x, lo, hi), rowsOf(w, s*k, (s+1)*k), rowsOf(b, own, own+1))
				if !slices.Equal(y.Data[lo*n:hi*n], want.Data) {
					t.Errorf("transposed %t, shared %t: sequence %d is not that of Linear", transposed, shared, s)
				}
			}
		}
	}
}

// An empty batch has empty results.
func TestEmptySpans(t *testing.T) {
	none, spans := func(cols int) *tensor.Var { return &tensor.Var{Cols: cols} }, tensor.NewSpans(nil)
	b := randomVar(newRand(), 1, 3)
	var tape tensor.Tape
	for _, transposed := range []bool{false, true} {
		w := none(3)
		if transposed {
			w = none(4)
		}
		if y := tape.SpanLinear(none(4), w, transposed, b, spans); y.Rows != 0 || y.Cols != 3 {
			t.Errorf("SpanLinear, transposed %t: (%d, %d)", transposed, y.Rows, y.Cols)
		}
	}
	if y := tape.HeadProducts(none(4), 0, randomVar(newRand(), 4, 3), false, 2); y.Rows != 0 || y.Cols != 3 {
		t.Errorf("HeadProducts: (%d, %d)", y.Rows, y.Cols)
	}
}

func TestSpanLinearGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{3, 1, 5})
	for _, tt := range []struct {
		k, n, biases int
		transposed   bool
	}{{1, 1, 1, false}, {4, 3, 1, false}, {4, 3, 3, false}, {4, 3, 3, true}, {2, 9, 1, true}} {
		t.Run(fmt.Sprintf("%+v", tt), func(t *testing.T) {
			rng := newRand()
			x, w, b := randomVar(rng, spans.Rows(), tt.k), randomVar(rng, 3*tt.k, tt.n), randomVar(rng, tt.biases, tt.n)
			if tt.transposed {
				w = randomVar(rng, 3*tt.n, tt.k)
			}
			checkGrad(t, []*tensor.Var{x, w, b}, func(tape *tensor.Tape) *tensor.Var {
				return tape.SpanLinear(x, w, tt.transposed, b, spans)
			})
		})
	}
}
