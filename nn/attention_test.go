package nn_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// CrossAttention gives what projections of all tokens give, up to rounding.
func TestCrossAttention(t *testing.T) {
	const d, heads, m, c = 6, 2, 3, 3
	var cross nn.CrossAttention
	p := bound(func(p *nn.Params) { cross = nn.NewCrossAttention(p, "c", d, heads) })
	copy(p.Data, random(1, len(p.Data), 1).Data)
	seq := tensor.NewSpans([]int{4, 1})
	x, memory := random(5, d, 2), random(2*m, d, 3)
	var tape tensor.Tape
	got := cross.Apply(&tape, x, memory, seq, m, nn.Dropout{})
	q, kv := tape.Linear(x, cross.Query.W, cross.Query.B), tape.Linear(memory, cross.Memory.W, cross.Memory.B)
	mixed := tape.New(5, d, false)
	clear(mixed.Data)
	for s := range seq.Len() {
		lo, hi := seq.Span(s)
		for i := lo; i < hi; i++ {
			for h := range heads {
				var weights [m]float64
				sum := 0.0
				for j := range m {
					score := 0.0
					for k := h * c; k < (h+1)*c; k++ {
						score += float64(q.Row(i)[k]) * float64(kv.Row(s*m + j)[k])
					}
					weights[j] = math.Exp(score / math.Sqrt(c))
					sum += weights[j]
				}
				for j, w := range weights {
					for k := h * c; k < (h+1)*c; k++ {
						mixed.Row(i)[k] += float32(w / sum * float64(kv.Row(s*m + j)[d+k]))
					}
				}
			}
		}
	}
	want := tape.Linear(mixed, cross.Out.W, cross.Out.B)
	for i, w := range want.Data {
		if g := got.Data[i]; math.Abs(float64(g-w)) > 1e-5*(1+math.Abs(float64(w))) {
			t.Errorf("[%d, %d] = %g, want %g", i/d, i%d, g, w)
		}
	}
}
