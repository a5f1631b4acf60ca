package tensor_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/tensor"
)

func TestGroupSoftmax(t *testing.T) {
	const m, groups, scale = 3, 4, 0.5
	x := randomVar(newRand(), 7, m*groups)
	for i := range x.Data {
		x.Data[i] *= 100
	}
	var tape tensor.Tape
	y := tape.GroupSoftmax(x, groups, scale)
	for i := range x.Rows {
		for g := range groups {
			largest, sum := math.Inf(-1), 0.0
			for j := range m {
				largest = max(largest, scale*float64(x.Row(i)[j*groups+g]))
			}
			for j := range m {
				sum += math.Exp(scale*float64(x.Row(i)[j*groups+g]) - largest)
			}
			for j := range m {
				want := math.Exp(scale*float64(x.Row(i)[j*groups+g])-largest) / sum
				// The relative error of an exponential is that of its argument, up to some hundreds, absolutely.
				if got := float64(y.Row(i)[j*groups+g]); math.Abs(got-want) > 1e-4*want+1e-37 {
					t.Errorf("row %d, group %d, value %d: %g, want %g", i, g, j, got, want)
				}
			}
		}
	}
}

func TestGroupSoftmaxNaN(t *testing.T) {
	nan := float32(math.NaN())
	x := &tensor.Var{Data: []float32{1, nan, 3, 4}, Rows: 1, Cols: 4}
	var tape tensor.Tape
	y := tape.GroupSoftmax(x, 2, 1)
	for j, v := range y.Data {
		if isNaN := v != v; isNaN != (j%2 == 1) {
			t.Errorf("column %d = %g: NaN must stay in its group", j, v)
		}
	}
}

func TestGroupSoftmaxGrad(t *testing.T) {
	for _, tt := range []struct {
		m, groups int
		scale     float32
	}{{1, 1, 1}, {2, 3, 0.25}, {4, 2, 2}} {
		x := randomVar(newRand(), 3, tt.m*tt.groups)
		checkGrad(t, []*tensor.Var{x}, func(tape *tensor.Tape) *tensor.Var { return tape.GroupSoftmax(x, tt.groups, tt.scale) })
	}
}
