package nn_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

func newVar(rows, cols int) *tensor.Var {
	return &tensor.Var{Data: make([]float32, rows*cols), Rows: rows, Cols: cols}
}

func TestOrthogonal(t *testing.T) {
	const n = 40
	v := newVar(n, 3*n)
	nn.Orthogonal(newRand(), v)
	for block := 0; block < 3*n; block += n {
		for i := range n {
			for k := range i + 1 {
				dot, want := 0.0, 0.0
				for j := range n {
					dot += float64(v.Row(i)[block+j]) * float64(v.Row(k)[block+j])
				}
				if i == k {
					want = 1
				}
				if math.Abs(dot-want) > 1e-5 {
					t.Fatalf("block %d: rows %d and %d have product %g, want %g", block/n, i, k, dot, want)
				}
			}
		}
	}
}

func TestGlorot(t *testing.T) {
	v := newVar(200, 100)
	nn.Glorot(200, 100)(newRand(), v)
	limit := math.Sqrt(6.0 / 300)
	var largest, squares float64
	for _, x := range v.Data {
		largest = max(largest, math.Abs(float64(x)))
		squares += float64(x) * float64(x) / float64(len(v.Data))
	}
	if largest > limit || largest < 0.99*limit {
		t.Errorf("largest = %g, want just below %g", largest, limit)
	}
	if want := 2.0 / 300; math.Abs(squares-want) > 0.03*want { // 20,000 draws: 3 % is five standard deviations
		t.Errorf("variance = %g, want %g", squares, want)
	}
}
