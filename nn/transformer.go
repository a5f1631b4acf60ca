package nn

import (
	"math"

	"github.com/invbo/invbo/tensor"
)

// SelfAttention is multi-head self-attention within each sequence (Vaswani et al. 2017, §3.2).
type SelfAttention struct {
	Heads  int
	In     Linear // (d, 3d): queries, keys, values
	Out    Linear // (d, d)
	Causal bool   // tokens attend only to themselves and earlier ones
}

// NewSelfAttention declares a SelfAttention with PyTorch's names: name.in_proj_weight, name.in_proj_bias,
// name.out_proj.weight, name.out_proj.bias.
func NewSelfAttention(p *Params, name string, d, heads int, causal bool) SelfAttention {
	return SelfAttention{
		Heads:  heads,
		In:     newProjection(p, name+".in_proj_", d, 3*d),
		Out:    NewLinear(p, name+".out_proj", d, d),
		Causal: causal,
	}
}

// Apply maps tokens x (rows of seq, d) to the same shape, or to the first m of each sequence (sequences·m, d) if m is not 0. drop
// applies to the attention weights.
func (a SelfAttention) Apply(t *tensor.Tape, x *tensor.Var, seq *tensor.Spans, m int, drop Dropout) *tensor.Var {
	return a.Out.Apply(t, t.Attention(a.In.Apply(t, x), a.Heads, seq, m, a.Causal, drop.P, drop.seed()))
}

// CrossAttention is multi-head attention of the tokens of each sequence to the m memory vectors of that sequence.
type CrossAttention struct {
	Heads  int
	Query  Linear // (d, d)
	Memory Linear // (d, 2d): keys, values
	Out    Linear // (d, d)
}

// NewCrossAttention declares a CrossAttention as name.q_proj_weight, name.q_proj_bias, name.kv_proj_weight,
// name.kv_proj_bias, name.out_proj.weight and name.out_proj.bias.
func NewCrossAttention(p *Params, name string, d, heads int) CrossAttention {
	return CrossAttention{
		Heads:  heads,
		Query:  newProjection(p, name+".q_proj_", d, d),
		Memory: newProjection(p, name+".kv_proj_", d, 2*d),
		Out:    NewLinear(p, name+".out_proj", d, d),
	}
}

// Apply maps tokens x (rows of seq, d) to the same shape, given memory (sequences·m, d). drop applies to the attention weights.
//
// Products are taken in an order that projects memory vectors, which are few, instead of tokens. For a token x, keys k and values v
// of one head, with that head's columns W and b of Query and its rows W′ of Out,
//
//	(xW + b)·k = x·(Wk) + b·k    (Σⱼ pⱼvⱼ)W′ = Σⱼ pⱼ(vⱼW′)
//
// so the time per token is m·heads/d of that of projections.
func (a CrossAttention) Apply(t *tensor.Tape, x, memory *tensor.Var, seq *tensor.Spans, m int, drop Dropout) *tensor.Var {
	kv := a.Memory.Apply(t, memory)
	d := kv.Cols / 2
	keys := t.HeadProducts(kv, 0, a.Query.W, true, a.Heads)
	offsets := t.Reshape(t.HeadProducts(kv, 0, a.Query.B, true, a.Heads), m*a.Heads)
	values := t.HeadProducts(kv, d, a.Out.W, false, a.Heads)
	scores := t.SpanLinear(x, keys, true, offsets, seq)
	weights := drop.Apply(t, t.GroupSoftmax(scores, a.Heads, float32(1/math.Sqrt(float64(d/a.Heads)))))
	return t.SpanLinear(weights, values, false, a.Out.B, seq)
}

// EncoderLayer is a post-norm transformer encoder layer (Vaswani et al. 2017, §3.1):
//
//	h = norm₁(x + attention(x))    y = norm₂(h + linear₂(relu(linear₁(h))))
type EncoderLayer struct {
	Attention        SelfAttention
	Norm1            LayerNorm
	Linear1, Linear2 Linear // (d, hidden), (hidden, d)
	Norm2            LayerNorm
}

// NewEncoderLayer declares an EncoderLayer with PyTorch's names, prefixed by name.
func NewEncoderLayer(p *Params, name string, d, heads, hidden int) EncoderLayer {
	return EncoderLayer{
		Attention: NewSelfAttention(p, name+".self_attn", d, heads, false),
		Linear1:   NewLinear(p, name+".linear1", d, hidden),
		Linear2:   NewLinear(p, name+".linear2", hidden, d),
		Norm1:     NewLayerNorm(p, name+".norm1", d),
		Norm2:     NewLayerNorm(p, name+".norm2", d),
	}
}

// Apply maps tokens x (rows of seq, d) to the same shape, or to the first m of each sequence (sequences·m, d) if m is not 0.
func (l EncoderLayer) Apply(t *tensor.Tape, x *tensor.Var, seq *tensor.Spans, m int, drop Dropout) *tensor.Var {
	first := x
	if m > 0 {
		first = t.FirstRows(x, seq, m)
	}
	x = l.Norm1.Add(t, first, drop.Apply(t, l.Attention.Apply(t, x, seq, m, drop)))
	return l.Norm2.Add(t, x, feedForward(t, x, l.Linear1, l.Linear2, drop))
}

// DecoderLayer is a causal post-norm transformer decoder layer with m memory vectors per sequence:
//
//	h = norm₁(x + attention(x))    g = norm₂(h + cross(h, memory))    y = norm₃(g + linear₂(relu(linear₁(g))))
type DecoderLayer struct {
	Attention        SelfAttention
	Norm1            LayerNorm
	Cross            CrossAttention
	Norm2            LayerNorm
	Linear1, Linear2 Linear // (d, hidden), (hidden, d)
	Norm3            LayerNorm
}

// NewDecoderLayer declares a DecoderLayer with PyTorch's names (except in CrossAttention), prefixed by name.
func NewDecoderLayer(p *Params, name string, d, heads, hidden int) DecoderLayer {
	return DecoderLayer{
		Attention: NewSelfAttention(p, name+".self_attn", d, heads, true),
		Cross:     NewCrossAttention(p, name+".multihead_attn", d, heads),
		Linear1:   NewLinear(p, name+".linear1", d, hidden),
		Linear2:   NewLinear(p, name+".linear2", hidden, d),
		Norm1:     NewLayerNorm(p, name+".norm1", d),
		Norm2:     NewLayerNorm(p, name+".norm2", d),
		Norm3:     NewLayerNorm(p, name+".norm3", d),
	}
}

// Apply maps tokens x (rows of seq, d) to the same shape, given memory (sequences·m, d).
func (l DecoderLayer) Apply(t *tensor.Tape, x, memory *tensor.Var, seq *tensor.Spans, m int, drop Dropout) *tensor.Var {
	x = l.Norm1.Add(t, x, drop.Apply(t, l.Attention.Apply(t, x, seq, 0, drop)))
	x = l.Norm2.Add(t, x, drop.Apply(t, l.Cross.Apply(t, x, memory, seq, m, drop)))
	return l.Norm3.Add(t, x, feedForward(t, x, l.Linear1, l.Linear2, drop))
}

func feedForward(t *tensor.Tape, x *tensor.Var, in, out Linear, drop Dropout) *tensor.Var {
	return drop.Apply(t, out.Apply(t, drop.Apply(t, in.ReLU(t, x))))
}
