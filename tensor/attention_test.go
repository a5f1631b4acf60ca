package tensor_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/tensor"
)

func TestAttentionGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{3, 1, 5})
	for _, causal := range []bool{false, true} {
		for _, tt := range []struct {
			heads, d int
			p        float32
		}{{1, 2, 0}, {2, 6, 0}, {2, 32, 0}, {2, 6, 0.3}} {
			t.Run(fmt.Sprintf("causal %t, %d heads of %d, %g dropped", causal, tt.heads, tt.d, tt.p), func(t *testing.T) {
				qkv := randomVar(newRand(), spans.Rows(), 3*tt.d)
				checkGrad(t, []*tensor.Var{qkv}, func(tape *tensor.Tape) *tensor.Var {
					return tape.Attention(qkv, tt.heads, spans, 0, causal, tt.p, 1)
				})
			})
		}
	}
}

// Attention of the first rows is the first rows of Attention, bit for bit.
func TestFirstAttention(t *testing.T) {
	const heads, d, m = 2, 6, 2
	spans := tensor.NewSpans([]int{3, 2, 40})
	qkv := randomVar(newRand(), spans.Rows(), 3*d)
	var tape tensor.Tape
	y := tape.Attention(qkv, heads, spans, m, false, 0, 0)
	want := tape.FirstRows(tape.Attention(qkv, heads, spans, 0, false, 0, 0), spans, m)
	if !slices.Equal(y.Data, want.Data) {
		t.Errorf("Attention of the first rows = %g, want %g", y.Data, want.Data)
	}
	for _, p := range []float32{0, 0.3} {
		spans := tensor.NewSpans([]int{3, 2, 5})
		qkv := randomVar(newRand(), spans.Rows(), 3*d)
		checkGrad(t, []*tensor.Var{qkv}, func(tape *tensor.Tape) *tensor.Var {
			return tape.Attention(qkv, heads, spans, m, false, p, 1)
		})
	}
}

// With equal weights, the dropped shares of weights and of pairs of heads are those of independent draws, within
// five standard deviations.
func TestAttentionDropout(t *testing.T) {
	const heads, n, p = 4, 100, 0.25
	d := heads * n // one-hot values make the result the weights
	qkv := &tensor.Var{Data: make([]float32, n*3*d), Rows: n, Cols: 3 * d}
	for key := range n {
		for h := range heads {
			qkv.Row(key)[2*d+h*n+key] = 1
		}
	}
	var tape tensor.Tape
	y := tape.Attention(qkv, heads, tensor.NewSpans([]int{n}), 0, false, p, 7)
	var dropped, pairs float64
	for i := range n {
		for j, w := range y.Row(i) {
			if w != 0 && math.Abs(float64(w)*n*(1-p)-1) > 1e-5 {
				t.Fatalf("a weight is %g, want 0 or %g", w, 1/(n*(1-p)))
			}
			dropped += zero(w) / heads
			pairs += zero(w+y.Row(i)[(j+n)%d]) / heads
		}
	}
	for name, share := range map[string][2]float64{"single": {dropped, p}, "in two heads": {pairs, p * p}} {
		got, want := share[0]/(n*n), share[1]
		if math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/heads)/n {
			t.Errorf("%s: share dropped = %g, want %g", name, got, want)
		}
	}
}

// Attention and its gradients are bit for bit the same for a sequence alone and in a batch.
func TestAttentionOfASequenceAlone(t *testing.T) {
	const heads, d = 2, 24
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(1, 40), 1, 6).Draw(t, "lengths")
		causal := rapid.Bool().Draw(t, "causal")
		run := func(qkv *tensor.Var, spans *tensor.Spans) []float32 {
			var tape tensor.Tape
			y := tape.Attention(qkv, heads, spans, 0, causal, 0, 0)
			copy(tape.Grad(y), y.Data)
			tape.Backward()
			return y.Data
		}
		spans := tensor.NewSpans(lengths)
		qkv := randomVar(newRand(), spans.Rows(), 3*d)
		y := run(qkv, spans)
		for i, n := range lengths {
			lo, hi := spans.Span(i)
			alone := rowsOf(qkv, lo, hi)
			if !slices.Equal(y[lo*d:hi*d], run(alone, tensor.NewSpans([]int{n}))) || !slices.Equal(qkv.Grad[lo*3*d:hi*3*d], alone.Grad) {
				t.Fatalf("sequence %d of length %d: alone and in a batch differ", i, n)
			}
		}
	})
}

// rowsOf returns a copy of rows of v with a gradient of zeros.
func rowsOf(v *tensor.Var, lo, hi int) *tensor.Var {
	data := slices.Clone(v.Data[lo*v.Cols : hi*v.Cols])
	return &tensor.Var{Data: data, Grad: make([]float32, len(data)), Rows: hi - lo, Cols: v.Cols}
}
