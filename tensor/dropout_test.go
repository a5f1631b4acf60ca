package tensor_test

import (
	"math"
	"slices"
	"testing"

	"github.com/invbo/invbo/tensor"
)

func TestDropoutGrad(t *testing.T) {
	x := randomVar(newRand(), 5, 7)
	checkGrad(t, []*tensor.Var{x}, func(tape *tensor.Tape) *tensor.Var { return tape.Dropout(x, 0.3, 1) })
}

// The dropped shares of elements, and of pairs in a row, in a column and under two seeds, are those of independent
// draws, within five standard deviations.
func TestDropoutShare(t *testing.T) {
	const n, p = 300, 0.25
	ones := &tensor.Var{Data: slices.Repeat([]float32{1}, n*n), Rows: n, Cols: n}
	var tape tensor.Tape
	y, other := tape.Dropout(ones, p, 7), tape.Dropout(ones, p, 8)
	var dropped, row, column, seeds float64
	for i := range n {
		for j := range n {
			switch y.Row(i)[j] {
			case 0:
				dropped++
			case 1 / (1 - p):
				continue
			default:
				t.Fatalf("y[%d, %d] = %g, want 0 or %g", i, j, y.Row(i)[j], 1/(1-p))
			}
			row += zero(y.Row(i)[(j+1)%n])
			column += zero(y.Row((i + 1) % n)[j])
			seeds += zero(other.Row(i)[j])
		}
	}
	for name, share := range map[string][2]float64{
		"single": {dropped, p}, "in a row": {row, p * p}, "in a column": {column, p * p}, "of two seeds": {seeds, p * p},
	} {
		got, want := share[0]/(n*n), share[1]
		if math.Abs(got-want) > 5*math.Sqrt(want*(1-want))/n {
			t.Errorf("%s: share dropped = %g, want %g", name, got, want)
		}
	}
}

// zero returns 1 if y is 0, otherwise 0.
func zero(y float32) float64 {
	if y == 0 {
		return 1
	}
	return 0
}

func TestDropoutSeed(t *testing.T) {
	x := randomVar(newRand(), 2, 2)
	var tape tensor.Tape
	if tape.Dropout(x, 0, 1) != x {
		t.Error("p = 0: result is not x itself")
	}
	if y := tape.Dropout(x, 0.5, 3); !slices.Equal(y.Data, tape.Dropout(x, 0.5, 3).Data) {
		t.Error("the same seed gives another mask")
	}
}
