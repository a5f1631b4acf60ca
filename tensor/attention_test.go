package tensor_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/tensor/tensortest"
)

func TestAttentionGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{3, 1, 5})
	for _, causal := range []bool{false, true} {
		for _, tt := range []struct{ heads, d int }{{1, 2}, {2, 6}, {2, 32}} {
			t.Run(fmt.Sprintf("causal %t, %d heads of %d", causal, tt.heads, tt.d), func(t *testing.T) {
				qkv := tensortest.Rand(newRand(), spans.Rows(), 3*tt.d)
				tensortest.CheckGrad(t, []*tensor.Var{qkv}, func(tape *tensor.Tape) *tensor.Var {
					return tape.Attention(qkv, tt.heads, spans, causal)
				})
			})
		}
	}
}

func TestCrossAttentionGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{3, 1, 5})
	for _, tt := range []struct{ heads, d, m int }{{1, 2, 1}, {2, 6, 2}, {2, 32, 3}} {
		rng := newRand()
		q, kv := tensortest.Rand(rng, spans.Rows(), tt.d), tensortest.Rand(rng, spans.Len()*tt.m, 2*tt.d)
		tensortest.CheckGrad(t, []*tensor.Var{q, kv}, func(tape *tensor.Tape) *tensor.Var {
			return tape.CrossAttention(q, kv, tt.heads, spans, tt.m)
		})
	}
}

// A sequence's attention, and its gradient, are the same to the bit alone and among others.
func TestAttentionOfASequenceAlone(t *testing.T) {
	const heads, d, m = 2, 24, 3
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(1, 40), 1, 6).Draw(t, "lengths")
		causal := rapid.Bool().Draw(t, "causal")
		run := func(qkv, q, kv *tensor.Var, spans *tensor.Spans) (self, cross []float32) {
			var tape tensor.Tape
			y, z := tape.Attention(qkv, heads, spans, causal), tape.CrossAttention(q, kv, heads, spans, m)
			copy(tape.Grad(y), y.Data)
			copy(tape.Grad(z), z.Data)
			tape.Backward()
			return y.Data, z.Data
		}
		spans, rng := tensor.NewSpans(lengths), newRand()
		qkv, q, kv := tensortest.Rand(rng, spans.Rows(), 3*d), tensortest.Rand(rng, spans.Rows(), d), tensortest.Rand(rng, len(lengths)*m, 2*d)
		self, cross := run(qkv, q, kv, spans)
		for i, n := range lengths {
			lo, hi := spans.Span(i)
			qkv1, q1, kv1 := rowsOf(qkv, lo, hi), rowsOf(q, lo, hi), rowsOf(kv, i*m, (i+1)*m)
			self1, cross1 := run(qkv1, q1, kv1, tensor.NewSpans([]int{n}))
			for _, same := range [][2][]float32{
				{self[lo*d : hi*d], self1}, {cross[lo*d : hi*d], cross1},
				{qkv.Grad[lo*3*d : hi*3*d], qkv1.Grad}, {q.Grad[lo*d : hi*d], q1.Grad}, {kv.Grad[i*m*2*d : (i+1)*m*2*d], kv1.Grad},
			} {
				if !slices.Equal(same[0], same[1]) {
					t.Fatalf("sequence %d of %d differs alone", i, n)
				}
			}
		}
	})
}

// rowsOf returns a copy of rows of v with a gradient of zeros.
func rowsOf(v *tensor.Var, lo, hi int) *tensor.Var {
	data := slices.Clone(v.Data[lo*v.Cols : hi*v.Cols])
	return &tensor.Var{Data: data, Grad: make([]float32, len(data)), Rows: hi - lo, Cols: v.Cols}
}
