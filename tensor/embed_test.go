package tensor_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/tensor"
)

func TestEmbedGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{2, 1, 3})
	positions := tensor.Positions(3, 4)
	table := randomVar(newRand(), 5, 4)
	for _, shift := range []bool{false, true} {
		checkGrad(t, []*tensor.Var{table}, func(tape *tensor.Tape) *tensor.Var {
			return tape.Embed(table, []int32{4, 0, 1, 4, 4, 2}, positions, spans, shift)
		})
	}
}

func TestEmbed(t *testing.T) {
	table := &tensor.Var{Data: []float32{10, 20, 30}, Rows: 3, Cols: 1}
	positions := &tensor.Var{Data: []float32{1, 2, 3}, Rows: 3, Cols: 1}
	spans := tensor.NewSpans([]int{3, 1})
	for _, tt := range []struct {
		shift bool
		want  [4]float32
	}{
		{false, [4]float32{31, 12, 23, 31}},
		{true, [4]float32{1, 32, 13, 1}}, // the token before, or none
	} {
		var tape tensor.Tape
		if y := tape.Embed(table, []int32{2, 0, 1, 2}, positions, spans, tt.shift); [4]float32(y.Data) != tt.want {
			t.Errorf("shift %t: %g, want %g", tt.shift, y.Data, tt.want)
		}
	}
}

func TestPositions(t *testing.T) {
	const n, d = 100, 6
	v := tensor.Positions(n, d)
	for p := range n {
		for j, got := range v.Row(p) {
			angle := float64(p) * math.Pow(10000, -float64(j-j%2)/d)
			want := math.Sin(angle)
			if j%2 == 1 {
				want = math.Cos(angle)
			}
			if math.Abs(float64(got)-want) > 100*0x1p-23 { // the angle is a float32
				t.Errorf("position %d, dimension %d = %g, want %g", p, j, got, want)
			}
		}
	}
}
