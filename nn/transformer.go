package nn

import "github.com/invbo/invbo/tensor"

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

// Apply maps tokens x (rows of seq, d) to the same shape.
func (l EncoderLayer) Apply(t *tensor.Tape, x *tensor.Var, seq *tensor.Spans, drop Dropout) *tensor.Var {
	return l.feed(t, l.Norm1.Add(t, x, drop.Apply(t, l.Attention.Apply(t, x, seq, drop))), drop)
}

// First is Apply for the first m tokens of each sequence only (sequences·m, d).
func (l EncoderLayer) First(t *tensor.Tape, x *tensor.Var, seq *tensor.Spans, m int, drop Dropout) *tensor.Var {
	return l.feed(t, l.Norm1.Add(t, t.FirstRows(x, seq, m), drop.Apply(t, l.Attention.First(t, x, seq, m, drop))), drop)
}

// feed is what follows attention.
func (l EncoderLayer) feed(t *tensor.Tape, x *tensor.Var, drop Dropout) *tensor.Var {
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
	x = l.Norm1.Add(t, x, drop.Apply(t, l.Attention.Apply(t, x, seq, drop)))
	x = l.Norm2.Add(t, x, drop.Apply(t, l.Cross.Apply(t, x, memory, seq, m, drop)))
	return l.Norm3.Add(t, x, feedForward(t, x, l.Linear1, l.Linear2, drop))
}

func feedForward(t *tensor.Tape, x *tensor.Var, in, out Linear, drop Dropout) *tensor.Var {
	return drop.Apply(t, out.Apply(t, drop.Apply(t, in.ReLU(t, x))))
}
