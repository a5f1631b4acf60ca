package tensor_test

import (
	"fmt"
	"testing"

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

func TestAddLayerNormGrad(t *testing.T) {
	for _, c := range []int{3, 16, 33} {
		rng := newRand()
		x, y := tensortest.Rand(rng, 4, c), tensortest.Rand(rng, 4, c)
		gamma, beta := tensortest.Rand(rng, 1, c), tensortest.Rand(rng, 1, c)
		tensortest.CheckGrad(t, []*tensor.Var{x, y, gamma, beta}, func(tape *tensor.Tape) *tensor.Var {
			return tape.AddLayerNorm(x, y, gamma, beta, 1e-5)
		})
	}
}

func TestEmbedGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{2, 1, 3})
	positions := tensor.Positions(3, 4)
	table := tensortest.Rand(newRand(), 5, 4)
	for _, shift := range []bool{false, true} {
		tensortest.CheckGrad(t, []*tensor.Var{table}, func(tape *tensor.Tape) *tensor.Var {
			return tape.Embed(table, []int32{4, 0, 1, 4, 4, 2}, positions, spans, shift)
		})
	}
}

func TestFirstRowsGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{2, 4, 3})
	x := tensortest.Rand(newRand(), spans.Rows(), 3)
	tensortest.CheckGrad(t, []*tensor.Var{x}, func(tape *tensor.Tape) *tensor.Var { return tape.FirstRows(x, spans, 2) })
}

func TestGaussianGrad(t *testing.T) {
	h := tensortest.Rand(newRand(), 3, 8)
	eps := tensortest.Rand(newRand(), 3, 4)
	tensortest.CheckGrad(t, []*tensor.Var{h}, func(tape *tensor.Tape) *tensor.Var {
		mu, logvar := tape.Gaussian(h, 1e-4)
		return tape.Sample(mu, logvar, eps)
	})
}

func TestDropoutGrad(t *testing.T) {
	x := tensortest.Rand(newRand(), 5, 7)
	tensortest.CheckGrad(t, []*tensor.Var{x}, func(tape *tensor.Tape) *tensor.Var { return tape.Dropout(x, 0.3, 1) })
}

func TestTokenLossGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{3, 2})
	logits := tensortest.Rand(newRand(), spans.Rows(), 6)
	for _, loss := range []tensor.Loss{tensor.CrossEntropy, tensor.Hinge} {
		tensortest.CheckGrad(t, []*tensor.Var{logits}, func(tape *tensor.Tape) *tensor.Var {
			losses, _ := tape.TokenLoss(logits, []int32{1, 3, 5, 0, 2}, spans, loss)
			return losses
		})
	}
}
